# Truth: a table that a command prints of each run is the same as one that was printed before and saved; differences of
# the time line and its conditions by hand.  The command's failure is that of the comparison.
. "$GOLDEN/traces.inc"
echo "== the time line"
tr-diff --of 'tr-breakdown --by timeline' -O tsv base.json test.json | cut -f 2-8
echo "== rows of one run only"
tr-diff --of "tr-sum --by rank,name --where 'activity == kernel' --stat count,sum -q" --keys name -O tsv \
    --columns name,run,base_count,test_count,diff_sum_us --base base.json --test test.json
echo "== the same as saved tables"
for view in time timeline type idle category kernel operator operator,args sequence size; do
    for run in base test; do
        tr-breakdown --by $view -q -O tsv -o $run.tsv $run.json
    done
    tr-diff --by table -O tsv -o saved base.tsv test.tsv
    tr-diff --of "tr-breakdown --by $view -q" -O tsv -o straight base.json test.json
    cmp saved straight && echo "$view"
done
for view in operator operator,shape operator,params family; do
    for run in base test; do
        tr-roofline --by $view -q -O tsv -o $run.tsv $run.json
    done
    tr-diff --by table -O tsv -o saved base.tsv test.tsv
    tr-diff --of "tr-roofline --by $view -q" -O tsv -o straight base.json test.json
    cmp saved straight && echo "roofline $view"
done
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
says --of 'exit 3;' base.json test.json
says --of 'exit 7;' base.json test.json
says --of 'kill -9 $$;' base.json test.json
says --of "printf 'a\\tb\\n1\\n' #" base.json test.json
says --of tr-breakdown base.json
says --of tr-breakdown --by operator base.json test.json
says --of tr-breakdown --by tree base.json test.json
says --of tr-breakdown --where 'dur > 1us' base.json test.json
says --of tr-breakdown --save-partial b.part base.json
says --by operator,tree base.json test.json
