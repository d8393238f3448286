"""Judging an episode by its database: snapshots, their difference, expectations, typed answers and verdicts."""

from .diff import Diff, TableDiff, diff, plain_diff
from .expectation import Deleted, Expectation, Inserted, Ordered, Part, Summed, Updated
from .grade import grade
from .matchers import ANYTHING, PRESENT, Containing, Given, New, OneOf
from .outcomes import DONE, INVALID_INPUT, NOT_ALLOWED, NOT_FOUND, OUTCOMES, PERMISSION_DENIED, Finish
from .progress import Progress, progress
from .snapshot import Row, Snapshot
from .verdict import Check, Damage, Verdict
from .views import ViewExpectation

__all__ = [
    "ANYTHING",
    "DONE",
    "INVALID_INPUT",
    "NOT_ALLOWED",
    "NOT_FOUND",
    "OUTCOMES",
    "PERMISSION_DENIED",
    "PRESENT",
    "Check",
    "Containing",
    "Damage",
    "Deleted",
    "Diff",
    "Expectation",
    "Finish",
    "Given",
    "Inserted",
    "New",
    "OneOf",
    "Ordered",
    "Part",
    "Progress",
    "Row",
    "Snapshot",
    "Summed",
    "TableDiff",
    "Updated",
    "Verdict",
    "ViewExpectation",
    "diff",
    "grade",
    "plain_diff",
    "progress",
]
