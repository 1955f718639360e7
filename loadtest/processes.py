"""What Linux tells of other processes: who belongs together, what they used, who has a socket."""

import errno
import os
import re
import socket
import struct
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

PROC = Path("/proc")

Address = tuple[str, int]

# From <linux/netlink.h> and <linux/sock_diag.h>.
_NETLINK_SOCK_DIAG = 4
_SOCK_DIAG_BY_FAMILY = 20
_NLM_F_REQUEST = 1
_LISTENING = "0A"  # as /proc/net/tcp has it


def group_members(group: int) -> list[int]:
    """Return the pids of a process group, zombies left out, lowest first.

    A group outlives its leader: workers whose master was killed are still found.
    """
    pids = (int(entry.name) for entry in PROC.iterdir() if entry.name.isdigit())
    return sorted(pid for pid in pids if _group(pid) == group)


def _group(pid: int) -> int | None:
    try:
        stat = (PROC / str(pid) / "stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return None
    # The name stands in parentheses and may hold anything, parentheses too.
    state, _parent, group = stat[stat.rindex(")") + 2 :].split()[:3]
    return None if state in "ZX" else int(group)


def is_tracker(pid: int) -> bool:
    """Return whether Python's multiprocessing has started this beside what was asked of it."""
    try:
        return b"multiprocessing.resource_tracker" in (PROC / str(pid) / "cmdline").read_bytes()
    except OSError:
        return False


def cpu_seconds(pids: Iterable[int]) -> dict[int, float]:
    """Return the CPU time of each process, user and system, its ended threads included.

    In nanoseconds underneath, from the process's own CPU clock: the ticks of /proc are 10 ms.
    """
    used = {}
    for pid in pids:
        with suppress(OSError):
            # CPUCLOCK_SCHED of another process, as clock_getcpuclockid(3) makes it.
            used[pid] = time.clock_gettime_ns((~pid << 3) | 2) / 1e9
    return used


def memory_mib(pids: Iterable[int]) -> float:
    """Return what the processes hold in memory; what several share counts once, in parts."""
    return sum(_proportional_kib(pid) for pid in pids) / 1024


def _proportional_kib(pid: int) -> int:
    try:
        rollup = (PROC / str(pid) / "smaps_rollup").read_text()
    except OSError:
        return 0
    match = re.search(r"^Pss:\s+(\d+) kB$", rollup, re.MULTILINE)
    return int(match[1]) if match else 0


def owner(server: Address, client: Address, candidates: Iterable[int]) -> int | None:
    """Return which candidate has accepted the connection, None while nobody has."""
    try:
        inode = _inode_by_netlink(server, client)
    except OSError:  # a kernel without tcp_diag
        inode = _inode_by_listing(server, client)
    if not inode:
        return None
    return next((pid for pid in candidates if inode in _socket_inodes(pid)), None)


def listening(port: int, candidates: Iterable[int]) -> frozenset[int]:
    """Return which candidates hold a socket that listens on a port, whoever opened it."""
    inodes = _listening_inodes(port)
    return frozenset(pid for pid in candidates if inodes & _socket_inodes(pid))


def _listening_inodes(port: int) -> set[int]:
    found = set()
    for name in ("net/tcp", "net/tcp6"):
        with suppress(OSError), (PROC / name).open() as lines:
            next(lines)
            for line in lines:
                words = line.split()
                if words[3] != _LISTENING:
                    break  # those that listen come first, before thousands in TIME_WAIT
                if words[1].endswith(f":{port:04X}"):
                    found.add(int(words[9]))
    return found


def parents(pids: Iterable[int]) -> frozenset[int]:
    """Return the parents of processes."""
    found = set()
    for pid in pids:
        with suppress(OSError):
            stat = (PROC / str(pid) / "stat").read_text()
            found.add(int(stat[stat.rindex(")") + 2 :].split()[1]))
    return frozenset(found)


def _inode_by_netlink(local: Address, remote: Address) -> int:
    """Return the inode of the socket with these two ends, 0 before it is accepted.

    See sock_diag(7). With 26,000 connections in TIME_WAIT this takes 0.2 ms, the listing in
    /proc/net/tcp 105 ms.
    """
    any_interface, any_cookie = 0, 0xFFFFFFFF
    ends = struct.pack("!HH16s16s", local[1], remote[1], _packed(local), _packed(remote))
    ends += struct.pack("=III", any_interface, any_cookie, any_cookie)
    every_state = 0xFFFFFFFF
    question = struct.pack("=BBxxI", socket.AF_INET, socket.IPPROTO_TCP, every_state) + ends
    header = struct.pack("=IHHII", 16 + len(question), _SOCK_DIAG_BY_FAMILY, _NLM_F_REQUEST, 1, 0)
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, _NETLINK_SOCK_DIAG) as netlink:
        netlink.settimeout(1)
        netlink.send(header + question)
        answer = netlink.recv(4096)
    (kind,) = struct.unpack_from("=4xH", answer)
    if kind == _SOCK_DIAG_BY_FAMILY:
        (inode,) = struct.unpack_from("=I", answer, 16 + 68)
        return int(inode)
    error = -struct.unpack_from("=i", answer, 16)[0]
    if error == errno.ENOENT:
        # Without its module, the kernel says this of every connection, ours too.
        return _inode_by_listing(local, remote)
    raise OSError(error, os.strerror(error))


def _packed(address: Address) -> bytes:
    return socket.inet_aton(address[0])


def _inode_by_listing(local: Address, remote: Address) -> int:
    wanted = f" {_listed(local)} {_listed(remote)} "
    for line in (PROC / "net/tcp").read_text().splitlines():
        if wanted in line:
            return int(line.split()[9])
    return 0


def _listed(address: Address) -> str:
    return f"{int.from_bytes(_packed(address), sys.byteorder):08X}:{address[1]:04X}"


def _socket_inodes(pid: int) -> set[int]:
    inodes = set()
    with suppress(OSError):
        for descriptor in (PROC / str(pid) / "fd").iterdir():
            with suppress(OSError):
                target = str(descriptor.readlink())
                if target.startswith("socket:["):
                    inodes.add(int(target[8:-1]))
    return inodes
