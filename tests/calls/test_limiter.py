"""Concurrency grows while answers come, shrinks once per episode of 429s, and keeps rates."""

from __future__ import annotations

import asyncio

from editplan.calls.limiter import AdaptiveLimiter, LimitPolicy


async def _hold(limiter: AdaptiveLimiter, seconds: float, active: list[int]) -> None:
    async with limiter.place():
        active[0] += 1
        active[1] = max(active)
        await asyncio.sleep(seconds)
        active[0] -= 1


async def test_no_more_than_the_limit_are_out_at_once() -> None:
    limiter = AdaptiveLimiter(LimitPolicy(start=4, ceiling=4))
    active = [0, 0]
    await asyncio.gather(*(_hold(limiter, 0.005, active) for _ in range(20)))
    assert active == [0, 4]


async def test_answers_let_it_grow_to_the_ceiling_and_no_further() -> None:
    limiter = AdaptiveLimiter(LimitPolicy(start=2, ceiling=5))
    for _ in range(100):
        limiter.answered()
    assert limiter.limit == 5
    assert [change.why for change in limiter.history] == ["start", "grew", "grew", "grew"]


async def test_a_storm_of_429s_shrinks_it_once() -> None:
    limiter = AdaptiveLimiter(LimitPolicy(start=16))
    sent: list[float] = []
    for _ in range(8):
        async with limiter.place() as sent_at:
            sent.append(sent_at)
    for sent_at in sent:
        limiter.rate_limited(sent_at, None)
    assert limiter.limit == 8
    async with limiter.place() as later:
        limiter.rate_limited(later, None)
    assert limiter.limit == 4


async def test_growth_pauses_after_a_server_error() -> None:
    limiter = AdaptiveLimiter(LimitPolicy(start=2, server_error_pause_s=60.0))
    limiter.server_error()
    for _ in range(50):
        limiter.answered()
    assert limiter.limit == 2


async def test_a_retry_after_holds_new_requests() -> None:
    limiter = AdaptiveLimiter(LimitPolicy(start=4))
    async with limiter.place() as sent_at:
        limiter.rate_limited(sent_at, 0.1)
    began = asyncio.get_running_loop().time()
    async with limiter.place():
        waited = asyncio.get_running_loop().time() - began
    assert waited >= 0.09


async def test_requests_per_minute_are_kept() -> None:
    limiter = AdaptiveLimiter(LimitPolicy(start=8, requests_per_minute=3))
    for _ in range(3):
        async with limiter.place():
            pass
    try:
        async with asyncio.timeout(0.05):
            async with limiter.place():
                raise AssertionError("the fourth request of the minute went out")
    except TimeoutError:
        pass


async def test_who_is_cancelled_while_waiting_gives_no_place_away() -> None:
    limiter = AdaptiveLimiter(LimitPolicy(start=1, ceiling=1))
    active = [0, 0]
    first = asyncio.create_task(_hold(limiter, 0.05, active))
    await asyncio.sleep(0.01)
    waiting = asyncio.create_task(_hold(limiter, 0.0, active))
    await asyncio.sleep(0.01)
    waiting.cancel()
    await asyncio.gather(first, waiting, return_exceptions=True)
    await asyncio.wait_for(_hold(limiter, 0.0, active), timeout=1.0)
    assert active == [0, 1]


async def test_tokens_per_minute_are_kept_and_corrected_by_what_came() -> None:
    limiter = AdaptiveLimiter(LimitPolicy(start=8, tokens_per_minute=1000))
    async with limiter.place(900) as sent_at:
        limiter.took(sent_at, 100)
    async with limiter.place(800):
        pass
    try:
        async with asyncio.timeout(0.05):
            async with limiter.place(200):
                raise AssertionError("more tokens than a minute allows went out")
    except TimeoutError:
        pass


async def test_growth_is_quick_until_the_first_429_and_slow_after_it() -> None:
    limiter = AdaptiveLimiter(LimitPolicy(start=16, ceiling=64))
    for _ in range(16):
        limiter.answered()
    assert limiter.limit == 32
    async with limiter.place() as sent_at:
        limiter.rate_limited(sent_at, None)
    await asyncio.sleep(1.05)
    for _ in range(16):
        limiter.answered()
    assert limiter.limit in (16, 17)
