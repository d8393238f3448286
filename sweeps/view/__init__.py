"""The report of a run, live: what `sitegym view` serves while a sweep runs, and after."""

from .serving import view

__all__ = ["view"]
