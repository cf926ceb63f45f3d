# Truth: by hand.  A counter of 500 MHz, 2 ns a cycle, that wraps between the jobs and within the third request.
# The host's starts are wrong; its ends are right but for the second job, which lies 1000 us before its round trip.
cat >aiu-rank_3-of_4-job-0.json <<'END'
[
{"ph": "X", "name": "AIU Roundtrip", "pid": 3, "tid": 1, "ts": 900, "dur": 2000, "attr": {}},
{"ph": "X", "name": "in_1 DmaI", "pid": 3, "tid": 5, "ts": 990, "dur": 10, "attr": {"TS1": "4000000000", "TS2": "4000005000", "TS3": "4000006000", "TS4": "4000106000", "TS5": "4000107000"}},
{"ph": "X", "name": "add Cmpt Prep", "pid": 3, "tid": 6, "ts": 1000, "dur": 2, "attr": {"TS1": "4000000000", "TS2": "4000005000", "TS3": "4000006000", "TS4": "4000106000", "TS5": "4000107000"}},
{"ph": "X", "name": "add Cmpt Exec", "pid": 3, "tid": 7, "ts": 1000, "dur": 202, "attr": {"TS1": "0xee6b2800", "TS2": "0xee6b3b88", "TS3": "0xee6b3f70", "TS4": "0xee6cc610", "TS5": "0xee6cc9f8"}},
{"ph": "X", "name": "out DmaO", "pid": 3, "tid": 8, "ts": 1202, "dur": 2, "attr": {"TS1": 4000000000, "TS2": 4000005000, "TS3": 4000006000, "TS4": 4000106000, "TS5": 4000107000, "Power": "0xff"}}
]
END
cat >aiu-rank_3-of_4-job-1.json <<'END'
[
{"ph": "X", "name": "AIU Roundtrip", "pid": 3, "tid": 1, "ts": 1000900, "dur": 3000, "attr": {}},
{"ph": "X", "name": "mul Cmpt Exec", "pid": 3, "tid": 7, "ts": 1000100, "dur": 100, "attr": {"TS1": "205000000", "TS2": "205000000", "TS3": "205044500", "TS4": "205094500", "TS5": "205094506"}},
{"ph": "X", "name": "whole request", "pid": 3, "tid": 7, "ts": 1000300, "dur": 100, "attr": {"TS1": "205144500", "TS2": "205144500", "TS3": "205144500", "TS4": "205194500", "TS5": "205194500"}},
{"ph": "X", "name": "no number Cmpt Exec", "pid": 3, "tid": 7, "ts": 1000500, "dur": 100, "attr": {"TS1": "205144500", "TS2": "x", "TS3": "205144500", "TS4": "205194500", "TS5": "205194500"}},
{"ph": "X", "name": "too much Cmpt Exec", "pid": 3, "tid": 7, "ts": 1000700, "dur": 100, "attr": {"TS1": "5000000000", "TS2": "1", "TS3": "1", "TS4": "1", "TS5": "1"}},
{"ph": "X", "name": "lacks one Cmpt Exec", "pid": 3, "tid": 7, "ts": 1000800, "dur": 100, "attr": {"TS1": "1", "TS2": "1", "TS3": "1", "TS4": "1"}},
{"ph": "X", "name": "contradicts Cmpt Exec", "pid": 3, "tid": 7, "ts": 1000800, "dur": 100, "attr": {"TS1": "0", "TS2": "0", "TS3": "205144500", "TS4": "3505144500", "TS5": "3505144500"}}
]
END
cat >aiu-rank_3-of_4-job-2.json <<'END'
[
{"ph": "X", "name": "AIU Roundtrip", "pid": 3, "tid": 1, "ts": 9179000, "dur": 1000, "attr": {}},
{"ph": "X", "name": "wraps Cmpt Exec", "pid": 3, "tid": 7, "ts": 9179100, "dur": 200, "attr": {"TS1": "4294916796", "TS2": "4294916796", "TS3": "4294951796", "TS4": "84500", "TS5": "85000"}},
{"ph": "X", "name": "too long Cmpt Exec", "pid": 3, "tid": 7, "ts": 9179350, "dur": 2000, "attr": {"TS1": "84500", "TS2": "84500", "TS3": "109500", "TS4": "1109500", "TS5": "1109500"}}
]
END
for by in device frequency job event; do
    echo "== $by"
    tr-cycles -q --freq 500 --by $by -O tsv aiu-*.json
done
echo "== the stream"
tr-cycles -q --freq 500 aiu-*.json | tr-view -O tsv --columns rank,source,record,ts,dur,name -
echo "== what its source spans"
tr-cycles -q --freq 500 aiu-*.json | tr-info -O json - | grep -E '^      "(first|last)_ns"'
echo "== without a frequency, and with one for another rank"
tr-cycles -q --report -O tsv --columns rank,freq_MHz,seen_MHz aiu-*.json
tr-cycles -q --report --freq 2=700 -O tsv --columns rank,freq_MHz aiu-*.json
echo "== what it warns of"
tr-cycles --freq 520 --report aiu-*.json 2>&1 >/dev/null
