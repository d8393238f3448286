"""An attempt played and recorded in the results, whoever makes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import EnvironmentFault, VerifierError
from ..sweeps.faults import fault_of
from ..sweeps.files import read_json, write_json
from ..sweeps.plan import EpisodeSpec
from ..sweeps.play import NOBODY, Audience, play
from ..sweeps.results import EpisodeResult, Fault, Status
from ..sweeps.trajectory import read_trajectory
from ..sweeps.versions import versions
from .places import Pack

if TYPE_CHECKING:
    from ..agents import Agent
    from ..envs.host import BrowserHost
    from ..sites.world.client import World

STEPS = 300
"""Steps of an attempt: whether an intent is understood does not depend on how short the way is."""


def spec_of(pack: Pack, name: str, solver: str) -> EpisodeSpec:
    """What is played under this name."""
    key = pack.key()
    one = key["attempts"][name]
    return EpisodeSpec(
        id=name,
        task=one["task"],
        task_seed=one["seed"],
        agent=solver,
        data=key["data"],
        data_seed=key["data_seed"],
        split=key["split"],
        max_steps=STEPS,
    )


def recorded(
    pack: Pack, spec: EpisodeSpec, host: BrowserHost, world: World, agent: Agent, audience: Audience = NOBODY
) -> EpisodeResult:
    """Play, and leave the record with `result.json` in the results; an interrupted attempt before is set aside."""
    set_aside(pack, spec.id)
    folder = pack.attempt(spec.id)
    about = versions()
    try:
        result = play(spec, host, world, folder, versions=about, agent=agent, audience=audience)
    except (EnvironmentFault, VerifierError) as error:
        fault = Fault(cause=fault_of(error)["cause"], message=str(error), attempt=1)
        result = EpisodeResult(
            id=spec.id,
            task=spec.task,
            task_seed=spec.task_seed,
            agent=spec.agent,
            status=Status.FAULT,
            reason=f"{fault.cause}: {fault.message}",
            faults=(fault,),
            versions=about,
        )
    folder.mkdir(parents=True, exist_ok=True)
    write_json(folder / "result.json", {**result.to_json(), "abandoned": bool(getattr(agent, "abandoned", False))})
    return result


def solver_before(pack: Pack, name: str) -> str:
    """Who made the attempt that was interrupted; empty where nothing is known of one."""
    path = pack.attempt(name) / "trajectory.json"
    if not path.is_file():
        return ""
    return str(read_trajectory(path)["agent"]["name"])


def finished(pack: Pack, name: str) -> bool:
    """Whether an attempt was ended by its solver and graded: then it counts, whatever came of it."""
    result = read_json(pack.attempt(name) / "result.json")
    return bool(result["reward"] is not None and result["status"] == "finished")


def set_aside(pack: Pack, name: str) -> None:
    """Move what an attempt has left out of the way, so that it can be made anew."""
    folder = pack.attempt(name)
    if not folder.exists():
        return
    number = 1
    while (to := pack.results / "set-aside" / f"{name}.{number}").exists():
        number += 1
    folder.rename(to)
