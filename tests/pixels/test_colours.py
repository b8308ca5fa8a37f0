from hypothesis import given
from hypothesis import strategies as st

from editplan.pixels.colours import (
    PALETTE,
    as_hex,
    canonical_name,
    colour_difference,
    colour_name,
    colour_value,
    parse_hex,
)

channels = st.integers(0, 255)


def test_every_value_of_the_palette_has_its_own_name() -> None:
    for name, values in PALETTE.items():
        for value in values:
            rgb = parse_hex(value)
            assert rgb is not None
            assert colour_name(rgb) == name


def test_names_in_other_spellings_are_understood() -> None:
    for spelling, name in [
        ("grey", "gray"),
        ("tangerine-colored", "tangerine"),
        ("Olive-coloured", "olive"),
        ("jet-black", "jet black"),
        ("ivory white", "ivory"),
    ]:
        assert canonical_name(spelling) == name


def test_an_unknown_word_is_no_colour() -> None:
    assert canonical_name("square") is None
    assert colour_value("transparent") is None
    assert parse_hex("#12") is None


@given(channels, channels, channels)
def test_hex_text_round_trips(red: int, green: int, blue: int) -> None:
    assert parse_hex(as_hex((red, green, blue))) == (red, green, blue)


@given(st.tuples(channels, channels, channels), st.tuples(channels, channels, channels))
def test_the_difference_of_two_colours_is_symmetric(
    first: tuple[int, int, int], second: tuple[int, int, int]
) -> None:
    assert abs(colour_difference(first, second) - colour_difference(second, first)) < 1e-6
    assert colour_difference(first, first) == 0
