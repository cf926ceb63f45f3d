# Truth: by hand.  A counter of 100 MHz, 100 cycles a us.  Charge is read at TS4; n steps in t us are 12 * n / 512 / t W.
# in: TS2 at 10, so TS4 at 11: 0 is no reading.  a: 20..40, charge 4294967000; b: 50..60, 1792 after a lap: 2088 steps in
# 20 us are 2.446875 W from 40 to 60.  c: 62..70, 44458: 42666 steps in 10 us are 99.998438 W.  d: 70.05..70.1: too
# short.  e: 80..85, 172458: 128000 steps in 15 us are 200 W, which cannot be: 0.  out: TS4 is its start, 90: 5120 steps in 5 us: 24.
# With kernels: 40..50 none, b, 60..62 none, c, 70..80 none (0 W; d from 70.05 to 70.1), e, 85..90 none.
# Waits: w1 and w2 from 5 to 20 and 30, none from 30.  A file goes on where the one before it ended.
cat >aiu-rank_2-of_4-job-0.json <<END
[
{"ph": "X", "name": "in DmaI", "pid": 2, "tid": 5, "ts": 0, "dur": 10, "attr": {"TS1": 0, "TS2": 1000, "TS3": 1050, "TS4": 1100, "TS5": 1100, "Power": "0", "Bytes": "20000"}},
{"ph": "X", "name": "w1 Cmpt Prep", "pid": 2, "tid": 6, "ts": 5, "dur": 15, "attr": {"TS1": 500, "TS2": 500, "TS3": 2000, "TS4": 4000, "TS5": 4000, "Power": "7"}},
{"ph": "X", "name": "w2 Cmpt Prep", "pid": 2, "tid": 6, "ts": 5, "dur": 25, "attr": {"TS1": 500, "TS2": 500, "TS3": 3000, "TS4": 4000, "TS5": 4000, "Power": "7"}},
{"ph": "X", "name": "a Cmpt Exec", "pid": 2, "tid": 7, "ts": 20, "dur": 20, "attr": {"TS1": 500, "TS2": 500, "TS3": 2000, "TS4": 4000, "TS5": 4000, "Power": "0xfffffed8"}},
{"ph": "X", "name": "b Cmpt Exec", "pid": 2, "tid": 7, "ts": 50, "dur": 10, "attr": {"TS1": 500, "TS2": 500, "TS3": 5000, "TS4": 6000, "TS5": 6000, "Power": "1792"}}
]
END
cat >aiu-rank_2-of_4-job-1.json <<END
[
{"ph": "X", "name": "c Cmpt Exec", "pid": 2, "tid": 7, "ts": 62, "dur": 8, "attr": {"TS1": 500, "TS2": 500, "TS3": 6200, "TS4": 7000, "TS5": 7000, "Power": 44458}},
{"ph": "X", "name": "d Cmpt Exec", "pid": 2, "tid": 7, "ts": 70.05, "dur": 0.05, "attr": {"TS1": 500, "TS2": 500, "TS3": 7005, "TS4": 7010, "TS5": 7010, "Power": "9999999"}},
{"ph": "X", "name": "e Cmpt Exec", "pid": 2, "tid": 7, "ts": 80, "dur": 5, "attr": {"TS1": 500, "TS2": 500, "TS3": 8000, "TS4": 8500, "TS5": 8500, "Power": "172458"}},
{"ph": "X", "name": "out DmaO", "pid": 2, "tid": 8, "ts": 90, "dur": 4, "attr": {"TS1": 500, "TS2": 500, "TS3": 8000, "TS4": 9000, "TS5": 9400, "Power": "177578", "Bytes": 1000}},
{"ph": "X", "name": "no reading Cmpt Exec", "pid": 2, "tid": 7, "ts": 95, "dur": 5, "attr": {"TS1": 500, "TS2": 500, "TS3": 9500, "TS4": 10000, "TS5": 10000, "Power": "x"}}
]
END
for by in power-series waiting-series bandwidth-series power power,kernel; do
    echo "== $by"
    tr-counters -q --by $by -O tsv aiu-*.json
done
echo "== the stream"
tr-counters aiu-*.json | tr-filter 'phase == counter && name in (Power, "Waiting Requests")' | tr-view -O jsonl | grep -o '"ts_ns".*' | sed 's/"dur_ns.*"args"/"args"/'
echo "== what it warns of"
tr-counters --by power aiu-*.json 2>&1 >/dev/null
