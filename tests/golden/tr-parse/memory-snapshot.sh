# Truth: by hand, from gen/memory_snapshot.py.  Device 0 has 4096 + 2048 bytes allocated at the end, 9216 reserved.  Going
# back through its trace: + 512 (asked to be freed at 8) + 1024 (freed at 6, allocated before) + 512 - 2048 - 512, so it
# began with 5632 of 8192.  A free counts once, when it is asked for.
make()
{
    ${PYTHON:-python3} "$GOLDEN/../../gen/memory_snapshot.py" "$1" "$2"
}
make pickle snapshot_rank3.pickle
make json snapshot.json
tr-view -O jsonl snapshot_rank3.pickle
echo "== segments"
tr-view -O tsv --by memory_segments snapshot_rank3.pickle
echo "== as JSON"
tr-view -O tsv --columns record,ts,activity,name,tid,args snapshot_rank3.pickle >pickle
tr-view -O tsv --columns record,ts,activity,name,tid,args snapshot.json | cmp - pickle && echo "the same events"
echo "== memory"
tr-memory -O tsv snapshot_rank3.pickle
tr-memory -O tsv --by peak snapshot_rank3.pickle
tr-memory -O tsv --by summary snapshot_rank3.pickle
echo "== hostile, and cut"
make hostile hostile.pickle
tr-view hostile.pickle 2>&1
echo "status $?"
head -c 2600 snapshot.json >cut.json
tr-view -q -O tsv --columns "ts,name,args.Bytes,args.Total Allocated" cut.json
tr-parse --strict -o x.trs cut.json
echo "status $?"
echo "== stacks that allocations share, values that are none, and one within itself"
${PYTHON:-python3} - <<'END'
import pickle
shared, own = [dict(filename="a.py", line=1, name="f")], [dict(filename="b.py", line=2, name="g")]
own.append(dict(filename="c.py", line=3, name="h", frames=own))
stacks = [shared, own, shared, own, 0, 1, 1.0, (), [], "0", tuple(shared), None]
items = [dict(action="alloc", addr=64 * i, size=8, time_us=i, stream=0, frames=f) for i, f in enumerate(stacks)]
with open("shared.pickle", "wb") as f:
    pickle.dump(dict(segments=[], device_traces=[items]), f)
END
tr-view -O jsonl --columns args.Addr,args.Category,args.Stack shared.pickle
