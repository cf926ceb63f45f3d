# Truth: a table of each rank and two of none, by rank whatever the order of inputs; the sources that events name are
# those of the merged stream.
tables=$GOLDEN/../../spec/accept/tables.trs
tr-merge -o two.trs --ranks 5,4 "$tables" "$tables"
tr-view -O tsv --columns rank,at,event_source,event_record,mhz,what --by samples two.trs
tr-view -O tsv --by samples <two.trs | cut -f 1-3
tr-view -O tsv --by peaks two.trs
