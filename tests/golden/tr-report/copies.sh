# Copies that no compute hides, as a finding: of which directions, what a fix would save, and what other findings have.
# Truth: by hand.  Each of five steps takes 1000 us, of which 10 pass before its first work.  Its work is one copy or
# memset of `before` us, then a kernel of `kernel` us; beside the kernel, a copy of `beside` us in another stream.
python=${PYTHON:-python3}
cat >made.py <<'END'
import json, sys
events = []
def span(cat, name, ts, dur, pid=1, tid=1, **args):
    events.append({"ph": "X", "cat": cat, "name": name, "pid": pid, "tid": tid, "ts": ts, "dur": dur, "args": args})
def work(cat, name, call, ts, dur, stream):
    number = len(events)
    span("cuda_runtime", call, ts - 3 if stream == 7 else ts - 6, 2, correlation=number)
    span(cat, name, ts, dur, 0, stream, correlation=number, device=0, stream=stream)
def made(first, before, kernel, beside="", long=0, pieces=1):
    for step in range(5):
        start = at = 1000 * step
        span("user_annotation", "ProfilerStep#%d" % step, start, 1000)
        at += 10
        for i in range(pieces if before else 0):
            work("gpu_memset" if first == "Memset" else "gpu_memcpy", first, "cudaMemcpyAsync", at, before / pieces, 7)
            at += before / pieces
        if beside:
            work("gpu_memcpy", beside, "cudaMemcpyAsync", at + 20, long, 8)
        work("kernel", "gemm", "cudaLaunchKernel", at, kernel, 7)
    print(json.dumps({"traceEvents": events}))
made(sys.argv[1], *[int(a) if a.isdigit() else a for a in sys.argv[2:]])
END
# found TITLE FIRST BEFORE KERNEL [BESIDE LONG [PIECES]]
found()
{
    echo "# $1"
    shift
    $python made.py "$@" >rank0.json
    tr-report -q --sections findings --findings all -O tsv rank0.json | cut -f 1-7,10,12 | sed 1d
}
pinned='Memcpy HtoD (Pinned -> Device)'
found '400 us can be hidden by 590, at least half of it' "$pinned" 400 590
found '800 us, 190 of compute: half of it is 95' 'Memcpy DtoH (Device -> Pinned)' 800 190
found '400 us, 590 of compute, of which 550 already hide a copy: half of 40 is 20' "$pinned" 400 590 "$pinned" 550
found 'between devices' 'Memcpy PtoP (Device -> Device)' 400 590
found 'copies that compute hides' "$pinned" 0 990 "$pinned" 400
found 'little' "$pinned" 10 980
found 'on the device' 'Memcpy DtoD (Device -> Device)' 400 590
found 'a memset' 'Memset' 400 590
found 'of an unknown direction' 'Memcpy' 400 590
found 'a copy that is hidden, and one on the device, which nothing hides' \
    'Memcpy DtoD (Device -> Device)' 400 590 "$pinned" 400
found 'a copy of 860, of which 630 are hidden, and one of 100 on the device: 230 of 330 run alone' \
    'Memcpy DtoD (Device -> Device)' 100 650 "$pinned" 860
found 'pageable: another finding has it' 'Memcpy HtoD (Pageable -> Device)' 400 590
found 'a hundred short ones: another finding has them' "$pinned" 500 490 '' 0 100
found 'another limit' "$pinned" 10 980
tr-report -q --sections findings --set exposed_copies.share=0.5 -O text rank0.json
