"""The HTML report of a run: pages that open from disk and show why each episode earned what it did."""

from .writing import BrokenEvidence, write_overview, write_report

__all__ = ["BrokenEvidence", "write_overview", "write_report"]
