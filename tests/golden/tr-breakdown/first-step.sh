# Truth: the sample.  The first step of rank 1 waited for data before its first work: that is its lead, and not idle time.
tr-breakdown --by step --step 15 -O tsv --columns step,time,dur,lead,idle,cause,cause_idle "$SAMPLE/rank1.json.gz"
