"""The commands of the command line that are about sweeps: eval, merge, verify, rescore, report."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from ..envs.kinds import KINDS
from ..errors import UsageError
from .options import Measure, Numbers, database_option, many_options, refuse_beside, typed, workers_option
from .runtime import RUNTIME, runtime_options, take_runtime

SPENT = Measure()
OF_A_SESSION = (
    "workers",
    "at_once",
    "model_calls",
    "gradings",
    "headed",
    "engine",
    "ray_address",
    "database",
    *RUNTIME,
)
"""Options of `eval` that say how a run is played, not what: another session of it may have others."""


@click.command(
    name="eval",
    epilog="\b\nExample:\n  sitegym eval --agent oracle --task 'store.admin/*' --instances 2\n"
    "  sitegym eval plan.toml --shard 3/8 --out runs/shard-3",
)
@click.argument("plan", required=False, type=click.Path(path_type=Path))
@click.option(
    "--agent", "-a", "agents", multiple=True, help="oracle, random, noop, llm:model=…, module:name …; repeat for more."
)
@many_options(instances=1)
@database_option
@click.option("--set", "task_set", metavar="SET", help="A frozen task set instead, as core, or the path of its file.")
@click.option("--set-key-file", type=click.Path(path_type=Path, dir_okay=False), help="The key of a sealed set.")
@click.option("--seeds", type=Numbers(), help="These seeds instead, as 0-4,7.")
@click.option(
    "--repeats", "-r", type=click.IntRange(min=1), default=1, show_default=True, help="Plays of each instance."
)
@click.option("--shard", metavar="K/N", help="Play part K of N of the plan; `merge` puts the parts together.")
@click.option("--split", help="train, validation or test; all without it.")
@click.option("--max-steps", type=click.IntRange(min=1), help="Steps an episode may take; each task's own without it.")
@click.option("--max-seconds", type=SPENT, help="Seconds an agent may take for an episode.")
@click.option("--max-tokens", type=click.IntRange(min=1), help="Tokens its model may read and write for an episode.")
@click.option("--max-cost", "max_cost_usd", type=SPENT, metavar="USD", help="US dollars an episode may cost.")
@click.option(
    "--grading-seconds", type=SPENT, default=120, show_default=True, help="Seconds that grading may take beside."
)
@click.option(
    "--at-once", "-k", type=click.IntRange(min=1), default=1, show_default=True, help="Episodes in each browser."
)
@click.option("--model-calls", type=click.IntRange(min=1), help="Calls of models at a time, over all workers.")
@click.option("--gradings", type=click.IntRange(min=1), help="Gradings at a time, over all workers.")
@click.option(
    "--engine",
    type=click.Choice(["local", "ray"]),
    default="local",
    show_default=True,
    help="Where workers run: on this machine, or in a Ray cluster.",
)
@click.option("--ray-address", metavar="ADDRESS", help="A running Ray cluster to join, as auto or 10.0.0.1:6379.")
@click.option(
    "--observations", "-o", multiple=True, type=click.Choice([*KINDS]), metavar="KIND",
    help="Show agents this beside tree and picture: " + ", ".join(name for name in KINDS) + "; repeat for more.",
)  # fmt: skip
@click.option("--resume", type=click.Path(path_type=Path), metavar="RUN", help="Complete this run, as it was planned.")
@runtime_options
@click.pass_context
def evaluate_command(context: click.Context, /, plan: Path | None, headed: bool, **options: Any) -> int:
    """Let agents do tasks; print the table and write a report.

    Without options: oracle, random and noop over every template. PLAN is a TOML file with what to play (agents, tasks,
    instances, repeats …); options that are typed count instead of what it says.

    Exit code 0 where every planned episode has a verdict, passed or failed; 1 where some have none, which --resume
    plays once more; 2 for a wrong call; 130 after Ctrl-C.
    """
    from ..sweeps import evaluate

    if options["resume"] is not None:
        refuse_beside(context, "resume", OF_A_SESSION)
    options["runtime"] = take_runtime(options)
    if plan is not None:
        from ..sweeps.plan_file import read_plan

        if options["resume"] is not None:
            raise UsageError("a run that is resumed has its plan; leave the plan file or --resume out")
        options = {**options, **{n: v for n, v in read_plan(plan).items() if n not in options or not typed(context, n)}}
    for name in ("agents", "tasks"):
        if not options[name]:
            del options[name]
    return evaluate(headless=not headed, **options).exit_code


@click.command(epilog="\b\nExample:\n  sitegym merge runs/shard-1 runs/shard-2 --out runs/whole")
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="RUN…")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Folder of the run that holds them all.")
def merge(runs: Sequence[Path], out: Path) -> None:
    """Put runs of one plan together: shards, or one run that was continued in two places.

    Refuses runs of different plans, and the same episode with two different results.
    """
    from ..sweeps.ending import conclude
    from ..sweeps.merge import merge as merge_runs

    conclude(merge_runs(runs, out))


@click.command(epilog="\b\nExample:\n  sitegym verify runs/2026-03-18-1000")
@click.argument("run", type=click.Path(path_type=Path))
@workers_option
@click.option(
    "--at-once", "-k", type=click.IntRange(min=1), default=1, show_default=True, help="Episodes in each browser."
)
@database_option
@runtime_options
def verify(run: Path, **options: Any) -> int:
    """Play the recorded actions of a run again, without its agents, and compare.

    Each observation, the difference of the database and the verdict must come out as they were recorded. Says the share
    that did, and where the others first differ; exit code 1 where there are others.
    """
    from ..sweeps.verify import verify as verify_run

    options["runtime"] = take_runtime(options)
    return verify_run(run, **options).exit_code


@click.command(epilog="\b\nExample:\n  sitegym rescore runs/2026-03-18-1000")
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--other-versions", is_flag=True, help="Grade also where a task asks for something else today.")
def rescore(run: Path, other_versions: bool) -> int:
    """Grade the databases that a run left by the verifiers of today, and say what changed.

    The results of the run stay as they are. Refuses where a task asks for something else than when it was played.
    """
    from ..sweeps.rescore import rescore as rescore_run

    return rescore_run(run, other_versions=other_versions).exit_code


@click.command(epilog="\b\nExample:\n  sitegym draft runs/mine/episodes/store.admin.cancel-order-3-human")
@click.argument("episode", type=click.Path(path_type=Path))
def draft(episode: Path) -> None:
    """Print the moves of a recorded EPISODE, a folder of a run, as the draft of an oracle.

    Elements are found by role and name, and what the instance's parameters say stands there as `p.name`.
    """
    from .. import tasks
    from ..agents.draft import draft as drafted
    from ..sweeps.trajectory import read_trajectory

    recording = read_trajectory(episode / "trajectory.json")
    told = recording["extra"]
    about = {name: told[name] for name in ("data", "data_seed", "split")}
    click.echo(drafted(recording, tasks.task(told["task"], told["task_seed"], **about).params), nl=False)


@click.command(
    epilog="\b\nExample:\n  sitegym report runs/2026-03-18-1000\n  sitegym report runs/before runs/after --single-file"
)
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="RUN…")
@click.option("--single-file", is_flag=True, help="Write one HTML file with all in it, pictures and all.")
@click.option("--no-pictures", is_flag=True, help="Leave the pictures out of that file.")
@click.option(
    "--out", type=click.Path(path_type=Path), metavar="FILE", help="The file to write; of several runs, the comparison."
)
@click.option(
    "--other-versions", is_flag=True, help="Compare also what was played on other data or asks for other things."
)
def report(runs: Sequence[Path], **options: Any) -> None:
    """Write a run's HTML report anew and print its path.

    Of several runs each has its report, and one page compares them: a paired test of the difference, and the instances
    that came out differently; with --single-file the reports are in that page. Refuses to compare runs on other data or
    with other tasks.
    """
    from ..sweeps.report.command import write_reports

    for path in write_reports(runs, **options):
        click.echo(path)
