# SPDX-License-Identifier: MIT
# %% [markdown]
# # From a folder of traces to the cause
#
# Each rank of a job has written a trace. This notebook reads all of them, says what makes the job slow, and looks at the
# evidence in tables, pictures, pandas and DuckDB. It needs the package `tracepipe`, and pandas.
#
# Set `TRACES` to a folder of your own. Without it, the sample traces are read.

# %%
import glob
import os

import tracepipe

folder = os.environ.get("TRACES", os.path.join("..", "sample"))
paths = sorted(glob.glob(os.path.join(folder, "*.json*")))
t = tracepipe.open(paths)
for s in t.sources:
    print("rank %s: %d events, steps %s" % (s.rank, s.events, [step.number for step in s.steps]))

# %% [markdown]
# ## What makes the job slow?
#
# The findings are ordered by the time that a fix would save in each step.

# %%
findings = t.findings()
findings

# %%
findings.plot()

# %% [markdown]
# ## Where does the time go?
#
# Busy, exposed and idle time of each rank. `table.df` is a DataFrame, with times in whole ns.

# %%
breakdown = t.breakdown()
breakdown.plot()

# %%
frame = breakdown.df.set_index("rank")
(frame[["compute_ns", "exposed_comm_ns", "idle_ns"]] / 1e6).astype(float).round(2)

# %% [markdown]
# ## Which steps are slow?
#
# A step that takes much longer than the median is worth a look.

# %%
steps = t.breakdown(by="step")
steps.plot()

# %%
by_step = steps.df.dropna(subset=["step"]).groupby("step")["time_ns"].max().astype("int64")
slow = [int(n) for n in by_step.index[by_step > 1.25 * by_step.median()]]
usual = int((by_step - by_step.median()).abs().idxmin())
print("median %.2f ms; slow steps: %s; a usual one: %d" % (by_step.median() / 1e6, slow, usual))

# %% [markdown]
# ## What is different in a slow step?
#
# Two selections of one trace are compared like two runs. The events are read once.

# %%
looked_at = slow[0] if slow else usual
difference = tracepipe.diff(t.select(step=usual), t.select(step=looked_at), by="name", sort="diff", top=8)
difference.headline

# %%
difference.plot()

# %% [markdown]
# ## Why was the device idle there?
#
# The table of steps names the cause, and what the host did meanwhile; the longest gaps of the job say when.

# %%
rows = steps.df
rows[rows["step"].isin(slow or [usual])][["rank", "step", "time_ns", "idle_ns", "cause", "during"]]

# %%
gaps = t.breakdown(by="gap", top=2, columns="rank,start,idle,cause,during")
gaps

# %%
t.breakdown(by="idle").plot()

# %% [markdown]
# ## A typical step
#
# What ran when on each stream, in the step of median time.

# %%
t.breakdown(by="typical").plot()

# %% [markdown]
# ## What did the host do in the longest gap?
#
# Events are DataFrames, too: names are categories, times are whole ns, absent values are `<NA>`.

# %%
worst = max((gap for gap in gaps if gap["start_ns"]), key=lambda gap: gap["idle_ns"])
window = (worst["start_ns"], worst["start_ns"] + worst["idle_ns"])
host = 'activity in (cpu_op, annotation, python, runtime_api) && !(name =~ "^ProfilerStep")'
events = t.select(time=window, where=host, rank=worst["rank"]).events(["name", "activity", "dur"]).df
events.nlargest(5, "dur_ns")

# %% [markdown]
# ## The same with DuckDB, or with SQLite
#
# DuckDB, polars and pyarrow take events and tables as they are. Without DuckDB, `tr-view` writes the events to a database,
# and SQLite, which is in each Python, answers the same query.

# %%
query = "select rank, count(*), sum(dur_ns) from events where activity = 'kernel' group by rank order by rank"
try:
    import duckdb
except ImportError:
    import sqlite3
    import subprocess
    import tempfile
    with tempfile.TemporaryDirectory() as scratch:
        database = os.path.join(scratch, "events.db")
        subprocess.run(["tr-view", "-O", "sqlite", "-o", database] + paths, check=True)
        connection = sqlite3.connect(database)
        answer = connection.execute(query).fetchall()
        connection.close()
else:
    events = t.events(["rank", "activity", "dur"])
    answer = duckdb.sql(query).fetchall()
sums = t.select(where="activity == kernel").sum(by="rank")
assert answer == [(row["rank"], row["count"], row["sum_ns"]) for row in sums]
print("rank, kernels, ns:", *answer, sep="\n")

# %% [markdown]
# ## Many ranks on many machines
#
# Each machine saves what an analysis knows of its ranks; one machine merges that. `map` may be that of multiprocessing,
# Dask, Spark or Ray.

# %%
merged = tracepipe.merge(map(tracepipe.partial, paths)).table()
assert list(merged) == list(t.breakdown())
merged

# %% [markdown]
# ## The cause

# %%
for f in findings:
    if f["severity"] == "high":
        print("%s (look at: %s)" % (f["sentence"], f["command"]))
if slow:
    print("Steps %s are slow; the longest gap, %.2f ms: %s, during %s"
          % (slow, worst["idle_ns"] / 1e6, worst["cause"], worst["during"]))
