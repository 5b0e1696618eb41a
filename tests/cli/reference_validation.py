"""A slow twin of `select -k auto`, from the formulas of docs/select.md alone: numeric columns, NumPy only."""

import numpy as np

STRENGTHS = (1e-5, 1e-4, 1e-3, 1e-2, 1e-1)
CENTRES, CLIP, TRIVIAL = 128, 3.0, 1e-6


def mixed(values, seed):
    """Whole numbers as random ones, the same for the same."""
    with np.errstate(over="ignore"):
        golden, a, b = (np.uint64(c) for c in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))
        bits = np.asarray(values, np.uint64) + np.uint64(seed + 1) * golden
        bits = (bits ^ bits >> np.uint64(30)) * a
        bits = (bits ^ bits >> np.uint64(27)) * b
        return bits ^ bits >> np.uint64(31)


def told(column, y, number):
    """Share of the variance that a line through the number, or the class, explains."""
    off = column - column.mean()
    if number:
        return (off @ (y - y.mean())) ** 2 / (off @ off) / ((y - y.mean()) ** 2).sum()
    return sum(off[y == c].sum() ** 2 / (y == c).sum() for c in np.unique(y)) / (off @ off)


def equal_rows(rows, columns, seed):
    """Rows that are equal, in random order: of the first column by the ranks of its numbers, of the next where these are equal, …"""
    if not columns:
        return [rows]
    ranks = np.unique(columns[0][rows], return_inverse=True)[1]
    order = sorted(set(ranks), key=lambda rank: mixed(rank + 1, seed))
    return [group for rank in order for group in equal_rows(rows[ranks == rank], columns[1:], seed)]


def upright(column):
    """The way numbers count makes no difference: the longer tail is above."""
    centred = column - column.mean()
    return -column if (centred**3).sum() < -1e-9 * len(column) * np.ptp(column) ** 3 else column


def deal(x, y, parts, seed, number):
    """Part of each row, and its place in the random order: columns that tell most of the label decide first, and classes of most
    rows are dealt first."""
    columns = sorted(range(x.shape[1]), key=lambda j: (-round(told(x[:, j], y, number) * 1e9), f"x{j + 1}"))
    groups = equal_rows(np.arange(len(y)), [*(upright(x[:, j]) for j in columns), upright(y) if number else y], seed)
    different = [group[0] for group in groups]
    place = np.zeros(len(y), int)
    for k, group in enumerate(groups):
        place[group] = k
    parts = min(parts, len(different))
    if number:
        by_size = sorted(range(len(different)), key=lambda k: (y[different[k]], k))
        dealt = [k for at in range(0, len(by_size), parts) for k in sorted(by_size[at : at + parts])]
    else:
        of_class = {c: [k for k in range(len(different)) if y[different[k]] == c] for c in np.unique(y)}
        dealt = sorted(range(len(different)), key=lambda k: (-(y == (c := y[different[k]])).sum(), of_class[c][0], k))
    part_at = np.zeros(len(different), int)
    part_at[dealt] = np.arange(len(dealt)) % parts
    return part_at[place], place


def centres(place):
    """Positions of at most CENTRES different rows, spread over the random order."""
    different = np.unique(place, return_index=True)[1]
    count = min(CENTRES, len(different))
    return different[np.arange(count) * len(different) // count]


def independent(kernel):
    """Centres that are not sums of those before, and the Cholesky factor of these."""
    left, kept = kernel.copy(), []
    least = TRIVIAL * np.diag(kernel).max()
    for k in range(len(kernel)):
        if left[k, k] <= least:
            continue
        kept.append(k)
        column = left[:, k] / np.sqrt(left[k, k])
        left -= np.outer(column, column)
    return kept, np.linalg.cholesky(kernel[np.ix_(kept, kept)])


def kernel_ridge(known, y, asked, at):
    """Predictions of the columns of y (n x C)."""
    mean, spread = known.mean(0), known.std(0)
    known, asked = (np.clip((t - mean) / spread, -CLIP, CLIP) for t in (known, asked))
    p = known.shape[1]

    def kernel(a):
        distance = ((a[:, None, :] - known[None, at, :]) ** 2).sum(2)
        return np.exp(-distance / p) + a @ known[at].T / p

    kept, factor = independent(kernel(known[at]))
    functions, asked = (np.linalg.solve(factor, kernel(t)[:, kept].T).T for t in (known, asked))
    centre = functions.mean(0)
    functions, asked = functions - centre, asked - centre
    gram, on_label = functions.T @ functions, functions.T @ (y - y.mean(0))
    n = len(y)
    best = (np.inf, None)
    for strength in STRENGTHS:
        inverse = np.linalg.inv(gram + strength * n * np.eye(len(gram)))
        hat = 1 + np.trace(gram @ inverse)
        left = ((y - y.mean(0) - functions @ inverse @ on_label) ** 2).sum()
        if n - hat > 0 and left / (n - hat) ** 2 < best[0]:
            best = (left / (n - hat) ** 2, inverse @ on_label)
    return asked @ best[1] + y.mean(0)


def held_out(x, y, number, order_of, sizes, parts, seed):
    """Hits and squared errors, sizes x rows, of one deal; order_of(rows): features found in these."""
    part, place = deal(x, y, parts, seed, number)
    hits, losses = np.zeros((len(sizes), len(y))), np.zeros((len(sizes), len(y)))
    for q in range(part.max() + 1):
        known, asked = np.flatnonzero(part != q), np.flatnonzero(part == q)
        order = order_of(known)
        classes = np.unique(y)
        target = y[known, None] if number else (y[known, None] == classes).astype(float)
        if not number and len(classes) == 2:
            target = 2 * target[:, 1:] - 1
        for s, size in enumerate(sizes):
            columns = order[:size]
            predicted = np.repeat(target.mean(0)[None], len(asked), 0)
            if columns:
                predicted = kernel_ridge(x[known][:, columns], target, x[asked][:, columns], centres(place[known]))
            if number:
                losses[s, asked] = (y[asked] - predicted[:, 0]) ** 2
                continue
            if len(classes) == 2:
                yes = (1 + predicted[:, 0]) / 2
                predicted = np.column_stack([1 - yes, yes])
            truth = (y[asked, None] == classes).astype(float)
            losses[s, asked] = ((np.clip(predicted, 0, 1) - truth) ** 2).sum(1)
            hits[s, asked] = classes[predicted.argmax(1)] == y[asked]
    return part, hits, losses


def sizes_of(most):
    sizes, size = [], 0
    while size < most:
        sizes.append(size)
        size += max(1, size // 8)
    return [*sizes, most]


def choice(deals, rows=slice(None)):
    """The smallest size not worse than the best by more than half a standard error of the difference over the
    parts of all deals; one for size 0."""
    means = np.mean([losses[:, rows].mean(1) for _, _, losses in deals], axis=0)
    best = int(means.argmin())
    for s in range(best):
        more = []
        for part, _, losses in deals:
            own = part[rows]
            more += [(losses[s, rows] - losses[best, rows])[own == q].mean() for q in np.unique(own)]
        allowed = (0.5 if s else 1.0) * np.std(more, ddof=1) / np.sqrt(len(more))
        if means[s] - means[best] <= allowed + 1e-9 * means[0]:
            return s
    return best


def path(hits, losses, number, sizes):
    n = losses.shape[1]
    points = []
    for s, size in enumerate(sizes):
        if number:
            left = losses[s].mean() / losses[0].mean()
            error = (losses[s] - left * losses[0]).std(ddof=1) / np.sqrt(n) / losses[0].mean()
            points.append((size, 1 - left, error))
        else:
            points.append((size, hits[s].mean(), hits[s].std(ddof=1) / np.sqrt(n)))
    return points


def estimate(deals, number):
    """Every part is scored at the size that the other rows choose."""
    right, left, total, rows = 0.0, 0.0, 0.0, 0
    for part, hits, own in deals:
        for q in range(part.max() + 1):
            s = choice(deals, part != q)
            right += hits[s, part == q].sum()
            left += own[s, part == q].sum()
            total += own[0, part == q].sum()
            rows += (part == q).sum()
    return 1 - left / total if number else right / rows
