# Truth: by hand.  Every form that unitrace's reports have: summaries of calls, device work and oneCCL, for Level Zero and
# OpenCL; properties; submissions; a timeline; a log of calls.  Names in quotes may have commas; a tile stands before the
# quotes.  A width that may be any is missing.
exec 2>&1
stars=$(printf '%060d' 0 | tr 0 '*')
cat >report.txt <<END
[INFO] a message of the tracer

=== API Timing Summary ===

             Total Execution Time (ns):                 5000
    Total API Time for L0 backend (ns):                 3000
Total API Time for CL GPU backend (ns):                 1000

== L0 Backend ==

              Function,        Calls,            Time (ns),     Time (%),         Average (ns),             Min (ns),             Max (ns)
zeEventHostSynchronize,            2,                 3000,   100.000000,                 1500,                 1000,                 2000

== CL GPU Backend ==

Function,       Calls,           Time (ns),    Time (%),        Average (ns),            Min (ns),            Max (ns)
clFinish,           1,                1000,      100.00,                1000,                1000,                1000

=== Device Timing Summary ===

                Total Execution Time (ns):             5000
    Total Device Time for L0 backend (ns):             7000

== L0 Backend ==

                Kernel,        Calls,            Time (ns),     Time (%),         Average (ns),             Min (ns),             Max (ns)
"f(int, float) [clone]",            4,                 7000,   100.000000,                 1750,                 1000,                 4000
Tile #1: "g(int, int)[SIMD_ANY {1; 1; 1} {1; 1; 1}]",            1,                    0,     0.000000,                    0,                    0,                    0

=== Kernel Properties ===

                Kernel, Compiled, SIMD, Number of Arguments, SLM Per Work Group, Private Memory Per Thread, Spill Memory Per Thread, Register File Size Per Thread
"f(int, float) [clone]",      JIT,   32,                   4,               1024,                        16,                       8,                       unknown
Tile #1: "g(int, int)[SIMD_ANY {1; 1; 1} {1; 1; 1}]",      JIT,  ANY,                   2,                  0,                         0,                       0,                           128

=== Kernel Submission Summary ===

== L0 Backend ==

Kernel,        Calls,          Append (ns),   Append (%),          Submit (ns),   Submit (%),         Execute (ns),  Execute (%)
"gemm",            4,                  400,    40.000000,                  300,    50.000000,                 7000,   100.000000

$stars
*  Process ID : 3001 | Rank ID : 5
$stars

         Function,        Calls,            Time (ns),     Time (%),         Average (ns),             Min (ns),             Max (ns)
oneCCL::allreduce,            3,                  900,   100.000000,                  300,                  200,                  400

END
for table in timing_totals timing_summary kernel_properties kernel_submissions; do
    echo "== $table"
    tr-view --by $table -O tsv report.txt
done
tr-info -O json report.txt | grep -E '"(rank|rank_from|format|process_id)"'

cat >timeline.txt <<'END'
Thread 7 Device 0x44e : clEnqueueWriteBuffer [ns] 1000 (append) 1100 (submit) 2000 (start) 2500 (end)
Thread 7 Device 59 : "f(int, float)[SIMD32 {1; 2; 3} {4; 5; 6}]" [ns] 1200 (append) 1300 (submit) 3000 (start) 4500 (end)
Thread 7 Device 59 : Tile #1: "g(int, int)[SIMD_ANY {1; 1; 1} {1; 1; 1}]" [ns] 1200 (append) 1300 (submit) 3500 (start) 3600 (end)
Thread 8 Device 59 : "zeCommandListAppendBarrier" [ns] 1200 (append) 1300 (submit) 4000 (start) 4600 (end)
END
tr-view -O tsv --unit ns --columns device,stream,process,thread,ts,dur,activity,kind,name,args timeline.txt

cat >calls.txt <<'END'
>>>> [100] <PID:1> <TID:2> zeMemAllocDevice: hContext = 0x1 size = 64
<<<< [350] <PID:1> <TID:2> zeMemAllocDevice [250 ns] pptr = 0x7 -> ZE_RESULT_SUCCESS(0x0)
>>>> [400] <PID:1> <TID:2> zeEventHostSynchronize: hEvent = 0x3
END
tr-view -O tsv --unit ns --columns pid,tid,ts,dur,phase,activity,name,args calls.txt
