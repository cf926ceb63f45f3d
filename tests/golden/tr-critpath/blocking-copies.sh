# Truth: by hand.  The first copy goes to pageable memory, so its call waits for it, and it waits for a.  With --gaps: 1 of
# one, 1 launch, 40 of a, 1 queue, 4 of the copy, 5 until the call ends.  Copies from pageable memory and to pinned memory
# do not hold up their calls: 8 of one, 10 of a call, 2 of one, 12 of a call, 3 of one.  cudaMemcpy waits for every copy:
# 1 launch, 6 of the copy, 2 until its end; 4 of one are left.
cat >t.py <<'END'
import json
events = [{"ph": "X", "cat": "cpu_op", "name": "one", "pid": 1, "tid": 1, "ts": 0, "dur": 100}]
def call(name, ts, dur, number, cat="gpu_memcpy", copy=None, at=0, lasts=0):
    events.append({"ph": "X", "cat": "cuda_runtime", "name": name, "pid": 1, "tid": 1, "ts": ts, "dur": dur, "args": {"correlation": number}})
    events.append({"ph": "X", "cat": cat, "name": copy, "pid": 0, "tid": 7, "ts": at, "dur": lasts,
                   "args": {"device": 0, "stream": 7, "correlation": number}})
call("cudaLaunchKernel", 1, 1, 1, "kernel", "a", 2, 40)
call("cudaMemcpyAsync", 3, 49, 2, copy="Memcpy DtoH (Device -> Pageable)", at=43, lasts=4)
call("cudaMemcpyAsync", 60, 10, 3, copy="Memcpy HtoD (Pageable -> Device)", at=66, lasts=3)
call("cudaMemcpyAsync", 72, 12, 4, copy="Memcpy DtoH (Device -> Pinned)", at=76, lasts=4)
call("cudaMemcpy", 87, 9, 5, copy="Memcpy DtoH (Device -> Pinned)", at=88, lasts=6)
json.dump({"traceEvents": events}, open("t.json", "w"))
END
${PYTHON:-python3} t.py
tr-critpath -q --gaps -O tsv t.json
tr-critpath -q --gaps --by path --columns name,edge,weight_us,bound,at_us -O tsv t.json
