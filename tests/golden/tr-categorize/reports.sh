# Truth: by hand.  Summaries of text reports, one of each process: a kernel that one process lacks counts as 0, or is left out
# of the statistic; calls of the host have a side of their own.
cat >rules <<'END'
[matmul if starts with]
gemm
[sync if ends with]
Synchronize
END
report()
{
    printf '=== API Timing Summary ===\n\nTotal Execution Time (ns): 100\n\n== L0 Backend ==\n\nFunction, Calls, Time (ns)\n'
    printf 'zeEventHostSynchronize, 2, 30\n\n=== Device Timing Summary ===\n\nTotal Execution Time (ns): 100\n'
    printf 'Total Device Time for L0 backend (ns): 70\n\n== L0 Backend ==\n\nKernel, Calls, Time (ns)\n%s\n\n' "$1"
    printf '== CL GPU Backend ==\n\nKernel, Calls, Time (ns)\nclEnqueueReadBuffer, 1, 4000\n\n'
    printf '%060d\n*  Process ID : %s | Rank ID : %s\n%060d\n\nFunction, Calls, Time (ns)\noneCCL::allreduce, 1, 8000\n' 0 1 "$2" 0 |
        sed 's/^0*$/************************************************************/'
}
report '"gemm", 4, 20000
"add", 1, 6000' 0 >r0.txt
report '"add", 3, 10000' 1 >r1.txt
for more in '' '--per rank' '--across mean' '--across mean --absent skip' '--side host'; do
    echo "== $more"
    tr-categorize --by class --rules rules -O tsv $more r0.txt r1.txt
done
tr-categorize --by unmatched --rules rules -O tsv r0.txt r1.txt
for absent in skip zero; do
    tr-categorize --by class --rules rules --compat unitrace --absent $absent -O json r0.txt r1.txt
done
tr-categorize --by class --absent zero r0.txt || echo "status $?"
