"""Sweeps: plan, run, record, report and prove."""

from .evaluate import Run, evaluate
from .proving import Proof, prove
from .report import write_report

__all__ = ["Proof", "Run", "evaluate", "prove", "write_report"]
