"""The whole report of a run as one HTML file, which opens from disk and can be sent: episodes, and their pictures.

Episodes lie in the file in chunks, each compressed and unpacked only when one of its episodes is opened. Pictures are
data URIs, each once.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ..files import json_bytes
from ..plan import EpisodeSpec
from ..results import EpisodeResult
from ..run_folder import RunFolder
from ..trajectory import MEDIA_TYPES
from .episodes import EpisodePage, read_episode
from .overview import OVERVIEW_KEYS, overview_html
from .packing import Lines, packed
from .pages import EPISODE_KEYS, SCRIPTS, STYLES, environment, static
from .siblings import siblings
from .writing import BrokenEvidence

CHUNK = 50
"""Episodes that are compressed together."""
SINGLE_SCRIPTS = (*SCRIPTS[:1], "embedded.js", *SCRIPTS[1:], "single.js")
_HERE = "<!-- evidence -->"


def write_single_report(run: Path | str, to: Path | None = None, *, pictures: bool = True) -> Path:
    """Write the file, `report-NAME.html` in the run's folder unless said otherwise, and give its path.

    Raises `UsageError` where the folder is no run of this version, and `BrokenEvidence`, after the file was written,
    where files of a graded episode are missing or were cut short.
    """
    folder = RunFolder.open(Path(run))
    results = folder.results()
    path = to or folder.path / f"report-{folder.path.resolve().name}.html"
    keys = [one for one in (*OVERVIEW_KEYS, *EPISODE_KEYS) if one[0] not in {("t",), ("?",)}] + [*OVERVIEW_KEYS[-2:]]
    page = overview_html(
        folder,
        results,
        template="single.html",
        episode_link=episode_link,
        css="\n".join(map(static, STYLES)),
        code="\n".join(map(static, SINGLE_SCRIPTS)),
        home="#",
        keys=keys,
    )
    head, tail = page.split(_HERE)
    writer, broken = _Writer(folder, results, pictures=pictures), dict[str, str]()
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}")
    with beside.open("w", encoding="utf-8", errors="backslashreplace") as file:
        file.write(head)
        for text in writer.evidence(broken):
            file.write(text)
        file.write(tail)
    beside.replace(path)
    if broken:
        raise BrokenEvidence(path, broken)
    return path


def episode_link(episode: str) -> str:
    """The address of an episode in the file."""
    return f"#episode={quote(episode)}"


class _Writer:
    """Writes the elements that hold what is not shown at first."""

    def __init__(self, folder: RunFolder, results: dict[str, EpisodeResult], *, pictures: bool) -> None:
        self._folder, self._results, self._pictures = folder, results, pictures
        self._written: set[str] = set()
        self._template = environment().get_template("episode_main.html")
        self._siblings = siblings(folder, results)

    def evidence(self, broken: dict[str, str]) -> Iterator[str]:
        """The elements, pictures before the chunk that needs them; then where each episode is."""
        specs, places = self._folder.plan.episodes, dict[str, int]()
        for number, first in enumerate(range(0, len(specs), CHUNK)):
            some = specs[first : first + CHUNK]
            lines, chunk = Lines(), dict[str, Any]()
            for spec in some:
                page = self._read(spec, broken)
                yield from self._embed(page)
                main = self._template.render(
                    page=page, siblings=self._siblings.of(spec), episode_link=episode_link, evidence=None,
                    pictures=self._pictures,
                )  # fmt: skip
                chunk[spec.id] = {"html": lines.spans(main), "frames": packed(page.frames, lines)}
                places[spec.id] = number
            data = gzip.compress(json_bytes({"lines": lines.all(), "episodes": chunk}), 9, mtime=0)
            yield f'<script type="text/plain" id="chunk-{number}">{base64.b64encode(data).decode()}</script>\n'
        found = environment().from_string("{{ places | tojson }}").render(places=places)
        yield f'<script type="application/json" id="places">{found}</script>\n'

    def _read(self, spec: EpisodeSpec, broken: dict[str, str]) -> EpisodePage:
        result, folder = self._results.get(spec.id), self._folder.episode(spec.id)
        page = read_episode(folder, spec, result, pictures=str(folder))
        if page.trouble and result and result.graded:
            broken[spec.id] = page.trouble
        return page

    def _embed(self, page: EpisodePage) -> Iterator[str]:
        """Replace the pictures of an episode by their names in the file; gives the elements of new ones."""
        for frame in page.frames:
            for holder in (frame, *(one for one in frame["more"].values() if "image" in one)):
                path = holder["image"]
                holder["image"] = None
                if path and self._pictures and Path(path).is_file():
                    data = Path(path).read_bytes()
                    holder["image"] = name = hashlib.blake2b(data, digest_size=12).hexdigest()
                    if name not in self._written:
                        self._written.add(name)
                        yield _picture(name, data, Path(path).suffix)


def _picture(name: str, data: bytes, suffix: str) -> str:
    media, encoded = MEDIA_TYPES.get(suffix, "image/png"), base64.b64encode(data).decode()
    return f'<script type="text/plain" id="picture-{name}">data:{media};base64,{encoded}</script>\n'
