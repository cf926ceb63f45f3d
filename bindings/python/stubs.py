#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Make tracepipe/__init__.pyi: types for editors and checkers.  The methods of analyses are those of the library.

usage: stubs.py >tracepipe/__init__.pyi
"""

import os
import sys
import textwrap

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from tracepipe import _analyses  # noqa: E402

BEFORE = '''\
# SPDX-License-Identifier: MIT
# Made by stubs.py from the library: do not edit.
import os
from typing import Any, Callable, Iterable, Iterator, Mapping, NamedTuple, Sequence

__version__: str

_Path = str | os.PathLike[str]
_Paths = _Path | Iterable[_Path] | Mapping[str, bytes] | bytes
_Numbers = int | str | range | Iterable[int]
_Window = str | tuple[int | None, int | None]
_Progress = bool | Callable[[int, int], Any] | None
_Asked = str | tuple[str, Mapping[str, Any]]

class Error(Exception):
    input: str | None
    place: str | None
    what: str | None
    offset: int | None
    errno: int | None

class UsageError(Error, ValueError): ...
class DamagedError(Error): ...
class TraceOSError(Error, OSError): ...  # type: ignore[misc]
class AbsentError(Error, LookupError): ...

class DamageWarning(UserWarning):
    input: str | None
    place: str | None
    what: str | None

class Remark(UserWarning): ...

class Column(NamedTuple):
    name: str
    type: str
    role: str
    unit: str | None
    meaning: str | None

class Step(NamedTuple):
    number: int
    start: int
    end: int

class Source(NamedTuple):
    rank: int | None
    name: str | None
    host: str | None
    format: str | None
    base_ns: int
    first_ns: int | None
    last_ns: int | None
    events: int
    repaired: int
    lost: int
    steps: list[Step]

class Plot:
    svg: str
    def __init__(self, svg: str) -> None: ...
    def save(self, path: _Path) -> None: ...

class Page(str):
    def save(self, path: _Path) -> None: ...

class Table:
    name: str
    question: str | None
    remarks: list[str]
    columns: list[Column]
    headline: Table | None  # of diff()
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[dict[str, Any]]: ...
    def __getitem__(self, name: str) -> list[Any]: ...
    def to_pydict(self) -> dict[str, list[Any]]: ...
    def to_pandas(self) -> Any: ...
    def to_numpy(self) -> dict[str, Any]: ...
    @property
    def df(self) -> Any: ...
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def to(self, form: str) -> str: ...
    def to_json(self) -> str: ...
    def plot(self) -> Plot: ...
    def save(self, path: _Path) -> None: ...

class Batch:
    columns: list[str]
    def __len__(self) -> int: ...
    def __getitem__(self, name: str) -> list[Any]: ...
    def to_pydict(self) -> dict[str, list[Any]]: ...
    def to_numpy(self) -> dict[str, Any]: ...
    def to_pandas(self) -> Any: ...
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...

class Events:
    def __iter__(self) -> Iterator[Batch]: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def to_numpy(self) -> dict[str, Any]: ...
    def to_pandas(self) -> Any: ...
    @property
    def df(self) -> Any: ...

class Partial(bytes):
    def tables(self) -> list[Table]: ...
    def table(self) -> Table: ...

class Trace:
    def select(self, **chosen: Any) -> Trace: ...
    @property
    def sources(self) -> list[Source]: ...
    @property
    def ranks(self) -> list[int]: ...
    def events(self, columns: Sequence[str] | Mapping[str, Any] | str | None = None) -> Events: ...
    def run(self, *asked: _Asked, progress: _Progress = None) -> list[Table]: ...
    def partial(self, *asked: _Asked, **options: Any) -> Partial: ...
    def info(self) -> dict[str, Any]: ...
    def page(
        self, form: str = "html", *, base: _Path | Sequence[_Path] | None = None, sections: str | Sequence[str] | None = None,
        top: int | None = None, findings: int | str | None = None, per: str | None = None, unit: str | None = None,
        arch: _Path | None = None, attach_capture: _Path | Sequence[_Path] | None = None, no_align: bool | None = None,
        set: str | Sequence[str] | None = None, expect_ranks: str | None = None, min_ranks: int | None = None,
        quiet: bool | None = None,
    ) -> Page: ...
    def write(self, path: _Path, compress: str = "lz4") -> None: ...
'''

AFTER = '''
def open(
    paths: _Paths, where: str | Sequence[str] | None = None, rank: _Numbers | None = None, step: _Numbers | None = None,
    time: _Window | None = None, host_time: _Window | None = None, drop_last_step: bool = False, suspect: bool = False, *,
    memory: int | str | None = None, threads: int | None = None, strict: bool = False, renumber: bool = False,
    no_args: bool = False, format: str | None = None, temp_dir: _Path | None = None, keep: bool | None = None,
    progress: _Progress = None,
) -> Trace: ...
def diff(
    base: Trace | Table | _Paths, test: Trace | Table | _Paths, by: str | Sequence[str] = "name", *,
    keys: str | Sequence[str] | None = None, columns: str | Sequence[str] | None = "all", sort: str | None = None, top: int | None = None, profiler: bool = False,
    changed_only: bool = False,
) -> Table: ...
def partial(trace: Trace | _Paths, *asked: _Asked, **options: Any) -> Partial: ...
def merge(partials: Iterable[bytes]) -> Partial: ...
def analyses() -> dict[str, str]: ...
'''


def method(name, function):
    parts = []
    for parameter in list(function.__signature__.parameters.values())[1:]:
        kind = parameter.annotation.replace("os.PathLike", "os.PathLike[str]").replace("| list", "| Sequence[Any]")
        default = '"%s"' % parameter.default if parameter.default else "None"
        parts.append(("*, " if parameter.kind is parameter.KEYWORD_ONLY and "*" not in "".join(parts) else "")
                     + "%s: %s = %s" % (parameter.name, kind, default))
    text = "\n".join(textwrap.wrap(", ".join(parts) + ",", 112, break_long_words=False))
    return "    def %s(\n        self, %s\n    ) -> Table: ..." % (name, text.replace("\n", "\n        "))


def main():
    print(BEFORE, end="")
    for name, function in _analyses.methods().items():
        print(method(name, function))
    print(AFTER, end="")


main()
