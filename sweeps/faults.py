"""How episodes end other than by the agent's `finish`, in one table: what it is called, and what a sweep does then.

A fault is never a reward of 0: it is not graded, and counts for or against nobody. What counts is what an agent did
with the means that it was given, so an episode that ended in its budget is graded, and has reward 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..errors import EnvironmentFault, UsageError, VerifierError, out_of_disk
from ..verifiers import Verdict


@dataclass(frozen=True)
class Cause:
    """One way to end, and what follows from it."""

    name: str
    meaning: str
    retry: bool = True
    """The episode is played once more in the same sweep; `--resume` plays every fault once more anyway."""
    graded: bool = False
    """The database is graded, for the record."""
    counts: bool = False
    """It counts as an episode that the agent failed."""
    renew: bool = False
    """Browser and world server are thrown away before the next episode."""
    stops: bool = False
    """The sweep stops; what is not over can be resumed."""


def _fault(name: str, meaning: str, retry: bool = True, *, renew: bool = False, stops: bool = False) -> Cause:
    return Cause(name, meaning, retry, renew=renew, stops=stops)


def _budget(name: str, meaning: str) -> Cause:
    return Cause(name, meaning, retry=False, graded=True, counts=True)


_ALL = (
    _budget("budget_steps", "the agent used up its steps"),
    _budget("budget_time", "the agent used up its wall-clock time"),
    _budget("budget_tokens", "the agent used up its tokens"),
    _budget("budget_cost", "the agent used up its money"),
    _budget("context_length", "what the model was to read does not fit its context"),
    _fault("browser_died", "the browser's process ended", renew=True),
    _fault("browser_failed", "the browser refused what it must be able to do", renew=True),
    _fault("browser_start", "no browser starts", retry=False, renew=True),
    _fault("page_crashed", "the page's process ended"),
    _fault("page_hangs", "a page never settled: it answered nothing any more"),
    _fault("download_hangs", "a download never ended"),
    _fault("no_tab", "no tab was left to act in"),
    _fault("no_references", "the page gave no references"),
    _fault("start_page", "the page that the episode begins with does not open"),
    _fault("server_died", "the world server's process ended", renew=True),
    _fault("server_hung", "the world server does not answer", renew=True),
    _fault("server_error", "the world server failed at what the harness asked for", renew=True),
    _fault("server_unreachable", "a world server elsewhere can't be reached, or does not answer as one", renew=True),
    _fault("server_lost", "the connection to a world server elsewhere was lost", renew=True),
    _fault("server_full", "a world server elsewhere has as many harnesses as it takes", renew=True),
    _fault("container_died", "a container ended in the middle of its work", renew=True),
    _fault("container_failed", "the container engine failed at what it was asked for", renew=True),
    _fault("engine_hung", "the container engine does not answer", renew=True),
    _fault("site_unreachable", "the site is down: it does not answer", renew=True),
    _fault("site_error", "the site failed to answer a request"),
    _fault("lost_view", "the world forgot a page that it had shown"),
    _fault("no_port", "no port was free for a world", renew=True),
    _fault("database_lost", "the database server can't be reached, or broke off", renew=True),
    _fault("database_refused", "the database server refused role, password or right", retry=False, stops=True),
    _fault("database_crowded", "the database server had no connection left for too long", renew=True),
    _fault("database_failed", "the database server failed at what the world server asked for", renew=True),
    _fault("build_failed", "the data of a world could not be generated", retry=False),
    _fault("cache_broken", "the cache of baselines can't be used", retry=False),
    _fault("cache_locked", "another process held the cache of baselines for too long"),
    _fault("baseline_changed", "somebody changed the baseline that is compared with", renew=True),
    _fault("restore_differs", "a checkpoint led elsewhere when it was restored", retry=False),
    _fault("snapshot_unreadable", "the frozen database can't be read"),
    _fault("verifier_raised", "the verifier or the task's template raised", retry=False),
    _fault("grading_timed_out", "grading took longer than its allowance"),
    _fault("no_verdict", "the episode ended without a verdict"),
    _fault("agent_raised", "the agent's own code raised"),
    _fault("replay_diverged", "a page was not as in the recording that is played again", retry=False),
    _fault("no_recording", "there is no recording to play again", retry=False),
    _fault("model_unreachable", "the model's server could not be reached, or failed, at every try"),
    _fault("model_refused", "the model's server refused the call, the key or the name of the model", retry=False),
    _fault("no_usage", "the model's server tells no usage, which a budget needs", retry=False),
    _fault("worker_killed", "the worker's process ended"),
    _fault("node_lost", "the worker's node was lost, or its actor there; not counted as a try, up to five times"),
    _fault("worker_start", "worker processes do not start", retry=False, stops=True),
    _fault("timed_out", "nothing came of the episode for too long"),
    _fault("neighbour_hung", "the worker was ended because another episode in it hung; not counted as a try"),
    _fault("out_of_disk", "the disk is full", retry=False, stops=True),
    _fault("impossible_plan", "the plan names what there is not", retry=False),
    _fault("cancelled", "the episode was cancelled while it ran"),
    _fault("closed", "the episode or its browser was closed while it ran", renew=True),
    _fault("died_between", "the browser died between two episodes", renew=True),
    _fault("harness_raised", "the harness itself raised", renew=True),
    _fault("unknown", "a fault without a name", renew=True),
)
CAUSES = {cause.name: cause for cause in _ALL}
"""Every cause by name."""
ATTEMPTS = 2
"""How often an episode is played at most in one sweep, where its faults are worth a retry."""
NODES_LOST = 5
"""How many nodes may be lost under an episode in one sweep before a further one counts as a try: it may be why."""


def cause_of(name: str) -> Cause:
    """What is known of a cause; of a name that is not in the table as little as of one that is unknown."""
    return CAUSES.get(name, CAUSES["unknown"])


def fault_of(error: BaseException) -> dict[str, Any]:
    """Cause of a fault, whether a second try may help, and, where the error does not tell by itself, what it was."""
    if out_of_disk(error) and getattr(error, "cause", None) != "out_of_disk":  # whoever gave it the cause says which
        return {"cause": "out_of_disk", "retry": False, "message": f"the disk is full: {error}"}
    match error:
        case EnvironmentFault():
            return {"cause": error.cause, "retry": error.retry and cause_of(error.cause).retry}
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


def as_markdown() -> str:
    """The table, as the guide shows it."""
    head = ("| cause | what happened | played again | graded | counts |", "|---|---|---|---|---|")
    yes = {True: "yes", False: "no"}
    rows = (f"| `{c.name}` | {c.meaning} | {yes[c.retry]} | {yes[c.graded]} | {yes[c.counts]} |" for c in _ALL)
    return "\n".join((*head, *rows))
