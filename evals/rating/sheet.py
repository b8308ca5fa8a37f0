"""The page on which a person rates outputs: one file, no network, keys 0 to 5, ratings saved as CSV."""

from __future__ import annotations

import base64
import html
import io
from importlib.resources import files

from editplan.evals.rating.blinded import Item
from editplan.evals.report.markup import Html, element
from editplan.records import Media
from editplan.store import ImageStore

TOP = 5
"""Ratings run from 0 to this, in whole steps."""
SHOWN_PX = 720
"""Longest side of a picture on the page."""


def rating_page(items: tuple[Item, ...], images: ImageStore) -> str:
    """The page; it holds the pictures, the goals and blinded names, and nothing that tells an arm."""
    pictures: dict[str, str] = {}
    cards = [_card(number, item, images, pictures) for number, item in enumerate(items, start=1)]
    folder = files("editplan.evals.rating") / "page"
    style, script = ((folder / name).read_text(encoding="utf-8") for name in ("rating.css", "rating.js"))
    policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
    head = element(
        "head",
        {},
        element("meta", {"charset": "utf-8"}),
        element("meta", {"http-equiv": "Content-Security-Policy", "content": policy}),
        element("meta", {"name": "viewport", "content": "width=device-width, initial-scale=1"}),
        element("title", {}, "Rate the edits"),
        element("style", {}, Html(style)),
    )
    bar = element(
        "header",
        {},
        element("strong", {"id": "progress"}, f"0 of {len(items)} rated"),
        element("button", {"id": "save", "type": "button"}, "Save ratings.csv"),
        element("p", {}, _HOW),
    )
    body = element("body", {"data-top": TOP}, bar, element("main", {}, *cards), element("script", {}, Html(script)))
    return "<!doctype html>\n" + element("html", {"lang": "en"}, head, body) + "\n"


_HOW = (
    "How well does the output do what the goal asks, and leave everything else as it is? 0: not at all, 5: fully. "
    "Keys: 0 to 5 rate, arrow keys move, Backspace takes a rating back. What you have rated is kept in this browser."
)


def _card(number: int, item: Item, images: ImageStore, pictures: dict[str, str]) -> Html:
    sources = [
        _figure(f"source {at}" if len(item.case.request.parts) > 1 else "source", part.media, images, pictures)
        for at, part in enumerate(item.case.request.parts, start=1)
    ]
    buttons = [
        element("button", {"type": "button", "data-rating": value, "aria-pressed": "false"}, str(value))
        for value in range(TOP + 1)
    ]
    return element(
        "section",
        {"data-item": item.item, "tabindex": -1},
        element("h2", {}, f"{number}. ", Html(html.escape(item.case.request.goal))),
        element("div", {"class": "row"}, *sources, _figure("output", item.output, images, pictures)),
        element("p", {"class": "ratings"}, *buttons),
    )


def _figure(caption: str, media: Media, images: ImageStore, pictures: dict[str, str]) -> Html:
    if media.sha256 not in pictures:
        pictures[media.sha256] = _data_url(media, images)
    picture = element("img", {"src": pictures[media.sha256], "alt": caption})
    return element("figure", {}, picture, element("figcaption", {}, caption))


def _data_url(media: Media, images: ImageStore) -> str:
    """The pixels alone, scaled down where they are large: no file name, no metadata."""
    picture = images[media.sha256].pil().convert("RGB")
    picture.thumbnail((SHOWN_PX, SHOWN_PX))
    buffer = io.BytesIO()
    picture.save(buffer, format="PNG")
    return "data:image/png;base64," + base64.b64encode(buffer.getvalue()).decode("ascii")
