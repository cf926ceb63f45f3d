# Truth: what the page says.  A rank whose partial result is of another view is refused, by file or by rank: no table
# leaves it out, or shows it as empty.  A file with results of several views is used as the one that is asked for.
for rank in 0 1; do
    cat >rank$rank.json <<END
{"distributedInfo": {"rank": $rank}, "traceEvents": [
{"ph": "X", "cat": "kernel", "name": "g", "pid": 0, "tid": 7, "ts": 20, "dur": 3$rank, "args": {"device": 0, "stream": 7}}
]}
END
    for view in time kernel; do
        tr-breakdown --by $view --save-partial $view$rank.part rank$rank.json
    done
    tr-report -q --sections breakdown --save-partial report$rank.part rank$rank.json
    tr-diff --by kernel --save-partial diff$rank.part rank$rank.json
done
refused()
{
    "$@" 2>&1
    echo "status $?"
}
echo "== files of another view"
refused tr-breakdown --by time time0.part kernel1.part
refused tr-breakdown --by time kernel1.part kernel0.part
refused tr-breakdown --by time rank0.json kernel1.part
refused tr-breakdown --by time time0.part report1.part
refused tr-report --sections breakdown report0.part time1.part
refused tr-report --sections breakdown rank0.json time1.part
refused tr-diff --base time0.part kernel1.part --test time1.part
refused tr-diff --by kernel --base diff0.part time1.part --test rank0.json
echo "== where events are needed"
refused tr-report --sections headline --base time0.part -- rank1.json
refused tr-diff --by tree time0.part rank1.json
refused tr-flame --base time0.part -O folded rank1.json
echo "== several views in a file"
tr-merge -q -o ranks.part time0.part kernel1.part
refused tr-breakdown --by time ranks.part
refused tr-breakdown --by kernel ranks.part
refused tr-breakdown --by time time0.part - <kernel1.part
tr-merge -q -o views.part time0.part kernel0.part report0.part diff0.part
for view in time kernel; do
    tr-breakdown -O tsv --by $view rank0.json rank1.json >want
    tr-breakdown -O tsv --by $view views.part ${view}1.part | cmp - want && echo "$view"
done
