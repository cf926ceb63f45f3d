# Truth: the rows of a view of each run, joined by their keys; differences of
# the time line and its conditions by hand.
. "$GOLDEN/traces.inc"
echo "== the time line"
tr-diff --of 'tr-breakdown --by timeline' -O tsv base.json test.json | cut -f 2-8
echo "== rows of one run only"
tr-diff --of "tr-sum --by rank,name --where 'activity == kernel' --stat count,sum -q" --keys name -O tsv \
    --columns name,run,base_count,test_count,diff_sum_us --base base.json --test test.json
echo "== a partial result has its view and its options"
for run in base test; do
    tr-breakdown --by idle --threshold 5us --per device -q --save-partial $run.part $run.json
done
tr-diff --of "tr-breakdown --by idle --threshold '5'us --per device" -q -O tsv base.json test.json >view
tr-diff -q -O tsv base.part test.part | cmp - view
tr-diff -q -O tsv --base base.part --test test.json | cmp - view
tr-diff -q -O tsv --base base.json --test test.part | cmp - view
cut -f 1-7 view
echo "== three runs"
tr-diff --of 'tr-breakdown --by timeline' --columns type,run,base_time,test1_time,diff2_time -O tsv --top 2 base.json test.json base.json
tr-diff --columns rank,device,cause,run,diff1_idle,diff2_idle -O tsv --top 1 base.part test.json base.part
echo "== a selection of both runs, or of the view"
tr-diff --of 'tr-breakdown --by kernel' --where 'dur > 10us' -O tsv base.json test.json >view
tr-diff --of 'tr-breakdown --by kernel --where "dur > 10us"' -O tsv base.json test.json | cmp - view
tr-diff --of 'tr-breakdown --by kernel' --base-where 'dur > 10us' --test-where 'dur <= 10us' \
    --columns name,run -O tsv --base base.json --test base.json
echo "== columns"
tr-diff --of 'tr-breakdown --by idle' --help-columns -O tsv --columns all | cut -f 1-4 | sed -n '2,9p'
exec 2>&1
says()
{
    tr-diff "$@"
    echo "status $?"
}
echo "== conditions"
says --of 'tr-breakdown --by timeline' -O tsv --columns type,diff_time_us --top 1 --sort diff_time_us --fail-if 'type == idle && diff_time_us > 10us' base.json test.json
says --of 'tr-breakdown --by timeline' --by conditions -O tsv --fail-if 'diff_time_us > 1ms' --fail-if 'type == busy && pct_time_us > 5%' --fail-if 'type == nothing && diff_time_us > 0' base.json test.json
says --of 'tr-breakdown --by timeline' -O junit --fail-if 'run == test' --fail-if 'type =~ "busy|idle" && diff_time_us != 0' base.json test.json
printf 'name\tn\na\t1\n' >a.tsv
printf 'name\tn\nb\t2\n' >b.tsv
says --by table -O tsv --fail-if 'n > 1' a.tsv b.tsv
says --by conditions,table -O tsv --fail-if 'diff_n > 1' --fail-if 'run == base' a.tsv b.tsv
echo "== usage"
says --of 'tr-info' base.json test.json
says --of 'tr-breakdown --by nothing' base.json test.json
says --of 'tr-breakdown --threshold 3us' base.json test.json
says --of 'tr-breakdown --top 3' base.json test.json
says --of "tr-breakdown --by 'idle" base.json test.json
says --of ' ' base.json test.json
says --of tr-breakdown base.json
says --of 'tr-breakdown base.json' base.json test.json
says --of tr-breakdown --by operator base.json test.json
says --of tr-breakdown --by tree base.json test.json
says --of tr-breakdown --keys nothing base.json test.json
says --of tr-breakdown --save-partial b.part base.json
says --by operator,tree base.json test.json
tr-breakdown --by idle -q --where 'dur > 10us' --save-partial other.part test.json
says base.part other.part
says --of 'tr-breakdown --by kernel' base.part test.json
says --by headline base.part test.json
tr-report -q --save-partial report.part base.json
tr-merge -q -o two.part base.part report.part
says two.part test.json
