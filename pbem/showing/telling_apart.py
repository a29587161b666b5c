"""Whether one of two is stronger, tested deal by deal, so that it ends as soon as it is known.

A deal counts by the mean of its paired differences: the points of a seat played by the first, less those of the same
seat played by the second, the others being who they are. Two sequential tests run at once (GSPRT, the deviation being
estimated): is the first ahead by at least a quarter of the deviation of a deal, or not at all; and is the second.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, inf, log, sqrt
from statistics import fmean
from typing import Literal

AHEAD = 0.25
"""The smallest advantage that is looked for, in deviations of a deal."""

ERROR = 0.01
"""How often a test may be wrong."""

BOUND = log((1 - ERROR) / ERROR)

LEAST = 16
"""With fewer deals the deviation is not known well enough."""

SURE = 1.96
"""So many deviations to either side hold nineteen of twenty."""

Verdict = Literal["first", "second", "even", "open"]


def verdict(differences: Sequence[float]) -> Verdict:
    """Who is stronger by these differences, or that neither is, or that it is still open."""
    count = len(differences)
    if count < LEAST:
        return "open"
    mean, spread = fmean(differences), deviation(differences)
    # Where all deals are alike, any difference at all is certain.
    lead = mean / spread if spread else mean * inf if mean else 0.0
    first, second = (count * AHEAD * (each - AHEAD / 2) for each in (lead, -lead))
    if first >= BOUND:
        return "first"
    if second >= BOUND:
        return "second"
    return "even" if max(first, second) <= -BOUND else "open"


def deviation(values: Sequence[float]) -> float:
    """How much values vary, as far as these tell."""
    mean = fmean(values)
    return sqrt(fsum((value - mean) ** 2 for value in values) / (len(values) - 1))


def interval(values: Sequence[float]) -> float:
    """How far to either side of the mean the true one is, nineteen times of twenty; nothing is known by one value."""
    return SURE * deviation(values) / sqrt(len(values)) if len(values) > 1 else 0.0
