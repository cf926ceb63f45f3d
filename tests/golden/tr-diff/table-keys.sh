# Truth: by hand.  Rows are matched by what they are about: not by times of the trace, not by the rank if each table has
# another one, and by the keys of tr-sum though they are numbers.  Times come before counts.
cd "$(dirname "$SAMPLE/rank0.json.gz")" || exit
show() { tr-diff --of "$1" --columns "$2" --top 3 -O tsv rank0.json.gz rank1.json.gz; }
show 'tr-breakdown --by kernel' name,run,base_sum_us,test_sum_us
show 'tr-breakdown --by step' step,run,base_dur_us
show 'tr-breakdown --by gap' run,base_idle_us
show 'tr-comm --by size -q' name,bytes,run,base_count
show 'tr-sum --by args.device,stream --where activity=="kernel"' args.device,stream,run,base_count
tr-diff --of 'tr-sum --by stream --where activity=="kernel"' -O tsv rank0.json.gz rank1.json.gz | head -n 1 | cut -f 1-4
tr-diff --of 'tr-sum --by stream --where activity=="kernel"' -O tsv rank0.json.gz rank1.json.gz | head -n 1 | tr '\t' '\n' | grep base_
