# SPDX-License-Identifier: MIT
"""Pages of HTML read back: well-formed, only what pages have, nothing that runs but their own script.

    p = read(html)       p.tables, p.text, p.section("idle")

Usage: page_reader.py FILE...   reads each, and prints what is wrong.
"""
import base64
import hashlib
import html.parser
import re
import sys
import xml.etree.ElementTree as ET

X, S = "{http://www.w3.org/1999/xhtml}", "{http://www.w3.org/2000/svg}"
MOST = 2 << 20

ALLOWED = {
    "html": {"lang"}, "head": set(), "title": set(), "style": set(), "script": set(), "body": set(), "header": set(),
    "meta": {"charset", "http-equiv", "content", "name"}, "main": set(), "nav": set(), "section": {"id"},
    "article": {"class", "id"}, "div": {"class"}, "span": {"class"}, "b": set(), "p": {"class"}, "h1": set(),
    "h2": set(), "h3": set(), "dl": {"class"}, "dt": set(), "dd": set(), "ul": {"class"}, "ol": set(), "li": set(),
    "a": {"href"}, "figure": set(), "figcaption": {"class"}, "details": {"class", "open"}, "summary": set(),
    "pre": set(), "table": set(), "thead": set(), "tbody": set(), "tr": {"class"}, "th": {"class", "title"},
    "td": {"class"},
}
DRAWN = {
    "svg": {"class", "viewBox", "width", "height", "role", "aria-label", "aria-hidden", "data-from", "data-to",
            "preserveAspectRatio"},
    "title": set(), "rect": {"x", "y", "width", "height", "rx", "class", "vector-effect"}, "text": {"x", "y", "class"},
    "path": {"d", "class", "vector-effect"}, "circle": {"cx", "cy", "r", "class"},
}


class Tags(html.parser.HTMLParser):
    """What a browser sees: the start tags, in order."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.tags = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, sorted((k, v) for k, v in attrs if k != "xmlns")))


def local(e):
    return e.tag.split("}")[1]


class Page:
    def __init__(self, data):
        assert len(data) < MOST, "a page of %d bytes" % len(data)
        text = data.decode("utf-8")
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u206f]", text), "control characters"
        self.root = ET.fromstring(text)
        self.check_policy(text)
        self.check_elements()
        seen = [(local(e).lower(), sorted((k.lower(), v) for k, v in e.attrib.items())) for e in self.root.iter()]
        assert [(t, sorted(a)) for t, a in Tags(text).tags] == seen, "HTML and XML see different elements"
        self.text = "".join(self.root.find(X + "body").itertext())

    def check_policy(self, text):
        digest = lambda s: "'sha256-%s'" % base64.b64encode(hashlib.sha256(s.encode()).digest()).decode()
        scripts = re.findall(r"<script[^>]*>(.*?)</script>", text, re.S)
        styles = re.findall(r"<style[^>]*>(.*?)</style>", text, re.S)
        assert len(scripts) == 1 and len(styles) == 1, "%d scripts, %d style sheets" % (len(scripts), len(styles))
        policy = re.search(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)"/>', text)[1]
        assert policy == ("default-src 'none'; style-src %s; script-src %s; base-uri 'none'; form-action 'none'"
                          % (digest(styles[0]), digest(scripts[0]))), policy
        assert text.index("Content-Security-Policy") < text.index("<style>"), "the policy comes too late"

    def check_elements(self):
        ids = []
        for e in self.root.iter():
            allowed = (DRAWN if e.tag.startswith(S) else ALLOWED).get(local(e))
            assert allowed is not None, "element " + e.tag
            assert set(e.attrib) <= allowed, "%s with %s" % (local(e), sorted(e.attrib))
            if local(e) == "a":
                assert e.get("href").startswith("#"), e.get("href")
            ids += [e.get("id")] if e.get("id") else []
        assert len(ids) == len(set(ids)), "an id is there twice"
        for e in self.root.iter(X + "a"):
            assert e.get("href")[1:] in ids, "a link to nowhere: " + e.get("href")

    def section(self, name):
        return next((e for e in self.root.iter(X + "section") if e.get("id") == name), None)

    def tables(self, within=None):
        """Each as a list of rows, each a dict from column to text."""
        found = []
        for t in (self.root if within is None else within).iter(X + "table"):
            cells = [["".join(c.itertext()).strip() for c in r] for r in t.iter(X + "tr")]
            found.append([dict(zip(cells[0], row)) for row in cells[1:]])
        return found


def read(data):
    return Page(data)


def main():
    for path in sys.argv[1:]:
        try:
            read(open(path, "rb").read())
        except Exception as e:  # any of them is a defect
            print("%s: %s" % (path, e))


if __name__ == "__main__":
    main()
