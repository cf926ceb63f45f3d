# SPDX-License-Identifier: MIT
"""SVG of the programs read back: well-formed, only what pictures have, no label outside or over another one.

    p = read(svg)       p.bars, p.circles, p.paths, p.texts; p.axis(across=True)(pixel) is a value

Usage: svg_reader.py FILE...   reads each, and prints what is wrong.
"""
import os
import re
import sys
import xml.etree.ElementTree as ET

NS = "{http://www.w3.org/2000/svg}"
SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
NUMBER = r"(\u2212?[0-9][0-9,]*(?:\.[0-9]+)?(?:e[-+]?[0-9]+)?)"


def number(text):
    return float(text.replace("\u2212", "-").replace(",", ""))


def widths():
    """Widths of characters, from the table that the source has."""
    text = open(os.path.join(SOURCE, "libcore/chart/tr_chart_text.c")).read()
    found = []
    for name in ("regular", "bold_face"):
        body = re.search(r"%s\[\] = \{(.*?)\}" % name, text, re.S)[1]
        found.append([int(n) for n in re.findall(r"\d+", body)])
        assert len(found[-1]) == 95
    return found


WIDTHS = widths()
ALLOWED = {"svg": {"width", "height", "viewBox", "role", "aria-labelledby"}, "title": {"id"}, "desc": {"id"}, "style": set(),
           "rect": {"x", "y", "width", "height", "class"}, "text": {"x", "y", "class"}, "path": {"d", "class"},
           "circle": {"cx", "cy", "r", "class"}}


class Text:
    def __init__(self, e):
        self.s = "".join(e.itertext())
        self.classes = (e.get("class") or "").split()
        self.x, self.y = float(e.get("x")), float(e.get("y"))
        size = 18 if "ti" in self.classes else 14 if "tj" in self.classes else \
            11 if {"tk", "sm"} & set(self.classes) else 12
        face = WIDTHS[bool({"ti", "tj", "fa"} & set(self.classes))]
        self.w = sum(face[ord(c) - 32] if 32 <= ord(c) < 127 else 318 if c == "\u00b7" else 636 if c == "\u00b5" else
                     1000 if ord(c) >= 0x600 else 838 for c in self.s) * size / 1000
        left = self.x - (self.w if "e" in self.classes else self.w / 2 if "m" in self.classes else 0)
        self.box = (left, self.y - 0.76 * size, left + self.w, self.y + 0.2 * size)


class Picture:
    def __init__(self, svg):
        self.svg = svg
        text = svg.decode("utf-8")
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text), "control characters"
        self.root = ET.fromstring(svg)
        self.check_elements()
        find = lambda tag: list(self.root.iter(NS + tag))
        self.width, self.height = float(self.root.get("width")), float(self.root.get("height"))
        self.texts = [Text(e) for e in find("text")]
        self.rects = [(float(e.get("x")), float(e.get("y")), float(e.get("width")), float(e.get("height")),
                       e.get("class"), e.findtext(NS + "title")) for e in find("rect")]
        self.circles = [(float(e.get("cx")), float(e.get("cy")), e.findtext(NS + "title")) for e in find("circle")]
        self.paths = [(e.get("d"), e.get("class"), e.findtext(NS + "title")) for e in find("path")]
        self.bars = [r for r in self.rects if "f-" in r[4] and r[5]]

    def check_elements(self):
        for e in self.root.iter():
            tag = e.tag.replace(NS, "")
            assert tag in ALLOWED, "an element " + tag
            assert set(e.attrib) <= ALLOWED[tag], "attributes %s of %s" % (set(e.attrib) - ALLOWED[tag], tag)

    def check_labels(self):
        """No label leaves the picture, and no two overlap."""
        for t in self.texts:
            assert t.box[0] >= -0.5 and t.box[2] <= self.width + 0.5, "'%s' leaves the picture: %s" % (t.s, t.box)
            assert t.box[1] >= -0.5 and t.box[3] <= self.height + 0.5, "'%s' leaves the picture: %s" % (t.s, t.box)
        texts = [t for t in self.texts if t.s]
        for i, a in enumerate(texts):
            for b in texts[:i]:
                x = min(a.box[2], b.box[2]) - max(a.box[0], b.box[0])
                y = min(a.box[3], b.box[3]) - max(a.box[1], b.box[1])
                assert x < 0.5 or y < 0.5, "'%s' overlaps '%s'" % (a.s, b.s)

    def axis(self, across, log=False):
        """What a pixel of an axis stands for: a function, from the labels of its ticks."""
        ticks = []
        unit = 1.0
        title = [t.s for t in self.texts if "ax" in t.classes]
        scales = {"ns": 1, "\u00b5s": 1e3, "ms": 1e6, "s": 1e9, "B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12,
                  "millions": 1e6, "billions": 1e9}
        for t in self.texts:
            m = re.fullmatch(NUMBER + r"(?: (\S+))?", t.s)
            if "tk" in t.classes and m and ("m" in t.classes) == across:
                ticks.append((t.x if across else t.y - 4, number(m[1]) * scales.get(m[2], 1)))
        for s in title[:1] if across else title[1:]:
            m = re.search(r"\((\S+)\)$", s)
            unit = scales.get(m[1], 1.0) if m else 1.0
        ticks.sort()
        (a, va), (b, vb) = ticks[0], ticks[-1]
        if log:
            from math import log10
            return lambda px: 10 ** (log10(va) + (px - a) / (b - a) * (log10(vb) - log10(va)))
        return lambda px: (va + (px - a) / (b - a) * (vb - va)) * unit


def read(svg):
    p = Picture(svg)
    p.check_labels()
    return p


if __name__ == "__main__":
    for name in sys.argv[1:]:
        try:
            read(open(name, "rb").read())
        except Exception as e:
            print("%s: %s: %s" % (os.path.basename(name), type(e).__name__, e))
