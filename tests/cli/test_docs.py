"""The documentation leads where it says: every link between pages, every heading that is linked to, every page in the site."""

import re
import subprocess

import pytest
from conftest import ROOT

LINK = re.compile(r"(?<!\!)\[[^\]\n]*\]\(([^)\s]+)\)|!\[[^\]\n]*\]\(([^)\s]+)\)")


def pages():
    try:
        listed = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    except (OSError, subprocess.CalledProcessError):  # a source distribution
        listed = [str(path.relative_to(ROOT)) for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]]
    return sorted(listed)


def prose(path):
    """The page without its code."""
    text = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.S | re.M)
    return re.sub(r"`[^`\n]*`", "", text)


def anchors(path):
    """As GitHub and MkDocs make them of headings."""
    text = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.S | re.M)
    heads = re.findall(r"^#+ (.*)$", text, flags=re.M)
    return {re.sub(r"[^\w\- ]", "", head.lower()).strip().replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", pages())
def test_links(page):
    for match in LINK.finditer(prose(ROOT / page)):
        target = match[1] or match[2]
        if re.match(r"[a-z]+:", target):
            continue
        file, _, anchor = target.partition("#")
        path = (ROOT / page).parent / file if file else ROOT / page
        assert path.exists(), f"{page} links to {target}"
        if anchor and path.suffix == ".md":
            assert anchor in anchors(path), f"{page} links to {target}"


def test_the_site_has_every_page():
    nav = (ROOT / "mkdocs.yml").read_text()
    for page in pages():
        if re.fullmatch(r"docs/[\w-]+\.md", page) and page != "docs/README.md":
            assert page in nav, f"{page} is not in mkdocs.yml"


def test_the_reference_of_headers_has_every_header_and_nothing_private():
    page = subprocess.run([ROOT / "tools" / "cpp-reference"], capture_output=True, text=True, check=True).stdout
    sections = re.split(r"^## fsieve/", page, flags=re.M)[1:]
    assert [text.split("\n")[0] for text in sections] == sorted(path.name for path in (ROOT / "include" / "fsieve").glob("*.h"))
    for section in sections:
        assert re.match(r"\S+\n\n\w[^\n]+", section), "a header says first what it is for"
        assert section.count("\n### ") > 0 and section.count("```") % 2 == 0
    assert "### uffs()\n" in page and "### OutputFiles\n" in page and " private:" not in page
