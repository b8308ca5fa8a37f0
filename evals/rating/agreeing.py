"""Ratings from CSV files, and the agreement of their raters."""

from __future__ import annotations

import csv
import math
from collections.abc import Mapping
from itertools import combinations
from pathlib import Path
from statistics import fmean

from editplan.errors import ConfigError, DatasetError
from editplan.evals.agreement import PairAgreement, krippendorff_alpha, model_rank_tau, pair_agreement
from editplan.records import Record

Key = tuple[str, str]
"""Item and model; the model is empty where a file names none."""
Ratings = Mapping[Key, float | None]
_ITEM, _RATING, _MODEL = ("item", "case_id", "id", "uid"), ("rating", "score"), ("model", "condition", "arm")


class RaterPair(Record):
    """Two raters."""

    a: str
    b: str
    agreement: PairAgreement
    model_tau: float | None
    """Kendall's tau-b of the models' mean ratings over the items that both rated; None below two models."""


class RaterAgreement(Record):
    """All raters."""

    raters: tuple[str, ...]
    items: int
    """Items that at least one of them rated."""
    pairs: tuple[RaterPair, ...]
    alpha: float | None
    """Krippendorff's, interval, over all raters and whatever each of them rated."""


def read_ratings(path: Path) -> dict[Key, float | None]:
    """A rater's file: columns item (or case_id, id, uid), rating (or score), and model (or condition) if there are
    several. An empty rating is a missing one. Raises `DatasetError` with file and line.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = csv.DictReader(file)
            names = {name.strip().lower(): name for name in rows.fieldnames or ()}
            item, rating = _column(path, names, _ITEM), _column(path, names, _RATING)
            model = next((names[name] for name in _MODEL if name in names), None)
            found: dict[Key, float | None] = {}
            for row in rows:
                key = (row[item] or "").strip(), (row[model] or "").strip() if model else ""
                if key in found:
                    raise DatasetError(f"{path}:{rows.line_num}: {' '.join(key)} is rated twice")
                found[key] = _number(path, rows.line_num, row[rating])
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise DatasetError(f"{path} can't be read: {error}") from error
    return found


def _column(path: Path, names: Mapping[str, str], wanted: tuple[str, ...]) -> str:
    for name in wanted:
        if name in names:
            return names[name]
    raise DatasetError(f"{path} has no column {' or '.join(wanted)}; it has: {', '.join(names) or 'none'}")


def _number(path: Path, line: int, text: str | None) -> float | None:
    if text is None or not text.strip():
        return None
    try:
        value = float(text)
    except ValueError as error:
        raise DatasetError(f"{path}:{line}: {text!r} is no rating: give a number, or leave it empty") from error
    if not math.isfinite(value):
        raise DatasetError(f"{path}:{line}: {text!r} is no rating: give a finite number, or leave it empty")
    return value


def agreement_of(raters: Mapping[str, Ratings]) -> RaterAgreement:
    """All figures for two or more raters. Raises `ConfigError` for fewer, or for raters without a common item."""
    if len(raters) < 2:
        raise ConfigError("agreement needs two raters whose files have different names")
    keys = sorted(set().union(*raters.values()))
    columns = {name: [ratings.get(key) for key in keys] for name, ratings in raters.items()}
    pairs = []
    for a, b in combinations(raters, 2):
        agreement = pair_agreement(columns[a], columns[b])
        if not agreement.n:
            raise ConfigError(f"{a} and {b} rated no item in common: items are matched by their ids")
        pairs.append(RaterPair(a=a, b=b, agreement=agreement, model_tau=_model_tau(raters[a], raters[b])))
    alpha = krippendorff_alpha(list(columns.values()))
    return RaterAgreement(raters=tuple(raters), items=len(keys), pairs=tuple(pairs), alpha=alpha)


def _model_tau(a: Ratings, b: Ratings) -> float | None:
    """Over the items that both rated, so that missing ratings don't decide the order."""
    shared = [key for key in a if a[key] is not None and b.get(key) is not None]
    return model_rank_tau(_means(a, shared), _means(b, shared))


def _means(ratings: Ratings, keys: list[Key]) -> dict[str, float]:
    by_model: dict[str, list[float]] = {}
    for key in keys:
        value = ratings[key]
        if value is not None:
            by_model.setdefault(key[1], []).append(value)
    return {model: fmean(values) for model, values in by_model.items()}
