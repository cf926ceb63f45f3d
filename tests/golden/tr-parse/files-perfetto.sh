# Truth: looked over, event by event, beside prop/perfetto_made.py, which wrote most of these files.  They are those that the
# fuzz target starts from: each has something of its own.
exec 2>&1
cd "$GOLDEN/../../fuzz/corpus/perfetto" || exit 1
for file in *; do
    echo "== $file"
    tr-view -O tsv --unit ns --columns record,phase,activity,kind,ts,dur,pid,tid,device,stream,launch_record,process,thread,name,cat,args $file
done
