# Truth: by hand.  Each group has its histogram with bars; beyond five groups, or --top, the others share one.
python3 - <<'END' >t.json
import json
events = []
for i, name in enumerate(["a", "b", "c", "d", "e", "f", "g"]):
    for k in range(4):
        events.append({"ph": "X", "cat": "kernel", "name": name, "pid": 0, "tid": 7, "ts": 1000 * i + 100 * k,
                       "dur": 70 - 10 * i + (k == 3), "args": {"device": 0, "stream": 7}})
print(json.dumps({"traceEvents": events}))
END
tr-sum --by name --hist=2 -O text t.json
echo "== more"
tr-sum --by name,stream --hist=1 --top 6 -O tsv t.json
echo "== keys that are numbers"
tr-sum --by stream --hist=log --top 1 -O tsv t.json
echo "== with little memory"
tr-sum --by name --hist=2 -O tsv t.json >held
tr-sum --by name --hist=2 -O tsv -M 16M t.json | cmp - held && echo same
