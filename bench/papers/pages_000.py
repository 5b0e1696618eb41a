"""Paper 000 (SFFS): Tables 2 and 3, Figures 1 and 2."""

import statistics

from found import NOT_RUN, percent, seconds, table
from jobs import FIGURE_SETS, REAL_SETS
from names import OWN, PEER_NAMES, own_methods
from svg import Line, chart

OWN_NAMES = own_methods()


def table2(found, published):
    kept = published["000 Table 2"]["kept"]
    rows = []
    for name in FIGURE_SETS:
        paper, code, own = (found.one("000 Table 2", name, way) for way in ("paper", "code", "default"))
        shape = paper or code or own
        rows.append([
            name, shape["features"] if shape else NOT_RUN, kept[name],
            f"{paper['kept']} ({paper['saturated']} removed by rank alone)" if paper and paper["saturated"]
            else paper["kept"] if paper else NOT_RUN,
            code["kept"] if code else NOT_RUN,
            f"{own['kept']}" + (f" ({own['undecided']} undecided)" if own["undecided"] else "") if own else NOT_RUN])
    text = [table(["set", "features", "published", "the text's rule", "the code's rule", "fsieve, default"], rows), ""]
    text.append(
        "*The text's rule*: `--rule paper --groups own --stages 1,2:50,3:30 --order random` with ε = 0.1, since no ε "
        "is printed. *The code's rule*: the largest norms up to a share of their sum (`--rule cumulative`), groups and "
        "shares as in the published configuration files. Columns that are constant in the rows used are not counted.")
    one, two, three = (found.one("000 Table 2", "ALLAML", way) for way in ("paper 1", "paper 2", "paper"))
    if one and two and three:
        text.append(
            f"\nALLAML: 39 features cannot come out of the three stages that are printed. With 72 rows the first stage "
            f"leaves {one['kept']} of {one['features']}, the second {two['kept']}, the third {three['kept']}: any 72 "
            f"functions explain every column of 72 rows, so all features after the first few of a group go, whatever "
            f"they hold ({three['saturated']} of {three['features'] - three['kept']} removals are of that kind).")
    full = [found.one("000 Table 2", name, "paper") for name in ("E1", "E2")]
    if all(full) and any(record["kept"] < 20 for record in full):
        text.append(
            f"\nE1 and E2 have twenty independent features. The printed rule, run as printed, keeps "
            f"{full[0]['kept']} and {full[1]['kept']}: the products of up to three of them number more than the 1000 "
            "rows, and the last features have little left whatever they hold (rank saturation). The default keeps "
            "all twenty.")
    if found.one("000 Table 2", "Musk", "paper"):
        text.append(
            "\nThe other counts differ because the threshold of the table is not printed, the features were shuffled "
            "with a seed that is not printed, and the code keeps a share of the norms instead of comparing with ε. "
            "fsieve's default corrects norms for the degrees of freedom used and removes only what it can give an "
            "equation for, so it keeps more.")
    return "\n".join(text)


def times(found, published):
    rows, ratios = [], {}
    for name in REAL_SETS:
        for t in (1, 2):
            old = published["000 Table 3"][f"SFFS (t={t})"][name]
            forward, union = (found.one("000 Table 3", name, f"{search} t={t}") for search in ("forward", "union"))
            cells = []
            for label, search, record, key in (
                    ("k = 10", "forward", forward, "seconds_10"), ("k", "forward", forward, "seconds"),
                    ("Algorithm 1", "union", union, "seconds")):
                if record and record.get(key):
                    ratios[(name, t, label)] = old / record[key]
                    cells += [seconds(record[key]), f"{old / record[key]:,.0f}×"]
                else:
                    cells += [found.why_not("000 Table 3", name, f"{search} t={t}"), ""]
            rows.append([name, t, (forward or union or {}).get("k", ""), seconds(old), *cells])
    head = ["set", "t", "k", "published, s", "fsieve to k = 10, s", "", "fsieve to k, s", "", "Algorithm 1 to k, s", ""]
    text = [table(head, rows), ""]
    text.append(
        "One thread, the smallest of at least three runs (of one where that takes over 2 s; `--times` adds three). *fsieve* is the default search "
        "(forward), *Algorithm 1* the published algorithm (`--search union`), which ranks all subsets once for any k. The published times are of another machine and do "
        "not say their k; k here is the end of the axis of Figure 1.")
    if ratios:
        lines = []
        for label, title in (("k = 10", "to k = 10"), ("k", "to the last k"), ("Algorithm 1", "by Algorithm 1")):
            own = {key: value for key, value in ratios.items() if key[2] == label}
            slow = [f"{name} t = {t} ({value:,.0f}×)" for (name, t, _), value in own.items() if value < 100]
            lines.append(f"* {title}: {len(own) - len(slow)} of {len(own)}"
                         + (f"; not {', '.join(slow)}" if slow else ""))
        text.append("\nAt least 100 times faster than published:\n\n" + "\n".join(lines))
        text.append(slow_notes(ratios, published["000 Table 3"]))
    return "\n".join(text)


def slow_notes(ratios, old):
    """Why some times are less than 100 times better."""
    lines = []
    forward = {key for key, value in ratios.items() if key[2] == "k" and value < 100}
    small = sorted({name for name, t, _ in forward if old[f"SFFS (t={t})"][name] < 5})
    large = sorted({name for name, t, _ in forward} - set(small))
    if small:
        lines.append(
            f"{', '.join(small)}: the published times are a few seconds, and the default search to the last k explains "
            "the label again and again with what is left, each time with a look at hidden pairs.")
    if large:
        lines.append(
            f"{', '.join(large)}: the default search keeps the products of the features that it has taken, hundreds of "
            "functions, and judges every feature with all of them.")
    union = sorted({name for (name, _, label), value in ratios.items() if label == "Algorithm 1" and value < 100})
    if union:
        lines.append(
            f"{', '.join(union)}, Algorithm 1: all columns are ranked that are no linear combinations of others, where the "
            "published runs had reduced them first (Isolet to 309, COIL20 to 331).")
    return "\nWhy not everywhere:\n\n" + "\n".join(f"* {line}" for line in lines) if lines else ""


def peer_times(found, published):
    methods = [m for m in PEER_NAMES if any(found.by_job.get(("000 Figure 1", n, m)) for n in REAL_SETS)]
    rows = []
    for method in ["forward t=1", "forward t=2", "union t=1", "union t=2", *methods]:
        cells = []
        for name in REAL_SETS:
            took, of_fold = time_of(found, name, method)
            cells.append(seconds(took) + ("ᶠ" if of_fold else "") if took is not None else
                         found.why_not("000 Figure 1", name, method))
        rows.append([{**OWN_NAMES, **PEER_NAMES}[method], *cells])
    for label in ("RFS", "mRMR", "ReliefF", "MI", "CCM"):
        values = published["000 Table 3"][label]
        rows.append([f"*published: {label}*", *(seconds(values[n]) if values[n] else "–" for n in REAL_SETS)])
    return table(["seconds", *REAL_SETS], rows) + "\n\nᶠ: the median fold of Figure 1, four fifths of the rows.\n"


def time_of(found, name, method):
    """Seconds of a selection on the whole set; else of a fold, and then True."""
    record = found.one("000 Table 3", name, method)
    if record:
        return record["seconds"], False
    folds = [s for r in found.all("000 Figure 1", name, method) for s in r["seconds"]]
    return (statistics.median(folds), True) if folds else (None, False)


def common_sizes(found, name):
    """The k at which every method that ran was judged."""
    records = [r for m in [*OWN, *PEER_NAMES] for r in found.all("000 Figure 1", name, m)]
    return set.intersection(*(set(r["k"]) for r in records)) if records else set()


def mean_accuracy(found, name, method):
    """Over the k that all methods have."""
    record, values = found.one("000 Figure 1", name, method), found.mean("000 Figure 1", name, method)
    common = common_sizes(found, name)
    return statistics.fmean(v for k, v in zip(record["k"], values) if k in common) if values else None


def ranking(found, name):
    """(mean accuracy over the k's, method), best first, of everything that ran on a set."""
    every = [(mean_accuracy(found, name, m), m) for m in [*OWN, *PEER_NAMES]]
    return sorted(((a, m) for a, m in every if a is not None), key=lambda pair: (-pair[0], pair[1]))


def figure1_table(found, name):
    methods = [m for m in [*OWN, *PEER_NAMES] if found.by_job.get(("000 Figure 1", name, m))]
    records = [found.one("000 Figure 1", name, m) for m in methods]
    sizes = max((r["k"] for r in records if r), key=len, default=[])
    shown = sizes if len(sizes) <= 8 else [k for k in sizes if k in (1, 2, 3, 4, 6, 8, 10, 15, 20)]
    values = {m: dict(zip(r["k"], found.mean("000 Figure 1", name, m))) if r else None
              for m, r in zip(methods, records)}
    best = {k: max(round(v[k], 1) for v in values.values() if v and k in v) for k in shown}
    rows = []
    for method in methods:
        label, value = {**OWN_NAMES, **PEER_NAMES}[method], values[method]
        if value is None:
            rows.append([label, found.why_not("000 Figure 1", name, method), *[""] * len(shown)])
            continue
        cells = [f"**{percent(value.get(k))}**" if k in value and round(value[k], 1) == best[k]
                 else percent(value.get(k)) for k in shown]
        took = statistics.median(s for r in found.all("000 Figure 1", name, method) for s in r["seconds"])
        rows.append([label, *cells, seconds(took)])
    return table([name, *(f"k = {k}" if i == 0 else k for i, k in enumerate(shown)), "s per fold"], rows)


def figure1(found, folder):
    text = []
    for name in FIGURE_SETS:
        methods = [m for _, m in ranking(found, name)]
        if not methods:
            text.append(f"### {name}\n\n{NOT_RUN}\n")
            continue
        lines = []
        for method in [*[m for m in OWN if m in methods], *[m for m in methods if m not in OWN]]:
            record = found.one("000 Figure 1", name, method)
            points = list(zip(record["k"], found.mean("000 Figure 1", name, method)))
            label = {**OWN_NAMES, **PEER_NAMES}[method].replace("`", "")
            lines.append(Line(label, points, method in OWN, method.startswith("union")))
        file = f"figure1-{name.lower()}.svg"
        (folder / file).write_text(chart(f"{name}: accuracy against the number of features", lines, "k"))
        text.append(f"### {name}\n\n![{name}]({file})\n\n{figure1_table(found, name)}\n")
    return "\n".join(text)


def six_relevant(found):
    """What the text says of E1 and E2: t = 3 is best at k = 6, near 100 %, other methods are far below."""
    lines = []
    for name in ("E1", "E2"):
        record, values = found.one("000 Figure 1", name, "forward t=3"), found.mean("000 Figure 1", name, "forward t=3")
        if not values:
            continue
        k, top = max(zip(record["k"], values), key=lambda pair: pair[1])
        at = record["k"].index(6)
        others = {m: found.mean("000 Figure 1", name, m) for m in PEER_NAMES}
        same = [PEER_NAMES[m] for m, v in others.items() if v and v[at] > values[at] - 1]
        lines.append(
            f"{name}: published is 100 % at about k = 6 with t = 3, and all others but ReliefF well below. Here t = 3 is "
            f"best at k = {k} with {top:.1f} %; within a point of it at k = 6: {', '.join(same) or 'no peer'}.")
    return "\n\n".join(lines) + "\n"


def in_short(found, published):
    """Per set: fsieve's mean accuracy beside the best peer's and the logged one of the paper's code."""
    rows, behind = [], []
    for name in FIGURE_SETS:
        ranked = ranking(found, name)
        own = [(a, m) for a, m in ranked if m in ("forward t=1", "forward t=2", "forward t=3")]
        others = [(a, m) for a, m in ranked if m not in OWN]
        if not own or not others:
            rows.append([name, *[NOT_RUN] * 4])
            continue
        gap = own[0][0] - others[0][0]
        if gap < -1:
            behind.append((name, gap, others[0][1]))
        rows.append([name, f"{percent(own[0][0])} ({own[0][1].split()[1]})",
                     f"{percent(others[0][0])} ({PEER_NAMES[others[0][1]]})", f"{gap:+.1f}",
                     against_log(found, published, name)])
    head = ["set", "fsieve, best depth", "best peer", "points ahead", "ahead of the published curve"]
    return table(head, rows), behind


def below_published(found, published):
    """A sentence for each set that is more than a point below the published curve."""
    lines = []
    for name in published["000 Figure 2"]:
        gaps = log_gaps(found, published, name)
        if not gaps or statistics.fmean(gaps) > -1:
            continue
        everything = found.mean("001 Table II", name, "all features")
        then = published["001 Table II"]["all features"][name]
        line = f"* {name} is {-statistics.fmean(gaps):.1f} points below the published curve."
        if everything:
            line += (f" All columns together give {everything:.1f} % here where {then} % are published, so the gap is not "
                     "one of the selection alone: the rows (Covertype) or the folds are others.")
        lines.append(line)
    return "\n".join(lines) + "\n" if lines else ""


def log_gaps(found, published, name):
    """Points ahead of the accuracies that the paper's code logged, at its k and the same depth."""
    logged, gaps = published["000 Figure 2"].get(name, {}), []
    for t in (1, 2):
        record = found.one("000 Figure 1", name, f"forward t={t}")
        curve = dict(zip(record["k"], found.mean("000 Figure 1", name, f"forward t={t}"))) if record else {}
        gaps += [curve[int(k)] - values[t - 1] for k, values in logged.items() if int(k) in curve]
    return gaps


def against_log(found, published, name):
    gaps = log_gaps(found, published, name)
    return f"{statistics.fmean(gaps):+.1f} (mean of {len(gaps)})" if gaps else "no numbers published"


def figure2(found, published, folder):
    text = []
    for name, by_size in published["000 Figure 2"].items():
        if name == "Musk":
            continue
        rows, lines = [], []
        for k, old in by_size.items():
            rows.append([f"k = {k}", "published", *(percent(v) for v in old[:6])])
            lines.append(Line(f"published, k = {k}", list(enumerate(old[:6], 1)), dashed=True))
            for search in ("forward", "union"):
                points = []
                for t in (1, 2, 3, 4):
                    record = found.one("000 Figure 2", name, f"{search} t={t}")
                    if record and int(k) in record["k"]:
                        points.append((t, record["accuracy"][record["k"].index(int(k))]))
                values = dict(points)
                label = {"forward": "fsieve", "union": "fsieve, Algorithm 1"}[search]
                rows.append(["", label, *(percent(values[t]) if t in values else
                                          found.why_not("000 Figure 2", name, f"{search} t={t}")
                                          for t in (1, 2, 3, 4)), "–", "–"])
                if search == "forward":
                    lines.append(Line(f"fsieve, k = {k}", points, own=True))
        file = f"figure2-{name.lower()}.svg"
        (folder / file).write_text(chart(f"{name}: accuracy against the depth", lines, "t"))
        head = [name, "", "t = 1", 2, 3, 4, 5, 6]
        text.append(f"### {name}\n\n![{name}]({file})\n\n{table(head, rows)}\n")
    return "\n".join(text)
