"""bench/papers: what its page says follows from its results, and a run goes on where it ended."""

import json
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).resolve().parents[2] / "bench"
sys.path[:0] = [str(BENCH), str(BENCH / "papers")]

import plan  # noqa: E402
import report  # noqa: E402
import svg  # noqa: E402
from common.results import Results  # noqa: E402
from found import Found, seconds, table  # noqa: E402
from jobs import FIGURE_SETS, Job  # noqa: E402

PUBLISHED = json.loads((BENCH / "papers" / "published.json").read_text())


def record(experiment, name, method, **more):
    return {"experiment": experiment, "set": name, "method": method, "draw": 0, "status": "done", "seed": 0,
            "limit": 10, "versions": {"fsieve": "0.1.0"}, **more}


@pytest.fixture
def records():
    curve = {"rows": 476, "k": [2, 4, 6], "deviation": [1, 1, 1], "seconds": [0.5, 0.5], "found": [6, 6]}
    return [
        record("000 Figure 1", "Musk", "forward t=1", accuracy=[70, 80, 84], **curve),
        record("000 Figure 1", "Musk", "fastcan", accuracy=[72, 84, 87], **curve),
        record("000 Figure 1", "Musk", "boruta", status="timed out", reason="more than 10 s"),
        record("000 Figure 1", "Covertype", "mdfs", status="failed", reason="takes two classes only"),
        record("000 Table 3", "Musk", "forward t=1", k=100, seconds=0.02),
        record("000 Table 3", "Musk", "forward t=1", k=100, seconds=0.01, seconds_10=0.005),
        record("000 Table 3", "Musk", "forward t=1", k=100, seconds=0.04),
        record("000 Table 2", "Musk", "paper", features=166, kept=85, saturated=7, undecided=0, seconds=1),
    ]


def test_published_tables_are_complete():
    for name, rows in PUBLISHED.items():
        lists = [v for v in rows.values() if isinstance(v, list)] if name.startswith("003") else []
        assert len({len(v) for v in lists}) <= 1, name
    sets = set(PUBLISHED["000 Table 2"]["kept"])
    assert sets == set(FIGURE_SETS)
    assert set(PUBLISHED["000 Table 2, settings of the code"]) == sets
    assert all(set(row) == sets - {"E1", "E2"} for row in PUBLISHED["000 Table 3"].values())
    assert len({tuple(sorted(row)) for row in PUBLISHED["001 Table II"].values()}) == 1
    for by_size in PUBLISHED["000 Figure 2"].values():
        assert all(40 < value < 100 for values in by_size.values() for value in values)


def test_the_page_has_each_figure_beside_the_published_one(records, tmp_path):
    paths = report.write(records, PUBLISHED, tmp_path)
    page = "".join(path.read_text() for path in paths if path.suffix == ".md")
    assert "| Musk | 1 | 100 | 3.30 | 0.0050 | 660× | 0.010 | 330× |" in page
    assert "| Musk | 166 | 35 | 85 (7 removed by rank alone) |" in page
    assert "Musk: fastcan is 3.0 points ahead." in page
    assert "> 10 s" in page
    assert "takes two classes only" in page
    assert "not run" in page
    assert (tmp_path / "papers" / "figure1-musk.svg") in paths
    for path in paths[1:]:
        assert path.name in page


def test_the_page_in_the_docs_is_that_of_its_results(tmp_path):
    docs = BENCH.parent / "docs"
    records = Results(docs / "papers" / "results.jsonl").records
    for path in report.write(records, PUBLISHED, tmp_path):
        assert path.read_bytes() == (docs / path.relative_to(tmp_path)).read_bytes(), path.name


def test_the_page_is_a_function_of_the_results(records, tmp_path):
    first = [path.read_bytes() for path in report.write(records, PUBLISHED, tmp_path / "a")]
    second = [path.read_bytes() for path in report.write(records, PUBLISHED, tmp_path / "b")]
    assert first == second


def test_a_page_without_results(tmp_path):
    pages = [path.read_text() for path in report.write([], PUBLISHED, tmp_path) if path.suffix == ".md"]
    assert len(pages) == 4
    assert all("not run" in page for page in pages[1:])


def test_results_of_an_interrupted_run_are_read(records, tmp_path):
    path = tmp_path / "results.jsonl"
    results = Results(path)
    results.add(records[0])
    with path.open("a") as out:
        out.write('{"experiment": "000 Fig')
    again = Results(path)
    assert again.records == records[:1]
    again.add(records[1])
    assert Results(path).records == records[:2]


def test_what_is_settled_is_not_run_again(records):
    jobs = [Job("000 Figure 1", "Musk", m) for m in ("forward t=1", "boruta", "fisher")]
    jobs.append(Job("000 Figure 1", "Covertype", "mdfs"))
    assert [j.method for j in plan.missing(jobs, records, limit=10)] == ["fisher"]
    assert [j.method for j in plan.missing(jobs, records, limit=20)] == ["boruta", "fisher"]
    timed = [Job("000 Table 3", "Musk", m) for m in ("fastcan", "boruta")]
    assert [j.method for j in plan.not_too_late(timed, records)] == ["fastcan"]


def test_without_data_only_synthetic_sets_are_planned():
    for quick in (True, False):
        together, alone = plan.plan(quick, with_data=False, with_gfs=True)
        assert together and not alone
        assert all(plan.is_synthetic(job) for job in together)
    keys = [job.key for group in plan.plan(False, True, True) for job in group]
    assert len(keys) == len(set(keys))


def test_numbers_and_tables():
    assert [seconds(v) for v in (0.0012, 0.05, 2.7, 74.26, 303)] == ["0.0012", "0.050", "2.70", "74.3", "303"]
    assert table(["a", "b"], [[1, 2]]) == "| a | b |\n| --- | --- |\n| 1 | 2 |"
    assert Found([]).mean("000 Figure 1", "Musk", "fastcan") is None


def test_a_chart_covers_its_lines():
    marks = svg.ticks(58.2, 99.4)
    assert marks[0] <= 58.2 and marks[-1] >= 99.4
    text = svg.chart("a < b", [svg.Line("one", [(1, 60), (2, 70)]), svg.Line("empty", [])], "k")
    assert "a &lt; b" in text and "one" in text and "empty" not in text
