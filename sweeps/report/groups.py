"""Success by kind of task and by tag: what an agent can't do, rather than where it failed."""

from __future__ import annotations

from dataclasses import dataclass

from ...tasks import tags
from ..results import EpisodeResult
from ..run_folder import RunFolder
from ..table import Line, line_of


@dataclass(frozen=True)
class About:
    """What a run knows of one template."""

    kind: str = ""
    tags: tuple[str, ...] = ()


@dataclass(frozen=True)
class Group:
    """One row of the table: a kind or a tag, in words, with a line for each agent."""

    code: str
    words: str
    lines: tuple[Line, ...]


def abouts(folder: RunFolder) -> dict[str, About]:
    """Kind and tags of each planned template; runs made before they were recorded have none."""
    known = folder.manifest.get("templates", {})
    return {
        task: About(str(known[task]["kind"]), tuple(known[task]["tags"])) if task in known else About()
        for task in folder.plan.tasks
    }


def by_kind(folder: RunFolder, results: dict[str, EpisodeResult]) -> list[Group]:
    """A row for each kind of task."""
    about = abouts(folder)
    kinds = sorted({one.kind for one in about.values() if one.kind})
    return [
        _group(folder, results, kind, kind.capitalize(), {t for t in about if about[t].kind == kind}) for kind in kinds
    ]


def by_tag(folder: RunFolder, results: dict[str, EpisodeResult]) -> list[Group]:
    """A row for each tag that a planned template has, patterns before traps."""
    about = abouts(folder)
    found = sorted({tag for one in about.values() for tag in one.tags}, key=lambda tag: (tag[0], int(tag[1:])))
    return [_group(folder, results, tag, in_words(tag), {t for t in about if tag in about[t].tags}) for tag in found]


def in_words(tag: str) -> str:
    """What a tag stands for; a tag that this version does not know stands for itself."""
    try:
        return tags.meaning(tag)
    except KeyError:
        return tag


def _group(folder: RunFolder, results: dict[str, EpisodeResult], code: str, words: str, tasks: set[str]) -> Group:
    specs = [spec for spec in folder.plan.episodes if spec.task in tasks]
    agents = folder.plan.agents
    of_agent = (line_of(agent, None, [spec for spec in specs if spec.agent == agent], results) for agent in agents)
    return Group(code, words, tuple(of_agent))
