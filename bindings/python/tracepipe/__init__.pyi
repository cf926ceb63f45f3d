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
    def breakdown(
        self, by: str | Sequence[Any] = "time", *, per: str | None = None, sort: str | None = None, top: int | None = None,
        top_per: str | None = None, columns: str | Sequence[Any] | None = None, unit: str | None = None, align: bool |
        None = None, short_names: bool | None = None, attach: str | None = None, attach_capture: str | Sequence[Any] |
        None = None, join_backward: bool | None = None, memset: str | None = None, micro_idle: int | str | None = None,
        op: str | None = None, ratio: float | None = None, side: str | None = None, steps: int | None = None, threshold:
        int | str | None = None,
    ) -> Table: ...
    def overlap(
        self, by: str | Sequence[Any] = "overlap", *, per: str | None = None, sort: str | None = None, top: int | None = None,
        top_per: str | None = None, columns: str | Sequence[Any] | None = None, unit: str | None = None, align: bool |
        None = None, short_names: bool | None = None, classes: str | None = None,
    ) -> Table: ...
    def flame(
        self, by: str | Sequence[Any] = "stack", *, per: str | None = None, sort: str | None = None, top: int | None = None,
        top_per: str | None = None, columns: str | Sequence[Any] | None = None, unit: str | None = None, align: bool |
        None = None, short_names: bool | None = None, weight: str | None = None,
    ) -> Table: ...
    def launch(
        self, by: str | Sequence[Any] = "api", *, per: str | None = None, sort: str | None = None, top: int | None = None,
        top_per: str | None = None, columns: str | Sequence[Any] | None = None, unit: str | None = None, align: bool |
        None = None, short_names: bool | None = None, cpu_cutoff: int | str | None = None, queue_cutoff: int | str |
        None = None,
    ) -> Table: ...
    def comm(
        self, by: str | Sequence[Any] = "collective", *, per: str | None = None, sort: str | None = None, top: int | None =
        None, top_per: str | None = None, columns: str | Sequence[Any] | None = None, unit: str | None = None, align:
        bool | None = None, short_names: bool | None = None, gpus_per_node: int | None = None,
    ) -> Table: ...
    def memory(
        self, by: str | Sequence[Any] = "series", *, per: str | None = None, sort: str | None = None, top: int | None = None,
        top_per: str | None = None, columns: str | Sequence[Any] | None = None, unit: str | None = None, align: bool |
        None = None, short_names: bool | None = None,
    ) -> Table: ...
    def metrics(
        self, by: str | Sequence[Any] = "range", *, per: str | None = None, sort: str | None = None, top: int | None = None,
        top_per: str | None = None, columns: str | Sequence[Any] | None = None, unit: str | None = None, align: bool |
        None = None, short_names: bool | None = None, attach: str | None = None, category: str | None = None, core_freq:
        str | None = None, metrics: str | None = None, throughput: bool | None = None,
    ) -> Table: ...
    def patterns(
        self, *, per: str | None = None, sort: str | None = None, top: int | None = None, top_per: str | None = None, columns:
        str | Sequence[Any] | None = None, unit: str | None = None, align: bool | None = None, short_names: bool | None
        = None, length: int | None = None, op: str | None = None,
    ) -> Table: ...
    def counters(
        self, by: str | Sequence[Any] = "queue", *, per: str | None = None, sort: str | None = None, top: int | None = None,
        top_per: str | None = None, columns: str | Sequence[Any] | None = None, unit: str | None = None, align: bool |
        None = None, short_names: bool | None = None, max_queue: int | None = None,
    ) -> Table: ...
    def critpath(
        self, by: str | Sequence[Any] = "bound", *, per: str | None = None, sort: str | None = None, top: int | None = None,
        top_per: str | None = None, columns: str | Sequence[Any] | None = None, unit: str | None = None, align: bool |
        None = None, short_names: bool | None = None, annotation: str | None = None, attach: str | Sequence[Any] | None
        = None, base: str | None = None, data: str | None = None, gaps: bool | None = None, instance: str | None = None,
        launch_edges: bool | None = None, what_if: str | Sequence[Any] | None = None,
    ) -> Table: ...
    def roofline(
        self, by: str | Sequence[Any] = "operator", *, per: str | None = None, sort: str | None = None, top: int | None =
        None, top_per: str | None = None, columns: str | Sequence[Any] | None = None, unit: str | None = None, align:
        bool | None = None, short_names: bool | None = None, arch: str | None = None, attach_capture: str |
        Sequence[Any] | None = None, backward: bool | None = None, inductor_cache: str | None = None, measured: str |
        None = None, models: str | None = None, nested: bool | None = None, op: str | None = None, spec: str | None =
        None,
    ) -> Table: ...
    def stalls(
        self, by: str | Sequence[Any] = "kernel", *, per: str | None = None, sort: str | None = None, top: int | None = None,
        top_per: str | None = None, columns: str | Sequence[Any] | None = None, unit: str | None = None, align: bool |
        None = None, short_names: bool | None = None, asm: str | None = None,
    ) -> Table: ...
    def replay(
        self, *, per: str | None = None, sort: str | None = None, top: int | None = None, top_per: str | None = None, columns:
        str | Sequence[Any] | None = None, unit: str | None = None, align: bool | None = None, short_names: bool | None
        = None, limit: int | None = None, op: str | None = None, schemas: str | None = None,
    ) -> Table: ...
    def sum(
        self, *, per: str | None = None, sort: str | None = None, top: int | None = None, top_per: str | None = None, columns:
        str | Sequence[Any] | None = None, unit: str | None = None, align: bool | None = None, short_names: bool | None
        = None, by: str | None = None, hist: str | None = None, stat: str | None = None, value: str | None = None,
    ) -> Table: ...
    def categorize(
        self, by: str | Sequence[Any] = "class", *, per: str | None = None, sort: str | None = None, top: int | None = None,
        top_per: str | None = None, columns: str | Sequence[Any] | None = None, unit: str | None = None, align: bool |
        None = None, short_names: bool | None = None, absent: str | None = None, across: str | None = None, compat: str
        | None = None, keep_spaces: bool | None = None, precedence: str | None = None, rules: str | Sequence[Any] | None
        = None, side: str | None = None,
    ) -> Table: ...
    def report(
        self, *, per: str | None = None, sort: str | None = None, top: int | None = None, top_per: str | None = None, columns:
        str | Sequence[Any] | None = None, unit: str | None = None, align: bool | None = None, short_names: bool | None
        = None, arch: str | None = None, attach_capture: str | Sequence[Any] | None = None, no_align: bool | None =
        None, set: str | Sequence[Any] | None = None,
    ) -> Table: ...
    def util(
        self, by: str | Sequence[Any] = "rank", *, per: str | None = None, sort: str | None = None, top: int | None = None,
        top_per: str | None = None, columns: str | Sequence[Any] | None = None, unit: str | None = None, align: bool |
        None = None, short_names: bool | None = None, below: float | None = None, bin: int | str | None = None, name:
        str | None = None, threshold: int | str | None = None,
    ) -> Table: ...
    def findings(
        self, *, per: str | None = None, sort: str | None = None, top: int | None = None, top_per: str | None = None, columns:
        str | Sequence[Any] | None = None, unit: str | None = None, align: bool | None = None, short_names: bool | None
        = None, arch: str | None = None, attach_capture: str | Sequence[Any] | None = None, no_align: bool | None =
        None, set: str | Sequence[Any] | None = None,
    ) -> Table: ...

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
