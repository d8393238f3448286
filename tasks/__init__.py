"""Tasks: templates with instances from the database, what each must leave behind, how to do it and how to miss it."""

from .page import Attempt, Move, Moves, Page
from .registry import match, template, templates
from .sampling import sample
from .splits import SPLITS, split_of, split_of_data_seed, split_of_template
from .task import Task, outcomes, task
from .template import Call, Kind, NearMiss, Params, Template

__all__ = [
    "SPLITS",
    "Attempt",
    "Call",
    "Kind",
    "Move",
    "Moves",
    "NearMiss",
    "Page",
    "Params",
    "Task",
    "Template",
    "match",
    "outcomes",
    "sample",
    "split_of",
    "split_of_data_seed",
    "split_of_template",
    "task",
    "template",
    "templates",
]
