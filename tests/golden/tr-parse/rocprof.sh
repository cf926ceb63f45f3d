# Truth: by hand, from the numbers in vendors/rocprof.json; then the same trace in other forms, which has to say the
# same, and damaged, where all that is whole comes through and the damage is counted.
COLUMNS=160 # wide enough for all of it
export COLUMNS
cp "$GOLDEN/../vendors/rocprof.json" t.json
tr-parse t.json | tr-view -O jsonl
tr-info t.json | sed -n '/^coverage/,/^$/p'
same()
{
    tr-parse "$1" | tr-view -O jsonl | sed 's/"record":[0-9]*,//; s/"launch_record":[0-9]*,//' | sort >got
    cmp -s want got && echo "$2: the same" || { echo "$2: differs"; diff want got; }
}
tr-parse t.json | tr-view -O jsonl | sed 's/"record":[0-9]*,//; s/"launch_record":[0-9]*,//' | sort >want
# ids as plain numbers, a process without a list around it, blanks left out
sed 's/{"handle": \([0-9]*\)}/\1/g; s/"correlation_id": {"internal": \([0-9]*\), "external": 0}/"correlation_id": \1/
    1s/\[{$/{/; $s/}\]}$/}}/' t.json >short.json
same short.json "short form"
tr -d '\n' <t.json | gzip >line.json.gz
same line.json.gz "one line"
# records before what names them
awk '/^"buffer_records": \{$/ { on = 1 } on { rest = rest $0 "\n"; next } { print }
    END { printf "%s", rest }' t.json >whole.json
awk '/^"agents"/ { on = 1 } /^"buffer_records": \{$/ { on = 0; late = 1 } on { tables = tables $0 "\n"; next }
    late && /^\}\]\}$/ { sub(/,\n$/, "\n", tables); printf ",%s", tables } { print }' t.json >late.json
same late.json "records first"
# a file is read again where it stands; what comes from a pipe is copied
tr-parse -T "$PWD/nowhere" late.json >late.trs && echo "a file needs no copy"
cat late.json | tr-parse -q - >pipe.trs && same pipe.trs "records first, from a pipe"
gzip -c late.json >late.json.gz
same late.json.gz "records first, compressed"
# counters and no dispatches: those that the counters were read of
printf '%s' '{"rocprofiler-sdk-tool": [{"callback_records": {"counter_collection": [{"dispatch_data": {"start_timestamp": 5,
"end_timestamp": 9, "correlation_id": 1, "dispatch_info": {"agent_id": 4, "queue_id": 2, "kernel_id": 7, "dispatch_id": 1}},
"records": [{"counter_id": 3, "value": 0.5}]}]}}]}' >counters.json
tr-view -O jsonl counters.json
echo "== cut"
head -c 3350 t.json >cut.json
tr-parse cut.json | tr-view -O tsv --columns record,ts,dur,name
echo "== damaged"
sed 's/"dispatch_id": 2, "workgroup_size"/"dispatch_id": 2 2 {, "workgroup_size"/' t.json >damaged.json
tr-parse damaged.json | tr-view -O tsv --columns record,ts,dur,name
echo "== nothing"
tr-parse --input-format rocprof-json "$GOLDEN/../vendors/amd.json"
