"""Tables for the trial of `reduce`: relations made by hand, formulas of physics, noise.

Each maker gets a random generator and a number of rows and returns columns by name; what is beside it says how few
features can be kept.
"""

import numpy as np

G = 6.674e-11


def formulas():
    """{name: (formula, inputs)}: one column computed from others, all positive unless marked with ±."""
    return {
        "E = m v²/2": (lambda m, v: m * v**2 / 2, "m v"),
        "p = m v": (lambda m, v: m * v, "m ±v"),
        "F = m a": (lambda m, a: m * a, "m ±a"),
        "W = F s": (lambda F, s: F * s, "±F s"),
        "P = W / t": (lambda W, t: W / t, "W t"),
        "rho = m / V": (lambda m, V: m / V, "m V"),
        "U = R I": (lambda R, I: R * I, "R ±I"),
        "P = U I": (lambda U, I: U * I, "±U ±I"),
        "P = I² R": (lambda I, R: I**2 * R, "±I R"),
        "P = U²/R": (lambda U, R: U**2 / R, "±U R"),
        "Q = C U": (lambda C, U: C * U, "C ±U"),
        "E = C U²/2": (lambda C, U: C * U**2 / 2, "C ±U"),
        "E = L I²/2": (lambda L, I: L * I**2 / 2, "L ±I"),
        "T = 2π√(l/g)": (lambda l, g: 2 * np.pi * np.sqrt(l / g), "l g"),
        "T = 2π√(m/k)": (lambda m, k: 2 * np.pi * np.sqrt(m / k), "m k"),
        "f = 1/(2π√(L C))": (lambda L, C: 1 / (2 * np.pi * np.sqrt(L * C)), "L C"),
        "F = G m M/r²": (lambda m, M, r: G * m * M / r**2, "m M r"),
        "F = q Q/r²": (lambda q, Q, r: 8.99 * q * Q / r**2, "±q ±Q r"),
        "p V = n R T": (lambda n, T, V: 8.314 * n * T / V, "n T V"),
        "v = u + a t": (lambda u, a, t: u + a * t, "±u ±a t"),
        "s = u t + a t²/2": (lambda u, a, t: u * t + a * t**2 / 2, "±u ±a t"),
        "v = √(2 g h)": (lambda g, h: np.sqrt(2 * g * h), "g h"),
        "E = m g h": (lambda m, g, h: m * g * h, "m g h"),
        "E = m g h + m v²/2": (lambda m, g, h, v: m * g * h + m * v**2 / 2, "m g h v"),
        "E = m v²/2 + k x²/2": (lambda m, v, k, x: m * v**2 / 2 + k * x**2 / 2, "m ±v k ±x"),
        "E = two kinetic": (lambda m, v, M, w: m * v**2 / 2 + M * w**2 / 2, "m ±v M ±w"),
        "p = m v + M w": (lambda m, v, M, w: m * v + M * w, "m ±v M ±w"),
        "Bernoulli": (lambda p, rho, v, h: p + rho * v**2 / 2 + 9.81 * rho * h, "p rho v h"),
        "F = q (E + v B)": (lambda q, E, v, B: q * E + q * v * B, "±q ±E ±v ±B"),
        "a = v²/r": (lambda v, r: v**2 / r, "v r"),
        "F = m v²/r": (lambda m, v, r: m * v**2 / r, "m v r"),
        "omega = v/r": (lambda v, r: v / r, "±v r"),
        "L = m v r": (lambda m, v, r: m * v * r, "m ±v r"),
        "I = m r²": (lambda m, r: m * r**2, "m r"),
        "I = m (a² + b²)/12": (lambda m, a, b: m * (a**2 + b**2) / 12, "m a b"),
        "A = π r²": (lambda r: np.pi * r**2, "r"),
        "V = 4π r³/3": (lambda r: 4 * np.pi * r**3 / 3, "r"),
        "V = π r² h": (lambda r, h: np.pi * r**2 * h, "r h"),
        "A = 2π r (r + h)": (lambda r, h: 2 * np.pi * r**2 + 2 * np.pi * r * h, "r h"),
        "bmi = m/h²": (lambda m, h: m / h**2, "m h"),
        "Q = m c dT": (lambda m, c, dT: m * c * dT, "m c ±dT"),
        "Q = m c (T - S)": (lambda m, c, T, S: m * c * (T - S), "m c T S"),
        "P = sigma A T⁴": (lambda A, T: 5.67e-8 * A * T**4, "A T"),
        "E = h c/lambda": (lambda x: 19.86 / x, "x"),
        "T² = a³": (lambda a, M: 2 * np.pi * np.sqrt(a**3 / (G * M)), "a M"),
        "Stokes F = 6π η r v": (lambda eta, r, v: 6 * np.pi * eta * r * v, "eta r v"),
        "Poiseuille": (lambda dp, r, eta, l: np.pi * dp * r**4 / (8 * eta * l), "dp r eta l"),
        "R = rho l/A": (lambda rho, l, A: rho * l / A, "rho l A"),
        "h = u t - g t²/2": (lambda u, t: u * t - 9.81 * t**2 / 2, "u t"),
        "U = E - R I": (lambda E, R, I: E - R * I, "E R I"),
        "Reynolds": (lambda rho, v, l, eta: rho * v * l / eta, "rho v l eta"),
        "lens 1/f = 1/a + 1/b": (lambda a, b: 1 / (1 / a + 1 / b), "a b"),
        "c² = a² + b²": (lambda a, b: np.sqrt(a**2 + b**2), "a b"),
        "centre of mass": (lambda m, x, M, y: (m * x + M * y) / (m + M), "m ±x M ±y"),
        "Doppler": (lambda f, c, v: f * c / (c - v), "f c v"),
        "gamma": (lambda m, v: m / np.sqrt(1 - (v / 4) ** 2), "m v"),
    }


def formula_table(name, random, rows=400):
    """The columns of a formula and two unrelated ones, in a random order."""
    function, inputs = formulas()[name]
    columns = {}
    for word in inputs.split():
        values = random.uniform(0.5, 3, rows)
        columns[word.lstrip("±")] = values * random.choice([-1, 1], rows) if word[0] == "±" else values
    columns["y"] = function(*columns.values())
    columns["u1"], columns["u2"] = random.uniform(1, 4, rows), random.normal(5, 2, rows)
    return shuffled(columns, random)


def shuffled(columns, random):
    names = list(columns)
    random.shuffle(names)
    return {name: columns[name] for name in names}


def made_by_hand():
    """{name: (maker, fewest kept)}"""

    def table(maker):
        return lambda random, rows=500: maker(random, rows)

    def normal(random, rows, names):
        return {name: random.normal(size=rows) for name in names.split()}

    def positive(random, rows, names):
        return {name: random.uniform(1, 5, rows) for name in names.split()}

    def chain(random, n):
        t = normal(random, n, "x y u")
        t["z"] = t["x"] * t["y"]
        t["w"] = t["z"] * t["u"]
        return t

    def long_chain(random, n):
        t = normal(random, n, "a b c d e")
        t["p"] = t["a"] * t["b"]
        t["q"] = t["p"] * t["c"]
        t["r"] = t["q"] * t["d"]
        t["s"] = t["r"] * t["e"]
        return t

    def sums(random, n):
        t = normal(random, n, "a b c d")
        t["total"] = t["a"] + t["b"] + t["c"] + t["d"]
        return t

    def nested_sums(random, n):
        t = normal(random, n, "a b c d e")
        t["ab"] = t["a"] + t["b"]
        t["abc"] = t["ab"] + t["c"]
        t["all"] = t["abc"] + t["d"] + t["e"]
        return t

    def missing_part(random, n):
        t = positive(random, n, "a b e")
        t["total"] = t["a"] + t["b"] + random.uniform(1, 5, n)
        t["p"] = (t["total"] - t["a"] - t["b"]) * t["e"]
        return t

    def conversions(random, n):
        t = positive(random, n, "metres grams")
        t["feet"] = t["metres"] * 3.28084
        t["inches"] = t["metres"] * 39.3701
        t["celsius"] = random.normal(15, 8, n)
        t["fahrenheit"] = t["celsius"] * 1.8 + 32
        t["kelvin"] = t["celsius"] + 273.15
        return t

    def two_terms(random, n):
        t = normal(random, n, "a b c d")
        t["z"] = t["a"] * t["b"] + t["c"] * t["d"]
        return t

    def three_terms(random, n):
        t = normal(random, n, "a b c d e")
        t["z"] = 2 * t["a"] * t["b"] - t["c"] * t["d"] + 3 * t["e"]
        return t

    def powers(random, n):
        t = positive(random, n, "radius height")
        t["area"] = np.pi * t["radius"] ** 2
        t["volume"] = t["area"] * t["height"]
        return t

    def ratios(random, n):
        t = positive(random, n, "mass volume weight height")
        t["density"] = t["mass"] / t["volume"]
        t["bmi"] = t["weight"] / t["height"] ** 2
        return t

    def duplicates(random, n):
        t = normal(random, n, "a b")
        return {**t, "a2": t["a"], "a3": -t["a"], "b2": 2 * t["b"] + 1, "b3": t["b"]}

    def noisy_sum(random, n):
        t = normal(random, n, "a b c")
        t["total"] = t["a"] + t["b"] + t["c"] + 0.05 * random.normal(size=n)
        return t

    def noisy_product(random, n):
        t = positive(random, n, "a b c")
        product = t["a"] * t["b"]
        t["z"] = product + 0.03 * product.std() * random.normal(size=n)
        return t

    def noisy_copy(random, n):
        t = normal(random, n, "a b")
        t["copy"] = t["a"] + 0.03 * random.normal(size=n)
        return t

    def categories(random, n):
        colour, size = random.choice(["blue", "green", "red"], n), random.choice(["large", "small"], n)
        code = np.char.add(np.char.add(colour.astype(str), "-"), size.astype(str))
        price = 6 + 2.0 * (colour == "red") - 3 * (size == "small")
        return {"colour": colour, "size": size, "code": code, "price": price, "grams": random.uniform(1, 2, n)}

    def same_category(random, n):
        colour = random.choice(["blue", "green", "red"], n)
        other = np.where(colour == "blue", "azul", np.where(colour == "green", "verde", "rojo"))
        return {"colour": colour, "color": other, "x": random.normal(size=n)}

    def signs(random, n):
        t = {name: random.choice([-1.0, 1.0], n) for name in "a b c d".split()}
        t["abc"] = t["a"] * t["b"] * t["c"]
        t["cd"] = 2 * t["c"] * t["d"]
        return t

    def bits(random, n):
        t = {name: random.integers(0, 2, n).astype(float) for name in "a b c".split()}
        t["xor"] = (t["a"] != t["b"]) * 1.0
        t["both"] = t["b"] * t["c"]
        return t

    def labelled(random, n):
        t = normal(random, n, "a b c")
        t["s"] = t["a"] - 2 * t["b"]
        t["label"] = np.where(t["c"] > 0, "yes", "no")
        return t

    def sum_and_product(random, n):
        t = normal(random, n, "x y w v")
        t["z"] = t["x"] * t["y"]
        t["total"] = t["z"] + t["w"] + t["v"]
        return t

    def circle(random, n):
        t = positive(random, n, "radius u")
        t["diameter"] = 2 * t["radius"]
        t["circumference"] = 2 * np.pi * t["radius"]
        t["area"] = np.pi * t["radius"] ** 2
        return t

    def energies(random, n):
        t = positive(random, n, "m v g h")
        t["kinetic"] = t["m"] * t["v"] ** 2 / 2
        t["potential"] = t["m"] * t["g"] * t["h"]
        t["energy"] = t["kinetic"] + t["potential"]
        t["momentum"] = t["m"] * t["v"]
        return t

    def shares(random, n):
        t = positive(random, n, "a b")
        t["total"] = t["a"] + t["b"]
        t["share"] = t["a"] / t["total"]
        return t

    def nothing(random, n):
        return normal(random, n, "a b c d e f")

    def shop(random, n):
        t = {"price": random.uniform(1, 50, n), "count": random.integers(1, 9, n).astype(float)}
        t["net"] = t["price"] * t["count"]
        t["tax"] = 0.19 * t["net"]
        t["gross"] = t["net"] + t["tax"]
        t["paid"] = t["gross"] + random.uniform(0, 9, n)
        t["tip"] = t["paid"] - t["gross"]
        return t

    def constant_too(random, n):
        t = normal(random, n, "a b")
        return {**t, "five": np.full(n, 5.0), "s": t["a"] + t["b"] + 5, "p": t["a"] * t["b"]}

    def square_sum(random, n):
        t = normal(random, n, "x y")
        t["z"] = t["x"] ** 2 + t["y"] ** 2
        return t

    return {
        "chain": (table(chain), 3),
        "long chain": (table(long_chain), 5),
        "sum": (table(sums), 4),
        "nested sums": (table(nested_sums), 5),
        "missing part": (table(missing_part), 4),
        "conversions": (table(conversions), 3),
        "two terms": (table(two_terms), 4),
        "three terms": (table(three_terms), 5),
        "powers": (table(powers), 2),
        "ratios": (table(ratios), 4),
        "duplicates": (table(duplicates), 2),
        "noisy sum": (table(noisy_sum), 3),
        "noisy product": (table(noisy_product), 3),
        "noisy copy": (table(noisy_copy), 2),
        "categories": (table(categories), 2),
        "same category": (table(same_category), 2),
        "signs": (table(signs), 4),
        "bits": (table(bits), 3),
        "labelled": (table(labelled), 3),
        "sum and product": (table(sum_and_product), 4),
        "circle": (table(circle), 2),
        "energies": (table(energies), 4),
        "shares": (table(shares), 2),
        "nothing": (table(nothing), 6),
        "shop": (table(shop), 3),
        "constant too": (table(constant_too), 2),
        "square sum": (table(square_sum), 2),
    }
