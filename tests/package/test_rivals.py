"""The benchmark beside rivals, as far as it can be told without measuring: its pages, its turns, its plot."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from sitegym.bench.__main__ import main, names
from sitegym.bench.rivals import environments, measure, plot, site
from sitegym.bench.table import as_dicts, measured

ROWS = as_dicts(
    [
        measured("step", "ms", [10.0, 12.0], [11.0, 40.0], "raw Playwright"),
        measured("step", "ms", [10.0, 12.0], [900.0, 2000.0], "BrowserGym"),
        measured("rate", "1/s", [9.0], [3.0], "raw Playwright"),
        measured("other", "ms", [1.0]),
    ]
)


def test_it_is_one_of_the_benchmarks() -> None:
    assert "rivals" in names()
    assert {"table", "_shop"} & set(names()) == set()


def test_an_unknown_benchmark_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["rival"])
    assert "rivals" in capsys.readouterr().err


@pytest.mark.parametrize(("name", "count"), site.ROWS.items())
def test_pages_have_as_many_rows_as_they_say(name: str, count: int) -> None:
    page = site.create_app().view_functions  # the application can be made without a world
    assert "show" in page
    assert site._page(name, count).count("Select row ") == count


@pytest.mark.parametrize(
    ("runs", "share", "wanted"), [(40, 0.3, 12), (25, 0.1, 2), (4, 0.1, 1), (2, 0.5, 1), (3, 1.0, 3)]
)
def test_slow_contenders_have_their_share_of_the_runs_spread_out(runs: int, share: float, wanted: int) -> None:
    due = [run for run in range(runs) if measure._due(run, runs, share)]
    assert len(due) == wanted
    gaps = {after - before for before, after in pairwise(due)}
    assert max(gaps, default=0) - min(gaps, default=0) <= 1


def test_the_plot_is_svg_with_a_bar_for_every_contender() -> None:
    drawn = ElementTree.fromstring(plot.svg(ROWS))
    bars = [one for one in drawn.iter("{http://www.w3.org/2000/svg}rect") if one.get("x") == str(plot.LEFT)]
    legend = len(plot.COLORS)
    assert len(bars) == 3 + 1  # three contenders, and the first square of the legend
    assert len(list(drawn.iter("{http://www.w3.org/2000/svg}rect"))) == 3 + legend
    assert plot.svg(ROWS[-1:]) == ""
    assert list(plot.groups(ROWS)) == ["step"]
    assert list(plot.groups(ROWS, "1/s")) == ["rate"]


def test_ninety_fifth_percentiles_are_told_of_both_sides() -> None:
    assert (ROWS[0]["p95"], ROWS[0]["beside_p95"]) == (12.0, 40.0)
    assert ROWS[3]["beside_p95"] is None


def test_rivals_are_pinned() -> None:
    for packages in environments.requirements().values():
        assert all("==" in one for one in packages)


def test_a_worker_says_what_went_wrong_and_goes_on() -> None:
    worker = Path(measure.__file__).with_name("worker.py")
    asked = "".join(json.dumps({"do": "targets", "with": []}) + "\n" for _ in range(2))
    done = subprocess.run(
        [sys.executable, "-I", str(worker), "playwright"], input=asked, capture_output=True, text=True
    )
    assert done.returncode == 0
    assert [set(json.loads(line)) for line in done.stdout.splitlines()] == [{"error"}, {"error"}]
