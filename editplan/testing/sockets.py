"""Refuses every connection but those to this machine."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def only_loopback() -> Iterator[None]:
    """Inside it, connecting or sending to another machine, or looking up its name, is a `ConnectionRefusedError`."""
    real = {name: getattr(socket.socket, name) for name in ("connect", "connect_ex", "sendto")}
    lookup = socket.getaddrinfo

    def guarded(name: str) -> Any:
        def act(self: socket.socket, *arguments: Any) -> Any:
            if self.family in (socket.AF_INET, socket.AF_INET6):
                _check(arguments[-1][0])
            return real[name](self, *arguments)

        return act

    def guarded_lookup(host: Any, *arguments: Any, **named: Any) -> Any:
        _check(host)
        return lookup(host, *arguments, **named)

    try:
        for name in real:
            setattr(socket.socket, name, guarded(name))
        socket.getaddrinfo = guarded_lookup
        yield
    finally:
        for name, method in real.items():
            setattr(socket.socket, name, method)
        socket.getaddrinfo = lookup


def _check(host: Any) -> None:
    name = host.decode("ascii", "replace") if isinstance(host, bytes) else host
    if name in (None, "", "localhost"):
        return
    try:
        local = ipaddress.ip_address(str(name).split("%")[0]).is_loopback
    except ValueError:
        local = False
    if not local and name != "0.0.0.0":
        raise ConnectionRefusedError(f"tests may connect to this machine only, not to {name!r}")
