# Truth: by hand.  Kernel a is 60 of 100 us in step 0 and 90 of 150 us in step 1, all else is idle: 100 of 250 us.  A
# name is text wherever it stands.  The style sheet and the script are those of all pages; findings have cases of their own.
cat >one.json <<END
{"distributedInfo": {"rank": 0}, "traceEvents": [
{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#0", "pid": 1, "tid": 1, "ts": 0, "dur": 100},
{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#1", "pid": 1, "tid": 1, "ts": 100, "dur": 150},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 0, "dur": 1, "args": {"correlation": 1}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 110, "dur": 1, "args": {"correlation": 2}},
{"ph": "X", "cat": "kernel", "name": "<script>a&b</script>", "pid": 0, "tid": 7, "ts": 0, "dur": 60, "args": {"device": 0, "stream": 7, "correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "<script>a&b</script>", "pid": 0, "tid": 7, "ts": 160, "dur": 90, "args": {"device": 0, "stream": 7, "correlation": 2}}
]}
END
tr-report -q --sections findings,headline,steps,breakdown,kernels -O html one.json |
    sed -e '/<section id="findings">/,/<\/section>/d' -e '/^<style>/,/<\/style>$/d' -e '/^<script>/,/<\/script>$/d' -e 's/sha256-[^'\'']*/.../g'
