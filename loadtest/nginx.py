"""nginx before a server: one that pools its connections, as before most servers in production."""

import os
import re
import resource
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

from loadtest.load import LoadError, LoadMissingError
from loadtest.replies import HOST
from loadtest.supervised import Supervised

NAME = "nginx"
INSTALL = "apt-get install nginx-light"
FOLDER = "nginx"
# Where Debian's package puts it: outside the path of a person who is not root.
PLACES = "/usr/sbin:/usr/local/sbin"
CONNECTIONS = 4096  # of its worker, two for each client
MOST_CLIENTS = CONNECTIONS // 2 - 48
POOL = 256  # connections to the server that are kept while nobody uses them
NEVER = 1_000_000_000  # requests on a connection; by default it closes after 1,000 of them

# One worker: it passes on what several workers of Python answer on the same cores. All that it
# writes stays in its own folder.
CONFIGURATION = """\
{user}daemon off;
worker_processes 1;
worker_rlimit_nofile {files};
pid nginx.pid;
error_log stderr warn;
events {{ worker_connections {connections}; }}
http {{
    access_log off;
    client_body_temp_path body;
    proxy_temp_path proxy;
    fastcgi_temp_path fastcgi;
    uwsgi_temp_path uwsgi;
    scgi_temp_path scgi;
    keepalive_requests {never};
    upstream server {{
        server {host}:{upstream};
        keepalive {pool};
        keepalive_requests {never};
    }}
    server {{
        listen {host}:{port} backlog=4096;
        location / {{
            proxy_pass http://server;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_set_header Host $http_host;
        }}
    }}
}}
"""


def find() -> str:
    """Return where nginx is, or raise LoadMissingError, which says what to install."""
    program = shutil.which(NAME) or shutil.which(NAME, path=PLACES)
    if program is None:
        raise LoadMissingError(NAME, INSTALL)
    return program


def version() -> str:
    """Return the version of the installed nginx, such as nginx/1.22.1."""
    said = subprocess.run([find(), "-v"], capture_output=True, timeout=10).stderr
    found = re.search(rb"nginx/\S+", said)
    if found is None:
        raise LoadError("nginx: -v names no version")
    return found[0].decode()


def configuration(port: int, upstream: int) -> str:
    """Return what makes nginx listen on one port and pass all on to another."""
    # As root it would serve as another user, who cannot reach a folder of root's.
    user = "user root;\n" if os.geteuid() == 0 else ""
    return CONFIGURATION.format(
        user=user,
        host=HOST,
        port=port,
        upstream=upstream,
        connections=CONNECTIONS,
        files=_files(),
        pool=POOL,
        never=NEVER,
    )


def _files() -> int:
    """Return how many files its worker may open: more than its connections, where that may be."""
    wanted, most = CONNECTIONS + 64, resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    return wanted if most == resource.RLIM_INFINITY else min(wanted, most)


def start(
    port: int, upstream: int, folder: Path, output: BinaryIO, cores: Iterable[int]
) -> Supervised:
    """Return a running nginx, whose files are in a folder of its own within the one given."""
    prefix = folder / FOLDER
    prefix.mkdir()
    (prefix / "nginx.conf").write_text(configuration(port, upstream))
    command = [find(), "-p", f"{prefix.resolve()}/", "-c", "nginx.conf", "-e", "stderr"]
    return Supervised(command, stdout=output, stderr=output, cwd=prefix, cores=cores)
