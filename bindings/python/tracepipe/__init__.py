# SPDX-License-Identifier: MIT
"""Traces of accelerator work: read, select, analyse.

    import tracepipe

    t = tracepipe.open("rank*.json.gz", step=3)
    t.breakdown(by="kernel", per="rank").df
    t.findings()

tr-python(7) is the manual.
"""

from ._errors import (AbsentError, DamagedError, DamageWarning, Error, Remark, TraceOSError, UsageError)
from ._events import Batch, Events
from ._programs import Page
from ._table import Column, Plot, Table
from ._trace import Partial, Source, Step, Trace, analyses, diff, merge, open, partial, version

__version__ = version()
__all__ = ["AbsentError", "Batch", "Column", "DamageWarning", "DamagedError", "Error", "Events", "Page", "Partial", "Plot",
           "Remark", "Source", "Step", "Table", "Trace", "TraceOSError", "UsageError", "analyses", "diff", "merge",
           "open", "partial"]

for _name in __all__:
    globals()[_name].__module__ = __name__  # where users find them
