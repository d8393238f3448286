"""The folder that a sweep begins or continues in: made for a plan, or opened and refused where it would not fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from ..errors import UsageError
from ..sites.world.baseline import baseline
from .plan import Plan, about_templates, site_of
from .run_folder import RunFolder
from .shards import Shard, part_of


def begin_run(
    plan: Plan,
    *,
    versions: Mapping[str, str],
    out: Path | str | None = None,
    name: str | None = None,
    screenshots: bool,
    observations: Sequence[str] = (),
    shard: Shard | None = None,
    **more: Any,
) -> RunFolder:
    """Make the folder of a run: `out`, else `runs/<name or time>`; of a shard it holds the part to play.

    `more` is kept with the settings. Raises `UsageError` where it can't be made.
    """
    settings = {"screenshots": screenshots, "observations": list(observations), **more}
    hashes = baselines(plan)
    part, whole = part_of(plan, shard, {"settings": settings, "hashes": hashes})
    return RunFolder.create(
        run_path(out, name),
        part,
        created=datetime.now().astimezone().isoformat(timespec="seconds"),
        versions=dict(versions),
        plan_of=whole,
        settings=settings,
        hashes=hashes,
        templates=about_templates(part.tasks),
        state="running",
    )


def continue_run(path: Path) -> RunFolder:
    """The run in `path`; raises `UsageError` where it can't go on as it began."""
    folder = RunFolder.open(path)
    if folder.complete:
        return folder  # nothing will be played, so nothing can be played wrongly
    check_playable(folder)
    return folder


def check_playable(folder: RunFolder, *, agents: bool = True) -> None:
    """Raise `UsageError` where a run's episodes can't be played here, or would be on other data; see `Plan.check`."""
    try:
        folder.plan.check(agents=agents)  # `run.json` may have been edited: refuse at once what no worker could play
    except UsageError as error:
        raise UsageError(f"{folder.path / 'run.json'} can't be played: {error}") from error
    same_world(folder)


def run_path(out: Path | str | None, name: str | None) -> Path:
    """Where a run goes."""
    if out is not None:
        return Path(out)
    if name is not None and (not name or Path(name).name != name or name in {".", ".."}):
        raise UsageError(f"{name!r} is no name for a run; use one word without slashes, or give the folder with --out")
    return Path("runs") / (name or datetime.now().strftime("%Y-%m-%d-%H%M%S"))


def baselines(plan: Plan) -> dict[str, str]:
    """Logical hash of the baseline of every site in the plan (built here if it is not there yet)."""
    first = {site_of(spec.task): spec for spec in reversed(plan.episodes)}
    return {site: baseline(site=site, data=spec.data, seed=spec.data_seed).hash for site, spec in first.items()}


def same_world(folder: RunFolder) -> None:
    """Refuse to mix episodes of two worlds in one run."""
    recorded, today = folder.manifest.get("hashes", {}), baselines(folder.plan)
    for site, expected in recorded.items():
        if today.get(site) != expected:
            raise UsageError(
                f"{folder.path} began on another {site} (baseline {expected[:12]}, now {str(today.get(site))[:12]}); "
                "its episodes would not compare with new ones; begin a new run"
            )
