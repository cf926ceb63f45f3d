# Truth: accept/more.txt of tests/spec, which says what was put into the stream.
more=$GOLDEN/../../spec/accept/more.trs
tr-view -O jsonl --unit ns "$more"
tr-view -O tsv --unit ns --columns ts,ts_ps,dur,dur_ps,graph_id,graph_node,name "$more"
tr-view -O jsonl --columns 'record,ts_ps,graph_id?,graph_node?,graph_node' "$more"
