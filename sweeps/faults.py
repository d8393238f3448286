"""What an error makes of an episode: whose fault it was, by a machine-readable name, and whether to try again."""

from __future__ import annotations

from typing import Any

from ..errors import EnvironmentFault, UsageError, VerifierError
from ..verifiers import Verdict


def fault_of(error: BaseException) -> dict[str, Any]:
    """Cause of a fault, whether a second try may help, and, where the error does not tell by itself, what it was."""
    match error:
        case EnvironmentFault():
            return {"cause": error.cause, "retry": error.retry}
        case VerifierError():
            return {"cause": "verifier_raised", "retry": False}
        case UsageError():
            return {"cause": "impossible_plan", "retry": False}
        case _:
            return {"cause": "harness_raised", "retry": True, "message": f"{type(error).__name__}: {error}"}


def unscored(error: BaseException) -> dict[str, Any]:
    """What stands in `verdict.json` after a fault: no reward, the reason and its cause."""
    fault = {"message": str(error), **fault_of(error)}
    return without_reward(fault["cause"], fault["message"])


def without_reward(cause: str, message: str) -> dict[str, Any]:
    """The same of a fault that is known by cause and message."""
    return {**Verdict.unscored(f"{cause}: {message}").to_json(), "cause": cause}
