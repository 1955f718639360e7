"""Clients that hold connections, against a server that counts what it gets."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from threading import Thread

import pytest

from loadtest import beside, slow_clients
from loadtest.interruption import Interruption
from loadtest.load import LoadError


class Listener:
    """A server that accepts, reads, answers nothing, and closes what it is told to."""

    def __init__(self) -> None:
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.accepted: list[socket.socket] = []
        Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/healthz"

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            connection.setblocking(False)
            self.accepted.append(connection)

    def open(self) -> list[socket.socket]:
        """Return the connections whose client has not closed."""
        return [connection for connection in self.accepted if not _ended(connection)]

    def close(self) -> None:
        self.socket.shutdown(socket.SHUT_RDWR)
        for connection in (*self.accepted, self.socket):
            connection.close()


def _ended(connection: socket.socket) -> bool:
    try:
        return connection.recv(1, socket.MSG_PEEK) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


def received(connection: socket.socket) -> bytes:
    try:
        return connection.recv(4096, socket.MSG_PEEK)
    except BlockingIOError:
        return b""


@pytest.fixture
def server() -> Iterator[Listener]:
    with closing(Listener()) as listener:
        yield listener


def until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 10
    while not true():
        assert time.monotonic() < deadline, "it did not come true within 10 s"
        time.sleep(0.01)


def test_idle_clients_stand_and_send_nothing(server: Listener, tmp_path: Path) -> None:
    with (
        Interruption() as interruption,
        beside.clients("7 idle", server.url, tmp_path, interruption) as cpu_s,
    ):
        until(lambda: len(server.accepted) == 7)
        used_s = cpu_s()
        time.sleep(1.2)  # each has had its turn
        assert [received(connection) for connection in server.open()] == [b""] * 7
        assert cpu_s() > used_s > 0
    until(lambda: not server.open())
    assert len(server.accepted) == 7


def test_trickling_clients_send_a_head_by_bytes_and_never_its_end(
    server: Listener, tmp_path: Path
) -> None:
    with (
        Interruption() as interruption,
        beside.clients("3 trickling", server.url, tmp_path, interruption),
    ):
        until(lambda: len(server.accepted) == 3)
        until(lambda: all(received(c).startswith(b"GE") for c in server.accepted))
        assert all(slow_clients.HEAD.startswith(received(c)) for c in server.accepted)
    assert b"\r\n\r\n" not in slow_clients.HEAD


def test_what_the_server_closes_is_opened_again(server: Listener, tmp_path: Path) -> None:
    with (
        Interruption() as interruption,
        beside.clients("2 trickling", server.url, tmp_path, interruption),
    ):
        until(lambda: len(server.accepted) == 2)
        server.accepted[0].close()
        until(lambda: len(server.accepted) == 3)
        until(lambda: received(server.accepted[2]).startswith(b"G"))


def test_clients_that_cannot_connect_are_a_load_that_failed(tmp_path: Path) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as gone:
        port = gone.getsockname()[1]
    with (
        Interruption() as interruption,
        pytest.raises(LoadError, match="2 idle clients: cannot connect"),
        beside.clients("2 idle", f"http://127.0.0.1:{port}/", tmp_path, interruption),
    ):
        pass


def test_clients_that_end_before_the_load_are_a_load_that_failed(
    server: Listener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "brief.py"
    program.write_text("print('standing', flush=True); input()")  # which finds no line to read
    monkeypatch.setattr(beside, "PROGRAM", program)
    ended = tmp_path / "stderr.txt"
    with (
        Interruption() as interruption,
        pytest.raises(LoadError, match="2 idle clients: EOFError"),
        beside.clients("2 idle", server.url, tmp_path, interruption) as cpu_s,
    ):
        until(lambda: "EOFError" in ended.read_text() and not cpu_s())
        time.sleep(0.2)  # in which the supervisor ends, too


def test_clients_that_are_killed_are_gone(server: Listener, tmp_path: Path) -> None:
    program = [sys.executable, "-I", "-S", slow_clients.__file__, "idle", "4", "127.0.0.1"]
    held = subprocess.Popen([*program, str(server.port)], stdout=subprocess.PIPE)
    assert held.stdout is not None
    with held.stdout as said:
        assert said.readline() == b"standing\n"
        os.kill(held.pid, 9)
        assert held.wait() == -9
    until(lambda: len(server.accepted) == 4 and not server.open())


def test_unknown_kind_names_those_that_there_are() -> None:
    program = [sys.executable, "-I", "-S", slow_clients.__file__, "fast", "1", "127.0.0.1", "9"]
    ended = subprocess.run(program, capture_output=True, text=True, timeout=20)
    assert ended.returncode == 1
    assert ended.stderr == "no clients are called 'fast'; there are idle, trickling\n"
