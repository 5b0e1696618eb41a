"""Pages of `fsieve report` as a browser sees them. Fails where one of them is not as promised."""

import argparse
import csv
import json
import pathlib
import subprocess
import sys

import numpy as np
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "build" / "release" / "fsieve"
FOLDER = ROOT / "build" / "bench-report" / "pages"
SECTIONS = ["short", "redundancy", "relevance", "rule", "data"]
HOSTILE = ["</script><script>document.title='hit'</script>", "<img src=x onerror=document.title='hit'>", "a\u202eb", "n" * 10_000, "\"'><b>"]
LONGEST_MS = 200  # to a page that answers, for 1000 columns


def save(name, columns, rows):
    path = FOLDER / f"{name}.csv"
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(rows)
    return path


def tables():
    """Name, file, label."""
    rng = np.random.default_rng(1)
    subprocess.run([PROGRAM, "demo", "--quiet", "-o", FOLDER / "cars.csv"], check=True, stdout=subprocess.DEVNULL)
    yield "no label", FOLDER / "cars.csv", None
    yield "a number", FOLDER / "cars.csv", "economy"
    yield "many classes", FOLDER / "cars.csv", "colour"
    bits = rng.integers(0, 2, (500, 20))
    yield "two classes", save("bits", [*(f"x{j}" for j in range(20)), "y"], [[*row, "yes" if row[3] ^ row[8] else "no"] for row in bits]), "y"
    hostile = rng.normal(size=(100, len(HOSTILE))).round(3)
    yield "hostile", save("hostile", [*HOSTILE, "<i>y"], [[*row, "<b>" if row[0] > 0 else "</script>"] for row in hostile]), "<i>y"
    for columns in (1000, 5000):
        base = rng.normal(size=(100, columns // 5))
        wide = np.hstack([base, *(base * (k + 2) for k in range(4))]).round(6)
        yield f"{columns} columns", save(f"wide{columns}", [f"column_{j}" for j in range(columns)], wide), None


def made(name, table, label):
    page = FOLDER / f"{name.replace(' ', '-')}.html"
    words = [PROGRAM, "report", table, "-o", page, "--quiet"] + (["--label", label] if label else [])
    subprocess.run(words, check=True, stderr=subprocess.DEVNULL)
    return page


def opened(page, html):
    """Milliseconds until all sections are there: CPU of the page's thread, which other work on the machine does not change, and
    by the page's own clock."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def used():
        return next(entry["value"] for entry in session.send("Performance.getMetrics")["metrics"] if entry["name"] == "TaskDuration")

    before = used()
    page.goto(html.as_uri(), wait_until="domcontentloaded")
    cpu = 1000 * (used() - before)
    return cpu, page.evaluate("performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd")


def works(page):
    """Search, sorting and clicks."""
    problems = []
    for section in SECTIONS:
        if len(page.inner_text(f"#{section}").strip()) < 25:
            problems.append(f"section {section} is empty")
    rows = page.locator("#redundancy tbody tr:not(.gap)")
    table = page.locator("#redundancy table.long")
    before = table.get_attribute("aria-rowcount")
    search = page.locator("#redundancy input[type=search]")
    search.fill("no such column at all")
    if rows.count():
        problems.append("the search finds what is not there")
    search.fill("")
    if table.get_attribute("aria-rowcount") != before:
        problems.append("the search does not give back the rows")
    first = rows.first.inner_text()
    head = page.locator("#redundancy th button").first
    head.click()
    head.click()
    if page.locator("#redundancy th[aria-sort=descending]").count() != 1:
        problems.append("sorting is not said")
    if rows.count() > 1 and rows.first.inner_text() == first:
        problems.append("sorting changes nothing")
    nodes = page.locator("#redundancy svg.graph .node.is-gone")
    if nodes.count():
        nodes.first.focus()
        if page.locator("#tip").is_hidden():
            problems.append("no hint at a node that has the focus")
        page.keyboard.press("Enter")
        if page.locator("#redundancy .chip").count() != 1:
            problems.append("a click on a node filters nothing")
        if page.locator("#redundancy circle.dot").count() == 0:
            problems.append("no points for the chosen column")
        page.locator("#redundancy .chip").click()
        if page.locator("#redundancy .chip").count():
            problems.append("the filter stays")
    return problems


def looked_at(browser, name, html):
    problems, said, asked = [], [], []
    times = []
    for scheme, width in (("light", 1200), ("dark", 1200), ("light", 390)):
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        page = context.new_page()
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("request", lambda request: asked.append(request.url) if request.url != html.as_uri() else None)
        times.append(opened(page, html))
        if page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"):
            problems.append(f"wider than {width} pixels")
        page.screenshot(path=str(html.with_suffix(f".{scheme}.{width}.png")), full_page=True)
        found = Axe().run(page).response["violations"]
        problems += [f"axe, {scheme} {width}: {entry['id']} ({entry['impact']}) {entry['nodes'][0]['target']}" for entry in found]
        if width == 1200 and scheme == "light":
            problems += works(page)
            if page.title() == "hit":
                problems.append("a name became a script")
        context.close()
    problems += [f"console: {line}" for line in said] + [f"request: {url}" for url in asked]
    return [min(each) for each in zip(*times)], problems


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", metavar="FILE[:LABEL]", help="more tables")
    FOLDER.mkdir(parents=True, exist_ok=True)
    files = [entry.partition(":") for entry in parser.parse_args().files]
    given = [(pathlib.Path(file).name.split(".")[0], pathlib.Path(file), label or None) for file, _, label in files]
    failed = False
    print(f"{'page':<20} {'kB':>6} {'CPU ms':>7} {'ms':>6}  problems")
    with sync_playwright() as player:
        browser = player.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        for name, table, label in [*tables(), *given]:
            html = made(name, table, label)
            (cpu, wall), problems = looked_at(browser, name, html)
            columns = len(json.loads(html.read_text().split('id="fsieve-data">')[1].split("</script>")[0])["columns"])
            if columns <= 1001 and min(cpu, wall) > LONGEST_MS:
                problems.append(f"slower than {LONGEST_MS} ms")
            if columns <= 1001 and html.stat().st_size > 2_000_000:
                problems.append("larger than 2 MB")
            print(f"{name:<20} {html.stat().st_size // 1000:>6} {cpu:>7.0f} {wall:>6.0f}  {'; '.join(problems) or 'none'}", flush=True)
            failed = failed or bool(problems)
    sys.exit(failed)


if __name__ == "__main__":
    main()
