"""One client an event loop: connections belong to the loop that opened them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

T = TypeVar("T")


class PerLoop(Generic[T]):
    """Opens a client on first use in each event loop, and closes that of the running loop."""

    def __init__(self, make: Callable[[], T], close: Callable[[T], Awaitable[None]]) -> None:
        self._make = make
        self._close = close
        self._clients: WeakKeyDictionary[asyncio.AbstractEventLoop, T] = WeakKeyDictionary()

    def get(self) -> T:
        """The running loop's client."""
        loop = asyncio.get_running_loop()
        if loop not in self._clients:
            self._clients[loop] = self._make()
        return self._clients[loop]

    async def aclose(self) -> None:
        """Closes the running loop's client, if it has one."""
        client = self._clients.pop(asyncio.get_running_loop(), None)
        if client is not None:
            await self._close(client)
