# Truth: the table as tests/spec/accept/tables.txt tells it: a time on the device's stream, a truth value, a uint of
# 64 bits, a decimal, a double; the second row has one value.
COLUMNS=200 # wide enough for all of it
export COLUMNS
tables=$GOLDEN/../../spec/accept/tables.trs
for format in text tsv csv json md; do
    tr-view -O $format --by samples "$tables"
done
tr-view -O tsv --unit ns --columns mhz,at,event_record --sort at:asc --by samples "$tables"
tr-view -O tsv --top 1 --by samples "$tables" | cut -f 1,8,12
tr-view -O tsv --by peaks "$tables" "$GOLDEN/../../spec/accept/example.trs" --renumber
tr-view -O tsv --help-columns --by peaks
