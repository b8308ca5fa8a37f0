"""File names for case ids."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from editplan.evals.suites.names import file_slug

AWKWARD = ["图一", "图二", "a/b", "a:b", "a-b", "../x", "A", "a", "", ".", "..", "x.", "con", "a b", "a\x00b"]


def test_awkward_ids_get_different_names() -> None:
    slugs = [file_slug(name) for name in AWKWARD]
    assert len({slug.lower() for slug in slugs}) == len(AWKWARD)


def test_a_plain_id_stays_readable() -> None:
    assert file_slug("puzzle-7-0001-count-easy") == "puzzle-7-0001-count-easy"


def test_a_name_that_looks_hashed_is_hashed_again() -> None:
    assert file_slug(file_slug("a/b")) != file_slug("a/b")


@given(st.text(), st.text())
def test_two_ids_never_share_a_name(first: str, second: str) -> None:
    try:
        slugs = [file_slug(first), file_slug(second)]
    except UnicodeEncodeError:
        return
    assert (slugs[0].lower() == slugs[1].lower()) == (first == second)
    assert all(re.fullmatch(r"[a-z0-9][a-z0-9._-]*", slug) for slug in slugs)
