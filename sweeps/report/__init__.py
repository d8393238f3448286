"""The HTML report of a run: pages that open from disk and show why each episode earned what it did."""

from .comparison import write_comparison
from .single import write_single_report
from .writing import BrokenEvidence, write_overview, write_report

__all__ = ["BrokenEvidence", "write_comparison", "write_overview", "write_report", "write_single_report"]
