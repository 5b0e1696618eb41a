"""Tables of independent columns that few rows carry, and look-alikes of real ones."""

import numpy as np


def flags(random, rows, columns, low, high):
    shares = np.exp(random.uniform(np.log(low), np.log(high), columns))
    table = (random.random((rows, columns)) < shares).astype(float)
    return table[:, table.std(axis=0) > 0]


def zero_inflated(random, rows, columns):
    present = flags(random, rows, columns, 0.01, 0.3)
    return present * random.poisson(random.uniform(0.5, 6, present.shape[1]), present.shape)


def sparse_tails(random, rows, columns):
    return flags(random, rows, columns, 0.005, 0.1) * np.exp(2 * random.normal(size=(rows, 1)))


def mixed(random, rows, columns):
    part = columns // 4
    return np.hstack([
        flags(random, rows, part, 0.002, 0.02), zero_inflated(random, rows, part),
        np.exp(1.5 * random.normal(size=(rows, part))), random.standard_t(2, size=(rows, part)),
    ])


INDEPENDENT = {
    "flags 0.2-0.5 %, 1000 x 222": lambda r: flags(r, 1000, 222, 0.002, 0.005),
    "flags 0.5-5 %, 1000 x 200": lambda r: flags(r, 1000, 200, 0.005, 0.05),
    "flags 1-5 %, 200 x 100": lambda r: flags(r, 200, 100, 0.01, 0.05),
    "counts with zeros, 400 x 100": lambda r: zero_inflated(r, 400, 100),
    "flags times lognormal, 400 x 80": lambda r: flags(r, 400, 80, 0.01, 0.1) * np.exp(2 * r.normal(size=(400, 1))),
    "flags, counts, tails, 600 x 80": lambda r: mixed(r, 600, 80),
    "lognormal, 300 x 60": lambda r: np.exp(2 * r.normal(size=(300, 60))),
    "t of 2 degrees, 150 x 100": lambda r: r.standard_t(2, size=(150, 100)),
}


def descriptors(random, rows=325, columns=230):
    """Counts of parts of molecules, most of them rare, and sums, products and weighted means of them."""
    groups = zero_inflated(random, rows, columns // 3)
    size = random.poisson(20, (rows, 1)) + groups.sum(axis=1, keepdims=True)
    made = []
    while len(made) < columns - groups.shape[1] - 1:
        few = random.choice(groups.shape[1], random.integers(1, 6), replace=False)
        column = groups[:, few] @ random.uniform(0.2, 3, len(few))
        kind = random.integers(4)
        if kind == 0:
            column = column + random.uniform(0.5, 2) * size[:, 0]
        elif kind == 1:
            column = column * groups[:, random.integers(groups.shape[1])]
        elif kind == 2:
            column = column / size[:, 0]
        column = column + random.choice([0.0, 0.02, 0.1]) * column.std() * random.normal(size=rows)
        if column.std() > 0:
            made.append(column)
    return np.hstack([groups, size, np.array(made).T])


def spectra(random, rows=215, columns=100):
    """Smooth curves of a few substances, with a little noise: every column nearly equals its neighbours."""
    at = np.linspace(0, 1, columns)
    bands = np.array([np.exp(-((at - c) / w) ** 2) for c, w in zip(np.linspace(0, 1, 6), [0.6, 0.3, 0.25, 0.2, 0.15, 0.2])])
    amounts = np.hstack([np.exp(0.3 * random.normal(size=(rows, 1))), 0.25 * random.random((rows, 5))])
    return 2 + amounts @ bands + 1e-4 * random.normal(size=(rows, columns))


LOOK_ALIKES = {"descriptors, 325 x 230": descriptors, "spectra, 215 x 100": spectra}


def turned(random, objects=12, views=48, side=14):
    """Pictures of things that are turned about: most are dark at the border, one has a faint bright ground, and some
    reach the border in a picture or two. Pixels there are equal but in these."""
    rows = []
    at = np.linspace(-1, 1, side)
    across, down = np.meshgrid(at, at)
    faint = random.integers(objects)
    for thing in range(objects):
        spots = random.integers(3, 8)
        place, width = 0.55 * random.normal(size=(spots, 2)), random.uniform(0.08, 0.3, spots)
        place *= np.minimum(1, 0.75 / np.linalg.norm(place, axis=1))[:, None]
        bright = random.uniform(0.2, 1, spots)
        ground = random.integers(0, 10, views) / 255 if thing == faint else np.zeros(views)
        for view in range(views):
            angle = 2 * np.pi * view / views
            turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
            centre = place @ turn + 0.06 * random.standard_t(2, size=2)
            picture = sum(
                b * ((across - x) ** 2 + (down - y) ** 2 < w**2) for (x, y), w, b in zip(centre, width, bright, strict=True)
            )
            rows.append(np.maximum(np.minimum(picture, 1), ground[view]).ravel())
    table = np.round(np.array(rows) * 255) / 255
    return table[:, table.std(axis=0) > 0]


LOOK_ALIKES["pictures, 576 x 196"] = turned
