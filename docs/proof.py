"""The page on the proof, made from the summaries that `./run evidence` wrote: of everything, and of mutations alone."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from sitegym import tasks
from sitegym.sweeps.content import template_hashes
from sitegym.sweeps.evidence import fingerprint
from sitegym.sweeps.progress import duration
from sitegym.sweeps.proof import KINDS
from sitegym.sweeps.proof_summary import failures, tallies

FOUND = Path(__file__).parent / "data" / "proof.json"
MUTATIONS = Path(__file__).parent / "data" / "mutations.json"
TITLES = {
    "table": "By table",
    "kind": "By what is done",
    "class": "By class of the column or row",
    "near": "By nearness to what the episode touched",
}


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the page to those on disk."""
    found = json.loads(FOUND.read_text(encoding="utf-8"))
    mutations = json.loads(MUTATIONS.read_text(encoding="utf-8")) if MUTATIONS.exists() else None
    name, _, seed = found["data"].partition(", seed ")
    today = template_hashes(tasks.templates(), data=name, data_seed=int(seed))
    files.append(File.generated(config, "reference/proof.md", content=page(found, mutations, today=today)))
    return files


def page(found: Mapping[str, Any], mutations: Mapping[str, Any] | None = None, *, today: Mapping[str, str]) -> str:
    """The page for a summary; `today` is the content hash of each template in the code that the page is built from.

    `mutations` is the summary of a run that tried nothing else, on more instances than a browser gets through.
    """
    parts = [*_head(found, today), *_matrix(found, today), *_mutants(mutations or found, today)]
    return "\n".join([*parts, *_constants(found, today)]) + "\n"


def _head(found: Mapping[str, Any], today: Mapping[str, str]) -> Iterator[str]:
    broken = failures(found)
    yield from ("# What is proven", "")
    yield "Every number here was computed by `sitegym prove`; [Verdict](../concepts/verdict.md) says what is judged."
    yield "A template's content hash is over its code, the verifiers and the baseline, and not over other templates, so"
    yield "one that was mended is proven again alone."
    yield from _warning(found, today)
    yield from ("", "| | |", "|---|---|")
    yield f"| proven of | {_dated(found, today)} |"
    yield f"| data | {found['data']} |"
    count = sum(one["instances"] for one in found["templates"].values())
    yield f"| instances | {count:,} of {len(found['templates'])} templates, no two with the same outcome |"
    yield from (f"| took | {_took(run)} |" for run in found["runs"])
    yield f"| broken promises | {len(broken)} |"
    yield ""
    yield from (f"- {sentence}" for sentence in broken)
    yield from ("", "To make it anew: `./run evidence proof mutations`, with `--changed` for what is older alone.", "")


def _warning(found: Mapping[str, Any], today: Mapping[str, str]) -> Iterator[str]:
    """Which templates are no longer as they were, or are new."""
    old = [task for task, one in found["templates"].items() if today.get(task) != one["content"]]
    if old:
        yield from (
            "",
            f"**Proven of other content than today's:** {_listed(old)}. They, the verifiers or the data have",
        )
        yield "changed since: what follows is about them as they were."
    if new := sorted(set(today) - set(found["templates"])):
        yield from ("", f"**Not proven yet:** {_listed(new)}.")


def _listed(tasks: Iterable[str]) -> str:
    return ", ".join(f"`{task}`" for task in tasks)


def _dated(found: Mapping[str, Any], today: Mapping[str, str]) -> str:
    """The content hash over all templates, and how it stands to today's."""
    then = {task: one["content"] for task, one in found["templates"].items()}
    same = sum(today.get(task) == content for task, content in then.items())
    if same == len(then) == len(today):
        return f"content `{fingerprint(then)[:16]}`, the same as this documentation"
    return f"content `{fingerprint(then)[:16]}`; {same} of {len(today)} templates are today as they were then"


def _took(run: Mapping[str, Any]) -> str:
    time, played = duration(run["seconds"]), f"{run['day']}, commit `{run['commit'][:12]}`"
    if not run["instances"]:
        return f"{time}: constant policies alone ({played})"
    count = "one template" if run["templates"] == 1 else f"{run['templates']} templates"
    work = f"{duration(run['work_seconds'])} of work"
    return f"{time} with {run['workers']} workers: {run['instances']:,} instances of {count} ({work}; {played})"


def _matrix(found: Mapping[str, Any], today: Mapping[str, str]) -> Iterator[str]:
    tried = [kind for kind in KINDS if any(one["kept"][kind][1] for one in found["templates"].values())]
    yield from ("## Promises by template", "")
    yield "Kept of tried; of mutations, the kill rate. The service oracle makes two promises in each instance: that it"
    yield "earns 1, and that it leaves the same as the oracle in the browser."
    yield ""
    yield f"| template | instances | {' | '.join(KINDS[kind] for kind in tried)} | content |"
    yield f"|---|---:|{'---:|' * len(tried)}---|"
    for task, one in found["templates"].items():
        cells = " | ".join(_cell(kind, *one["kept"][kind]) for kind in tried)
        content = f"`{one['content'][:8]}`" + ("" if one["content"] == today.get(task) else " (older)")
        yield f"| {task.partition('/')[2]} | {one['instances']} | {cells} | {content} |"
    yield ""


def _cell(kind: str, kept: int, count: int) -> str:
    if not count:
        return "–"
    return f"{_percent(kept, count)} of {count:,}" if kind == "mutation" else f"{kept}/{count}"


def _mutants(found: Mapping[str, Any], today: Mapping[str, str]) -> Iterator[str]:
    yield from ("## Mutations", "")
    yield "After a right episode the database is altered: a row deleted, inserted or swapped with another, a value"
    yield "shifted by its smallest step, emptied, put back to what it was or swapped with another row's. Each has to be"
    yield "refused for a reason that names the table, the row and the column, unless a rule allows it: a volatile"
    yield "value, a row of a log, a preference, what the task leaves open. What the schema refuses is not counted."
    if found["only_mutations"]:
        yield from _by_template(found, today)
    for sort, title in TITLES.items():
        yield from ("", f"### {title}", "", "| | had to be refused | refused by name | kill rate | allowed |")
        yield "|---|---:|---:|---:|---:|"
        for name, counts in tallies(found, sort).items():
            wrong = counts.get("refused", 0) + counts.get("survived", 0)
            kept = counts.get("refused", 0) - counts.get("unnamed", 0)
            rate = _percent(kept, wrong) if wrong else "–"
            yield f"| {name} | {wrong:,} | {kept:,} | {rate} | {counts.get('allowed', 0):,} |"
    yield ""


def _by_template(found: Mapping[str, Any], today: Mapping[str, str]) -> Iterator[str]:
    """A run of mutations alone: what it was of, and its kill rates."""
    broken = failures(found)
    yield from (
        "",
        "Those above were mutated after what the browser leaves, these after what the service oracle leaves.",
    )
    yield from _warning(found, today)
    yield from ("", "| | |", "|---|---|", f"| mutated | {_dated(found, today)} |")
    yield from (f"| took | {_took(run)} |" for run in found["runs"])
    yield from ("", f"Broken promises: {len(broken)}.", "")
    yield from (f"- {sentence}" for sentence in broken)
    yield from ("", "### By template", "", "| template | instances | mutants that had to be refused | kill rate |")
    yield "|---|---:|---:|---:|"
    for task, one in found["templates"].items():
        kept, count = one["kept"]["mutation"]
        rate = _percent(kept, count) if count else "–"
        yield f"| {task.partition('/')[2]} | {one['instances']} | {count:,} | {rate} |"


def _percent(kept: int, count: int) -> str:
    """Rounded towards what is missing, so that 100 % means all."""
    return "100 %" if kept == count else f"{int(10_000 * kept / count) / 100:.2f} %"


def _constants(found: Mapping[str, Any], today: Mapping[str, str]) -> Iterator[str]:
    told = found["constants"]
    if not told:
        return
    yield from ("## Constant policies", "")
    where = f"the first {told['seeds']} seeds of each template and split" if told["seeds"] else "all there is"
    yield f"Policies that do the same whatever they are asked for, on {where}. They must earn nothing where something"
    yield "is to be changed or opened, and no pair of twins. What the best earns on single instances is chance:"
    if told["content"] != fingerprint(dict(today)):
        yield from ("", f"These were tried on the content `{told['content'][:16]}`, not on today's.")
    yield from ("", "| split | policy | instances | earned | share | pairs of twins | both right |")
    yield "|---|---|---:|---:|---:|---:|---:|"
    for scope, best in told["best"].items():
        share = f"{100 * best['earned'] / best['instances']:.2f} %" if best["instances"] else "–"
        numbers = f"{best['instances']:,} | {best['earned']:,} | {share} | {best['pairs']:,} | {best['pairs_earned']:,}"
        yield f"| {scope} | {_cell_text(best['policy'])} | {numbers} |"
    yield from ("", f"### All {len(told['policies'])} policies", "")
    yield from ("| policy | earned | share | both twins right |", "|---|---:|---:|---:|")
    for name, scopes in sorted(told["policies"].items(), key=lambda one: (-one[1]["all"]["earned"], one[0])):
        every = scopes["all"]
        share = f"{100 * every['earned'] / max(1, every['instances']):.2f} %"
        yield f"| {_cell_text(name)} | {every['earned']:,} | {share} | {every['pairs_earned']:,} |"
    yield ""


def _cell_text(text: str) -> str:
    """A text that may hold what Markdown would take for the end of a cell."""
    return text.replace("|", "\\|").replace("\n", " ")
