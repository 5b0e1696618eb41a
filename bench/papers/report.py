"""docs/papers.md, a page per paper and their plots, from the results and the published tables: same input, same bytes."""

import json

import pages_000
import pages_001
import pages_003
from found import Found, table
from names import PEER_NAMES

HEAD = """# The papers' experiments, run again

`bench/papers/run` writes this page and one per paper: the experiments that fsieve's methods come from, each
figure beside the published one, and other tools on the same folds. `--quick` leaves the large sets and the slow
peers out. A run goes on where it was interrupted. *not run* means that the run behind this page did not get there;
*> N s* that one selection took more than N seconds of CPU time; *cannot* that the tool cannot, [see below](#who-could-not-run). [results.jsonl](papers/results.jsonl) has the numbers
behind every table, with versions and seeds.

* Accuracy is that of an RBF support vector machine (scikit-learn, C = 1) on standardised columns, five stratified
  folds, seed {seed}. Methods that see the label choose inside the fold; the same folds and the same k for all.
* All tools have one thread. Times of peers are CPU seconds of the call alone. Those of fsieve are the wall clock of
  the selection, or the CPU seconds of the whole program with starting and reading, whichever is less: other work on
  the machine stretches the first.
* Peers get standardised columns and the settings of their authors; `bench/peers` pins their versions.
* Covertype is a draw of 581 rows (seed 0) from a sixth of the original, since the papers do not say which rows they
  took. Musk has all its 476 rows (the papers print 467), ALLAML its 7129 columns (7128).
* Two constants of fsieve's search (how many functions a round may have) were chosen with these accuracies in view, among
  settings that differ by less than a point ([decisions](decisions.md)); no peer was tuned.
* Synthetic sets come from `fsieve generate`.

Versions: {versions}.

## The papers

Code, comments and docs call them by these numbers.

{papers}
"""

# What fsieve has of each paper, and where its experiments are (none: no page).
METHODS = {"000": ("SFFS, and UFFS with depth", "papers/000.md"), "001": ("UFFS", "papers/001.md"),
           "002": ("the talk that goes with 000", None), "003": ("GFS, GFA", "papers/003.md"),
           "004": ("the junta learner", "junta.md")}


def write(records, published, output):
    """Writes the page, its plots and the results that they show; gives back the paths."""
    found = Found([rounded(record) for record in records])
    folder = output / "papers"
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.svg"):
        old.unlink()
    pages = compose(found, published, folder)
    for name, text in pages.items():
        (output / name).write_text(text)
    results = folder / "results.jsonl"
    results.write_text("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in found.shown()))
    return [*(output / name for name in pages), results, *sorted(folder.glob("*.svg"))]


def rounded(value):
    """Six digits of every number: enough for any table, and short to keep."""
    if isinstance(value, float):
        return float(f"{value:.6g}")
    if isinstance(value, list):
        return [rounded(item) for item in value]
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    return value


def compose(found, published, folder):
    """The text of every page, by its path below the folder of the docs."""
    pages = {"papers.md": summary(found, published), "papers/000.md": page_000(found, published, folder),
             "papers/001.md": page_001(found, published), "papers/003.md": page_003(found, published)}
    return {name: "\n".join(parts).rstrip() + "\n" for name, parts in pages.items()}


def summary(found, published):
    seeds = {r["seed"] for records in found.by_job.values() for r in records.values()}
    versions = ", ".join(f"{package} {version}" for package, version in found.versions().items())
    accuracy, behind = pages_000.in_short(found, published)
    papers = [[key, published["sources"][key], what, f"[{page}]({page})" if page else ""]
              for key, (what, page) in METHODS.items()]
    return [
        HEAD.format(papers=table(["", "paper", "methods", "page"], papers), versions=versions or "none",
                    seed=", ".join(map(str, sorted(seeds))) or 0),
        "## In short\n", f"Mean accuracy over the k of Figure 1 (those that all methods have):\n\n{accuracy}\n", behind_notes(found, behind),
        pages_000.below_published(found, published),
        "## Who could not run\n", could_not(found),
    ]


def page_000(found, published, folder):
    return [
        "# 000: SFFS\n", f"{published['sources']['000']}. [Summary, and how it was measured](../papers.md).\n",
        f"## Table 2: features that are not redundant\n\n{pages_000.table2(found, published)}\n",
        f"## Table 3: times\n\n{pages_000.times(found, published)}\n",
        "The peers' times on the same sets, measured now, and the published ones (CCM is in no package registry):\n",
        f"{pages_000.peer_times(found, published)}\n", faster_notes(found),
        "## Figure 1: accuracy against the number of features\n",
        "The published curves are drawn, not printed, so there are no numbers to put beside these, except where the "
        "code's log has some (Figure 2; *ahead of the published curve* in the summary). The best of a column is bold.\n",
        pages_000.six_relevant(found),
        pages_000.figure1(found, folder),
        "## Figure 2: accuracy against the depth\n",
        "Published: the numbers that the paper's code logged (5, 8 or 10 folds, its own UFFS first). fsieve goes to "
        "depth 4 on real-valued columns; Algorithm 1 on all 7129 columns of ALLAML has 6·10¹⁰ triples to rank, so it "
        "is run at t = 1 and 2 only.\n",
        pages_000.figure2(found, published, folder),
    ]


def page_001(found, published):
    return [
        "# 001: UFFS\n", f"{published['sources']['001']}. [Summary, and how it was measured](../papers.md).\n",
        f"## Table II: accuracy without the label\n\n{pages_001.table2(found, published)}\n",
        "Ranking methods take as many features as the published UFFS (k above).\n", pages_001.notes(found, published),
    ]


def page_003(found, published):
    return [
        "# 003: GFS and GFA\n", f"{published['sources']['003']}. [Summary, and how it was measured](../papers.md).\n",
        "## Tables II to IV: features selected by GFS\n", f"{pages_003.counts(found, published)}\n",
        f"## Tables V to VII: accuracy of GFS\n\n{pages_003.accuracy(found, published)}\n",
        pages_003.accuracy_notes(found, published), "",
        f"## Tables VIII to X: GFS and UFFS on products of normals\n\n{pages_003.synthetic(found, published)}\n",
        pages_003.synthetic_notes(found, published), "",
        f"## Tables XI and XII: GFA\n\n{pages_003.gfa(found, published)}\n\n{pages_003.gfa_note(found, published)}\n",
    ]


def behind_notes(found, behind):
    """Where a peer is ahead, why, and what it would take; the run with longer rounds shows it."""
    if not behind:
        return "Nowhere is a peer more than one point ahead (mean over k).\n"
    lines = []
    for name, gap, peer in behind:
        line = f"* {name}: {PEER_NAMES[peer]} is {-gap:.1f} points ahead."
        rows = found.one("000 Figure 1", name, peer)["rows"]
        longer = pages_000.mean_accuracy(found, name, "loose t=2")
        strict = pages_000.mean_accuracy(found, name, "forward t=2")
        if longer and strict and longer > strict:
            line += (f" Part of the cause is the level at which a step convinces: at 0.01 a round of the search ends after "
                     f"a few features, and the next one explains the label again. With `--alpha 0.5`, longer rounds, "
                     f"depth 2 goes from {strict:.1f} to {longer:.1f} %. What it would take is a level that follows the "
                     "number of features asked for.")
        elif rows < 200:
            line += f" One of the {rows} rows is {100 / rows:.1f} points: folds of {rows // 5} cannot tell."
        lines.append(line)
    return "Where a peer is more than one point ahead (mean over k):\n\n" + "\n".join(lines) + "\n"


def faster_notes(found):
    """Peers that are quicker than fsieve, by set."""
    lines = []
    for name in pages_000.REAL_SETS:
        own = {t: pages_000.time_of(found, name, f"forward t={t}")[0] for t in (1, 2)}
        quick = []
        for method, label in PEER_NAMES.items():
            took, _ = pages_000.time_of(found, name, method)
            slower = [f"t = {t}" for t, mine in own.items() if took is not None and mine and took < mine]
            if slower:
                quick.append(f"{label} (than {' and '.join(slower)})")
        if quick:
            lines.append(f"* {name}: {', '.join(quick)}")
    if not lines:
        return ""
    return ("Quicker than fsieve's default search:\n\n" + "\n".join(lines)
            + "\n\nThe univariate ones look at each column once, alone. What it would take is such a ranking, and that is "
              "`--search union --depth 1` (the third line of the table)" + lower(found) + ". The search for features that "
              "are good together costs the rest.\n")


def lower(found):
    """On how many sets the ranking of single features is less accurate than the search."""
    pairs = []
    for name in pages_000.REAL_SETS:
        own = [pages_000.mean_accuracy(found, name, f"forward t={t}") for t in (1, 2)]
        single = pages_000.mean_accuracy(found, name, "union t=1")
        if single and any(own):
            pairs.append(single < max(a for a in own if a))
    return f", less accurate on {sum(pairs)} of {len(pairs)} sets" if pairs else ""


def could_not(found):
    problems = {}
    for experiment, name, method, status, reason in found.problems():
        label = PEER_NAMES.get(method, method)
        problems.setdefault((label, status, reason), []).append(f"{name} ({experiment})")
    if not problems:
        return "Everything that was tried could run."
    rows = [[label, status, reason.replace("|", "/"), ", ".join(sorted(set(where)))]
            for (label, status, reason), where in sorted(problems.items())]
    return table(["tool", "", "reason", "where"], rows)
