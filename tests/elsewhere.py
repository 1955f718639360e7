"""The service on aiohttp from the files of another folder, such as an older commit's."""

import sys

from aiohttp import web


def create_app(folder: str) -> web.Application:
    """Return the application that the folder's `planettracker` makes."""
    sys.path.insert(0, folder)
    from planettracker.apps import aiohttp

    assert str(aiohttp.__file__).startswith(folder), "another planettracker was imported before"
    return aiohttp.create_app()
