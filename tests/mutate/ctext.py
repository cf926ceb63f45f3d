# SPDX-License-Identifier: MIT
"""C source as text: tokens, the function each line belongs to, and the changes that the operators make."""

import re
from collections import namedtuple

Token = namedtuple("Token", "kind text start line")
# operator: its name; start, end: what is replaced in the text of the file; text: what stands there instead
Change = namedtuple("Change", "operator start end text")

PATTERN = re.compile(
    r"(?P<skip>/\*.*?\*/|//[^\n]*|\\\n|\s+)"
    r"|(?P<str>(?:u8|[uUL])?\"(?:\\.|[^\"\\\n])*\")"
    r"|(?P<chr>[uUL]?'(?:\\.|[^'\\\n])+')"
    r"|(?P<num>\.?[0-9](?:[eEpP][+-]|[0-9A-Za-z_.])*)"
    r"|(?P<id>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<op>\.\.\.|<<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&^|]=|.)",
    re.S)
DIRECTIVE = re.compile(r"(?:/\*.*?\*/|\\\n|[^\n])*", re.S)

KEYWORDS = {"if", "while", "for", "switch", "return", "sizeof", "else", "do", "case", "goto", "break", "continue"}
ALLOCATE = {"malloc", "calloc", "realloc", "tr_grow"}
BOUNDARY = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
NEGATED = {"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}
ARITHMETIC = {"+": "-", "-": "+", "/": "*", "<<": ">>", ">>": "<<", "+=": "-=", "-=": "+=", "|=": "=", "++": "--",
              "--": "++", "&=": "="}
STRENGTH = {op: level for level, ops in enumerate(
    (("=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="), ("?", ":"), ("||",), ("&&",), ("|",), ("^",),
     ("&",), ("==", "!="), ("<", ">", "<=", ">="), ("<<", ">>"), ("+", "-"), ("*", "/", "%")), 1) for op in ops}


def tokenize(text):
    """All tokens; comments, blanks and lines of the preprocessor are left out."""
    tokens, at, line, fresh = [], 0, 1, True
    while at < len(text):
        if fresh and text[at] == "#":
            end = DIRECTIVE.match(text, at).end()
        else:
            m = PATTERN.match(text, at)
            end = m.end()
            if m.lastgroup != "skip":
                tokens.append(Token(m.lastgroup, m.group(), at, line))
        piece = text[at:end]
        line += piece.count("\n")
        if piece.strip():
            fresh = False
        fresh = fresh or "\n" in piece
        at = end
    return tokens


class Source:
    """A file: its lines, tokens, brackets, and the name of the function around each token."""

    def __init__(self, text):
        self.text = text
        self.lines = text.split("\n")
        self.tokens = tokenize(text)
        self.pair = self._pairs()
        self.function = self._functions()
        self.by_line = {}
        for i, t in enumerate(self.tokens):
            self.by_line.setdefault(t.line, []).append(i)
        self.constants = sorted({t.text for t in self.tokens if re.fullmatch(r"[A-Z][A-Z0-9_]+", t.text)})

    def _pairs(self):
        pair, open_ones = {}, []
        for i, t in enumerate(self.tokens):
            if t.text in ("(", "[", "{"):
                open_ones.append(i)
            elif t.text in (")", "]", "}") and open_ones:
                j = open_ones.pop()
                pair[i], pair[j] = j, i
        return pair

    def _functions(self):
        names, name, depth, parens, inside = [], None, 0, 0, None
        for i, t in enumerate(self.tokens):
            before = self.tokens[i - 1].text if i else ""
            if t.text == "{":
                if depth == 0 and before == ")":
                    inside = name
                depth += 1
            elif t.text == "}":
                depth -= 1
            elif depth == 0 and t.text == ";":
                name = None
            elif depth == 0 and t.text == "(":
                if not parens and i and self.tokens[i - 1].kind == "id" and before not in ("__attribute__", "sizeof"):
                    name = before  # the last one: macros without a semicolon may stand before
                parens += 1
            elif depth == 0 and t.text == ")":
                parens -= 1
            names.append(inside)
            if t.text == "}" and depth == 0:
                inside, name = None, None
        return names

    # ---- operands ----

    def operand(self, i, step):
        """First and last token of the operand on one side (step -1, 1) of the operator at i, or None."""
        level = STRENGTH[self.tokens[i].text]
        at = i + step
        while 0 <= at < len(self.tokens):
            text = self.tokens[at].text
            if text in ("(", "[", "{") if step > 0 else text in (")", "]", "}"):
                at = self.pair.get(at, -2)
            elif text in (")", "]", "}", "(", "[", "{", ",", ";", "return", "case"):
                break
            elif STRENGTH.get(text, 99) <= level and self.binary(at) and (step < 0 or at != i + 1):
                if not (step < 0 and STRENGTH[text] == level and text not in ("?", ":")):
                    break
            at += step
        if at < 0 or at >= len(self.tokens) or at == i + step:
            return None
        return (i + 1, at - 1) if step > 0 else (at + 1, i - 1)

    def binary(self, i):
        """Does the operator at i have an operand on its left?"""
        if i == 0:
            return False
        left = self.tokens[i - 1]
        if left.text == ")" and self.tokens[i].text in ("-", "+", "*", "&"):
            return not self.is_cast(self.pair.get(i - 1, i))
        return left.kind in ("num", "chr", "str") or left.text in (")", "]") or \
            (left.kind == "id" and left.text not in KEYWORDS)

    def is_cast(self, i):
        """Is the bracket at i that of a cast?"""
        inner = self.tokens[i + 1:self.pair.get(i, i)]
        words = [t.text for t in inner]
        return bool(words) and all(t.kind == "id" or t.text == "*" for t in inner) and \
            (words[0] in ("const", "unsigned", "struct", "enum", "int", "char", "size_t", "double", "long", "void",
                          "bool", "float", "short", "signed") or words[0].endswith("_t") or words[-1] == "*")

    def span(self, first, last):
        """Where these tokens stand, if on one line."""
        a, b = self.tokens[first], self.tokens[last]
        return (a.start, b.start + len(b.text)) if a.line == b.line else None

    def part(self, span):
        return self.text[span[0]:span[1]]

    # ---- operators ----

    def changes(self, line):
        """All changes of a line, in its order."""
        here = self.by_line.get(line, [])
        if not here or self.function[here[0]] is None:
            return []
        if self.tokens[here[0]].text in ("static", "assert", "_Static_assert", "case", "default"):
            return []
        found = []
        sizes = self._sizes(here)
        for i in here:
            found += self._comparisons(i) + self._conditions(i)
            if i not in sizes:
                found += self._operands(i) + self._numbers(i)
        return found + self._dropped(here)

    def _sizes(self, here):
        """Tokens that say how much memory is taken: too little is for sanitizers, too much changes nothing."""
        calls = [i + 1 for i in here if self.tokens[i].text in ALLOCATE and i + 1 in self.pair]
        return {k for i in calls for k in range(i, self.pair[i])}

    def _replace(self, operator, i, text):
        t = self.tokens[i]
        return Change(operator, t.start, t.start + len(t.text), text)

    def _comparisons(self, i):
        text = self.tokens[i].text
        found = []
        if text in BOUNDARY:
            found.append(self._replace("boundary", i, BOUNDARY[text]))
        if text in NEGATED:
            found.append(self._replace("negated", i, NEGATED[text]))
        if text == "!":
            found.append(self._replace("negated", i, ""))
        return found

    def _conditions(self, i):
        text, found = self.tokens[i].text, []
        if text == "if" and i + 1 in self.pair:
            span = self.span(i + 2, self.pair[i + 1] - 1)
            if span:
                found.append(Change("negated", *span, "!(%s)" % self.part(span)))
                found.append(Change("condition", *span, "true"))
                found.append(Change("condition", *span, "false"))
        if text in ("&&", "||", "|") and self.binary(i):
            for step in (-1, 1):
                operand = self.operand(i, step)
                span = operand and self.span(*operand)
                if span:
                    found.append(Change("condition" if text != "|" else "operand", *span,
                                        {"&&": "true", "||": "false", "|": "0"}[text]))
        return found

    def _swap(self, a, b):
        return Change("swapped", a[0], b[1], self.part(b) + self.text[a[1]:b[0]] + self.part(a))

    def _operands(self, i):
        t, found = self.tokens[i], []
        if t.text in ARITHMETIC and (t.text in ("++", "--") or self.binary(i)):
            found.append(self._replace("arithmetic", i, ARITHMETIC[t.text]))
        if t.text in ("-", "/", "%", "<<", ">>") and self.binary(i):
            sides = [self.operand(i, step) for step in (-1, 1)]
            spans = [side and self.span(*side) for side in sides]
            if all(spans):
                found.append(self._swap(*spans))
        if t.text in ("+", "-") and self.binary(i):
            right = self.operand(i, 1)
            span = right and self.span(*right)
            if span and re.fullmatch(r"\(?(\(\w+\))?1[uUlL]*\)?", self.part(span)):
                found.append(Change("off by one", t.start, span[1], ""))
        if t.text == "?":
            found += self._choice(i)
        if t.text == "(" and i and self.tokens[i - 1].kind == "id" and self.tokens[i - 1].text not in KEYWORDS:
            found += self._arguments(i)
        if t.kind == "id" and re.fullmatch(r"[A-Z][A-Z0-9]*_[A-Z0-9]+_[A-Z0-9_]+", t.text):
            family = [c for c in self.constants if c.rsplit("_", 1)[0] == t.text.rsplit("_", 1)[0] and c != t.text]
            found += [self._replace("constant", i, c) for c in family[:4]]
        return found

    def _choice(self, i):
        depth, at = 0, i + 1
        while at < len(self.tokens) and (depth or self.tokens[at].text != ":"):
            text = self.tokens[at].text
            if text in ("(", "[", "{"):
                at = self.pair.get(at, at)
            depth += (text == "?") - (text == ":")
            at += 1
        if at >= len(self.tokens) or at == i + 1:
            return []
        right = self.operand(at, 1)
        spans = [self.span(i + 1, at - 1), right and self.span(*right)]
        return [self._swap(*spans)] if all(spans) else []

    def _arguments(self, i):
        """Two arguments that follow each other change places."""
        parts, first, at, end = [], i + 1, i + 1, self.pair.get(i, i)
        while at <= end:
            if at == end or self.tokens[at].text == ",":
                parts.append((first, at - 1))
                first = at + 1
            elif self.tokens[at].text in ("(", "[", "{"):
                at = self.pair.get(at, at)
            at += 1
        spans = [self.span(*p) if p[0] <= p[1] else None for p in parts]
        return [self._swap(a, b) for a, b in zip(spans, spans[1:]) if a and b and self.part(a) != self.part(b)]

    def _numbers(self, i):
        t = self.tokens[i]
        if t.text in ("true", "false"):
            return [self._replace("constant", i, "false" if t.text == "true" else "true")]
        if t.kind == "chr" and re.fullmatch(r"'[A-Za-z0-9]'", t.text):
            return [self._replace("constant", i, "'%s'" % chr(ord(t.text[1]) + 1))]
        m = re.fullmatch(r"(0[xX][0-9a-fA-F]+|[0-9]+)([uUlL]*)", t.text)
        if not m:
            return []
        base = 16 if m.group(1)[1:2] in ("x", "X") else 8 if m.group(1)[0] == "0" else 10
        value = int(m.group(1), base)
        shape = "0x%x" if base == 16 else "%d"
        return [self._replace("constant", i, shape % n + m.group(2)) for n in (value + 1, value - 1) if n >= 0]

    def _dropped(self, here):
        """The line is one whole statement, and no declaration: it may be left out."""
        first, last = here[0], here[-1]
        before = self.tokens[first - 1].text if first else ";"
        if self.tokens[last].text != ";" or before not in (";", "{", "}", ")", "else", ":"):
            return []
        if any(self.pair.get(i, i) < first or self.pair.get(i, i) > last for i in here):
            return []
        words = [self.tokens[i] for i in here]
        start = 1 if words[0].text in ("*", "++", "--") or (words[0].text == "(" and words[1].text == "*") else 0
        after = words[start + 1].text if len(words) > start + 1 else ""
        plain = words[0].text in ("continue", "break") or (words[0].text == "return" and after == ";")
        acts = start or (words[0].kind == "id" and words[0].text not in KEYWORDS and
                         (after in ("(", "=", ".", "->", "[", "++", "--") or after in STRENGTH and after.endswith("="))
                         and after not in ("==",))
        if words[0].text == "free" or words[0].text.endswith("_free") or not (plain or acts):
            return []  # what only leaks is for sanitizers
        return [Change("dropped", words[0].start, words[-1].start, "(void)0")]


def apply(text, change):
    return text[:change.start] + change.text + text[change.end:]


def draw(source, line, random):
    """One change of the line: first one of the operators that can do something there, then one of its changes."""
    every = source.changes(line)
    if not every:
        return None
    name = random.choice(sorted({c.operator for c in every}))
    return random.choice([c for c in every if c.operator == name])
