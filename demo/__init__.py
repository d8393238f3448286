"""For people: watch an agent do a task, do one yourself, record it, and open the sites in your own browser."""

from .serve import serve
from .show import demo

__all__ = ["demo", "serve"]
