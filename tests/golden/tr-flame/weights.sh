# Truth: by hand.  Two steps of 100 us on thread 1, each with f of 80 us in it, in which is aten::mm of 30 us with a launch
# of 5 us; thread 2 has aten::mm of 10 us by itself.  Of its own: steps 20 each, f 50, aten::mm 25, launch 5.  The launch of
# each step starts a kernel of 40 us, the second one a copy of 2 us, too: they count for aten::mm, not for the call.  A
# kernel of 9 us has no launch.  Allocations: 512 bytes in aten::mm of step 1, 1024 freed there, 64 of the host.  The
# profiler's own span does not count.
cat >t.in <<'END'
[["user_annotation", "ProfilerStep#1", 1, 0, 100, {}], ["python_function", "m.py(3): f", 1, 10, 80, {}],
 ["cpu_op", "aten::mm", 1, 20, 30, {}], ["cuda_runtime", "cudaLaunchKernel", 1, 30, 5, {"correlation": 1}],
 ["kernel", "gemm", "gpu", 40, 40, {"correlation": 1}],
 ["", "[memory]", 1, 25, null, {"Bytes": 512, "Device Type": 1}], ["", "[memory]", 1, 26, null, {"Bytes": -1024, "Device Type": 1}],
 ["", "[memory]", 1, 27, null, {"Bytes": 64, "Device Type": 0}],
 ["user_annotation", "ProfilerStep#2", 1, 100, 100, {}], ["python_function", "m.py(3): f", 1, 110, 80, {}],
 ["cpu_op", "aten::mm", 1, 120, 30, {}], ["cuda_runtime", "cudaLaunchKernel", 1, 130, 5, {"correlation": 2}],
 ["kernel", "gemm", "gpu", 140, 40, {"correlation": 2}], ["gpu_memcpy", "Memcpy DtoD", "gpu", 180, 2, {"correlation": 2}],
 ["cpu_op", "aten::mm", 2, 50, 10, {}], ["kernel", "lone", "gpu", 190, 9, {}],
 ["Trace", "PyTorch Profiler (0)", 3, 0, 200, {}]]
END
${PYTHON:-python3} "$GOLDEN/make.py" <t.in >t.json
tr-flame -O tsv t.json
for by in operator python stack,kernel; do
    echo "== $by"
    tr-flame --by $by -O tsv --columns stack,host_self,device_self,launches_self,allocated_self_bytes t.json
done
for weight in host device launches bytes; do
    echo "== folded: $weight"
    tr-flame -O folded --weight $weight t.json
done
echo "== speedscope"
tr-flame -O speedscope --weight device t.json
echo "== of ranks"
tr-flame -O folded --per rank --by operator t.json
echo "== of one step"
tr-flame -O folded --step 2 --weight device t.json
