# Truth: the sample.  Before the first work of a trace its devices were idle, too: the first step of rank 1 waited for data.
tr-breakdown --by step --step 15 -O tsv --columns step,idle,cause,cause_idle "$SAMPLE/rank1.json.gz"
