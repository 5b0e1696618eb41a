"""fsieve reduce: what is removed is redundant on rows that were not used, too."""

import numpy as np
import pytest


def csv(columns):
    names = list(columns)
    rows = zip(*columns.values())
    return "\n".join([",".join(names), *(",".join(repr(float(v)) for v in row) for row in rows)]) + "\n"


def gone(result):
    return [feature["name"] for feature in result["removed"]]


def flags(seed, rows, columns, share):
    table = (np.random.default_rng(seed).random((rows, columns)) < share).astype(float)
    return {f"x{j}": table[:, j] for j in range(columns) if table[:, j].any()}


@pytest.mark.parametrize("words", [[], ["--order", "input"], ["--engine", "gram"], ["--stages", "2:20"]])
def test_flags_that_few_rows_carry_stay(fsieve, write, words):
    """Of 222 independent columns of 0.2 to 0.5 % three went at "R² 1.0", x55 = x118·x119 in draw 0."""
    for seed in range(3):
        path = write("flags.csv", csv(flags(seed, 400, 60, 0.006)))
        assert gone(fsieve.json("reduce", path.name, *words)) == []


def test_r2_is_that_of_rows_left_out(fsieve, write, validate):
    rng = np.random.default_rng(4)
    a, b, noise = rng.normal(size=(3, 150))
    target = a - 2 * b + 0.1 * noise
    path = write("t.csv", csv({"a": a, "b": b, "z": target}))
    result = validate(fsieve.json("reduce", path.name, "--order", "input"), "reduce")
    (removed,) = result["removed"]
    equation = removed["equation"]
    used = [np.prod([{"a": a, "b": b}[f] for f in t["factors"]], axis=0) * np.ones(150) for t in equation["terms"]]
    left_out = 0
    for i in range(150):
        rest = np.arange(150) != i
        fit = np.linalg.lstsq(np.array(used).T[rest], target[rest], rcond=None)[0]
        left_out += (target[i] - fit @ np.array(used)[:, i]) ** 2
    total = ((target - target.mean()) ** 2).sum()
    assert equation["r2"] == pytest.approx(1 - left_out / total, abs=1e-12)
    assert equation["r2_fit"] > equation["r2"]


def long_sums(noise, rows=600):
    rng = np.random.default_rng(5)
    parts = rng.normal(size=(20, rows))
    total = parts.sum(axis=0)
    return {f"part{j}": p for j, p in enumerate(parts)} | {"total": total + noise * total.std() * rng.normal(size=rows)}


def test_long_equations_must_be_exact(fsieve, write):
    exact = write("exact.csv", csv(long_sums(0)))
    assert gone(fsieve.json("reduce", exact.name)) == ["total"]
    noisy = write("noisy.csv", csv(long_sums(0.03)))
    for order in (["--order", "input"], []):
        assert gone(fsieve.json("reduce", noisy.name, *order)) == []
        assert len(gone(fsieve.json("reduce", noisy.name, "--max-terms", "25", *order))) == 1


def test_protected_columns_stay(fsieve, write):
    rng = np.random.default_rng(6)
    a, b = rng.normal(size=(2, 200))
    columns = {"a": a, "b": b, "sum": a + b, "product": a * b, "inches": 2.54 * a}
    for names in (list(columns), list(columns)[::-1]):
        path = write("t.csv", csv({name: columns[name] for name in names}))
        removed = gone(fsieve.json("reduce", path.name, "--protect", "sum,inches"))
        assert sorted(removed) == ["a", "b", "product"]
        for words in ([], ["--order", "input"], ["--rule", "paper", "--stages", "3"], ["--rule", "cumulative:0.5"]):
            kept = fsieve.json("reduce", path.name, "--protect", "sum,inches,product", *words)["selected"]
            assert {"sum", "inches", "product"} <= {feature["name"] for feature in kept}


def test_protect_and_exclude_contradict_each_other(fsieve, cars):
    done = fsieve.run("reduce", cars.name, "--protect", "litres", "--exclude", "l*")
    assert done.code == 2 and '--protect: column "litres" is left out by --exclude l*' in done.err


def test_protect_refuses_unknown_names(fsieve, cars):
    done = fsieve.run("reduce", cars.name, "--protect", "nobody")
    assert done.code == 1 and 'there is no feature "nobody"' in done.err


def test_clusters_are_groups_of_interchangeable_columns(fsieve, write, validate):
    rng = np.random.default_rng(7)
    columns = {f"g{j}": rng.normal(size=72) for j in range(60)}
    for base, copies in (("g0", 3), ("g1", 1)):
        for k in range(copies):
            columns[f"{base}_{k}"] = columns[base] + 0.1 * rng.normal(size=72)
    results = []
    for names in (list(columns), list(columns)[::-1]):
        path = write("genes.csv", csv({name: columns[name] for name in names}))
        result = validate(fsieve.json("reduce", path.name, "--clusters", "0.9"), "reduce")
        results.append(result)
        assert [len(group["members"]) for group in result["clusters"]] == [4, 2]
        for group in result["clusters"]:
            assert group["representative"] == group["members"][0] and group["r2"] >= 0.9
            smallest = min(
                np.corrcoef(columns[a], columns[b])[0, 1] ** 2 for a in group["members"] for b in group["members"]
            )
            assert group["r2"] == pytest.approx(smallest, abs=1e-6)
        assert sorted(gone(result)) == sorted(m for g in result["clusters"] for m in g["members"][1:])
        assert len(result["selected"]) == 60
    assert [set(g["members"]) for g in results[0]["clusters"]] == [set(g["members"]) for g in results[1]["clusters"]]
    text = fsieve("reduce", path.name, "--clusters", "0.9")
    assert "Interchangeable columns" in text
    kept = fsieve.json("reduce", path.name, "--clusters", "0.9", "--protect", "g0_1,g0_2")["selected"]
    assert {"g0_1", "g0_2"} <= {feature["name"] for feature in kept}


def test_a_stage_without_group_size_does_not_run_for_ever(fsieve, write):
    path = write("wide.npy", b"")
    np.save(path, np.random.default_rng(8).normal(size=(3000, 160)))
    result = fsieve.json("reduce", path.name, "--stages", "1,2", "--order", "input")
    assert any("groups of 38 are used, as by 2:38" in warning for warning in result["warnings"])
    assert result["stages"][1]["group_size"] == 38


def test_nearly_equal_columns_are_told(fsieve, write):
    rng = np.random.default_rng(9)
    at = np.linspace(0, 1, 30)
    bands = np.array([np.exp(-(((at - c) / 0.5) ** 2)) for c in (0, 0.4, 0.9)])
    spectra = rng.random((200, 3)) @ bands + 1e-3 * rng.normal(size=(200, 30))
    path = write("spectra.csv", csv({f"w{j}": spectra[:, j] for j in range(30)}))
    result = fsieve.json("reduce", path.name)
    assert len(result["removed"]) > 20
    assert any("nearly equal combinations of others" in warning for warning in result["warnings"])


def test_a_small_epsilon_does_not_need_a_row_for_every_part_of_it(fsieve, write):
    """100 rows: with ε = 0.02 only what is exact went, since 1/100 is above 2·ε²; so with --clusters 0.999."""
    rng = np.random.default_rng(10)
    a, b, noise = rng.normal(size=(3, 100))
    path = write("t.csv", csv({"a": a, "b": b, "near": a + 0.005 * noise}))
    assert gone(fsieve.json("reduce", path.name, "--epsilon", "0.02", "--order", "input")) == ["near"]
    assert gone(fsieve.json("reduce", path.name, "--epsilon", "0.004", "--order", "input")) == []
    assert len(gone(fsieve.json("reduce", path.name, "--clusters", "0.999"))) == 1


@pytest.mark.parametrize("rows", [52, 60, 70])
def test_an_exact_sum_of_whole_numbers_goes_and_says_so(fsieve, write, rows):
    """Its usual value, of a quarter of the rows, counted as no evidence: R² 0.84 and a warning of a copy."""
    parts = np.random.default_rng(0).integers(0, 4, (rows, 4))
    columns = dict(zip("abcd", parts.T)) | {"total": parts[:, :3].sum(axis=1)}
    result = fsieve.json("reduce", write("t.csv", csv(columns)).name)
    (removed,) = result["removed"]
    assert removed["equation"]["text"] == "total = a + b + c" and removed["equation"]["r2"] == pytest.approx(1)
    assert result["warnings"] == []


def rare_twins(ones):
    rng = np.random.default_rng(11)
    flag = np.zeros(1000)
    flag[:ones] = 1
    return {"a": rng.normal(size=1000), "flag": flag, "twin": flag}


@pytest.mark.parametrize("words", [[], ["--order", "input"], ["--clusters", "0.9"]])
def test_a_copy_of_a_rare_flag_is_told(fsieve, write, words):
    result = fsieve.json("reduce", write("t.csv", csv(rare_twins(7))).name, *words)
    (removed,) = result["removed"]
    assert removed["norm"] == pytest.approx(0, abs=1e-6) and removed["adjusted_norm"] == pytest.approx(0, abs=1e-6)
    assert removed["equation"]["r2"] == pytest.approx(1 - np.log2(100) / 7, abs=0.02)
    (warning,) = result["warnings"]
    assert warning.startswith("the equation of 1 removed feature is exact in all rows, but fewer than 50 of these tell")


def test_clusters_of_common_flags_need_no_warning(fsieve, write):
    result = fsieve.json("reduce", write("t.csv", csv(rare_twins(60))).name, "--clusters", "0.9")
    assert result["removed"][0]["equation"]["r2"] == pytest.approx(1) and result["warnings"] == []


def test_a_sum_of_rare_flags_promises_what_it_goes_for(fsieve, write):
    """Sums of 17 to 49 carriers went with an R² of 0.6; from 50 on they go with what was asked for."""
    for each, goes in ((10, False), (30, True)):
        columns = {"a": np.random.default_rng(12).normal(size=1000)}
        for part in range(3):
            columns[f"p{part}"] = np.zeros(1000)
            columns[f"p{part}"][part * each : (part + 1) * each] = 1
        columns["total"] = columns["p0"] + columns["p1"] + columns["p2"]
        result = fsieve.json("reduce", write("t.csv", csv(columns)).name)
        assert [f["equation"]["r2"] for f in result["removed"]] == ([pytest.approx(1)] if goes else [])


def test_an_exact_equation_is_not_written_less_exactly(fsieve, write):
    """u goes at stage 2 (u ≈ 10·v·w); t = u, of which 25 rows tell, is exact, whatever can be promised of it."""
    rng = np.random.default_rng(5)
    v, w = (rng.random((2, 600)) < 0.2).astype(float)
    u = v * w * rng.integers(9, 12, 600)
    path = write("t.csv", csv({"v": v, "w": w, "u": u, "t": u}))
    result = fsieve.json("reduce", path.name, "--order", "input", "--stages", "1,2", "--epsilon", "0.3")
    texts = {feature["name"]: feature["equation"]["text"] for feature in result["removed"]}
    assert texts["t"] == "t = u" and "v·w" in texts["u"]


def test_what_rows_left_out_do_not_confirm_is_marked(fsieve, write, validate):
    """Three ones in the same rows: a copy by its norm, but nothing that three rows can tell."""
    columns = {"a": np.random.default_rng(13).normal(size=400), "flag": np.zeros(400)}
    columns["flag"][[7, 70, 300]] = 1
    columns["sum"] = columns["flag"].copy()
    columns["sum"][[9, 90]] = 1
    columns["rest"] = columns["sum"] - columns["flag"]
    path = write("t.csv", csv(columns))
    kept = validate(fsieve.json("reduce", path.name), "reduce")["selected"]
    marked = [feature["name"] for feature in kept if feature.get("unconfirmed")]
    assert marked and all(f["adjusted_norm"] < 1e-6 for f in kept if f["name"] in marked)
    assert "not confirmed by rows left out" in fsieve("reduce", path.name)


@pytest.mark.parametrize("memory", ["512M", "16K"])
def test_filled_values_tell_nothing(fsieve, write, memory):
    """`year = 435·cfinfour·cstufac + 1993`: the columns are missing in one of the years, and their means are there."""
    rng = np.random.default_rng(3)
    lines = ["year,up,down,a,b,sum"]
    for i in range(300):
        up, down = [(1, 0), (0, 1), (0, 0)][i % 3]
        gap = i >= 150
        a, b = rng.normal(size=2)
        lines.append(f"{2001 - gap},{'' if gap else up},{'' if gap else down},{a:.6f},{b:.6f},{a + b:.6f}")
    write("t.csv", "\n".join(lines) + "\n")
    result = fsieve.json("reduce", "t.csv", "--missing", "mean", "--memory", memory)
    assert [f["equation"]["text"] for f in result["removed"]] == ["sum = a + b"]
