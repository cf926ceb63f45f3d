#!/bin/sh
# SPDX-License-Identifier: MIT
# A job of four ranks of MPI, from tr-record to the page of tr-report.  MPICC and MPIRUN: compiler and launcher.
. "$(dirname "$0")/../harness/tap.sh"
library=$bin/../contrib/.libs/libtrcapture.so
[ -x "$bin/tr-record" ] || skip_all "not built: tr-record"
[ -r "$library" ] || skip_all "the recorder is not built"
unset PMIX_RANK OMPI_COMM_WORLD_RANK PMI_RANK SLURM_PROCID RANK LD_PRELOAD
cat >probe.c <<'END'
#include <mpi.h>
int main(int argc, char **argv) { return MPI_Init(&argc, &argv) || MPI_Finalize(); }
END
# shellcheck disable=SC2086 # a command with options
${MPICC:-mpicc} -o probe probe.c 2>probe.log || skip_all "no compiler of MPI: ${MPICC:-mpicc}"
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_rmaps_base_oversubscribe
# shellcheck disable=SC2086
${MPIRUN:-mpirun} -n 4 ./probe >probe.log 2>&1 || skip_all "jobs of MPI do not run here: ${MPIRUN:-mpirun}"
# shellcheck disable=SC2086
${MPICC:-mpicc} -o mpi_program "$root/tests/record/mpi_program.c"
# shellcheck disable=SC2086
tr-record -o job.trs ${MPIRUN:-mpirun} -n 4 ./mpi_program >out 2>said
is "$? $(cat said)" "0 " "the job ends as it does alone"
tr-sum --by rank,name -O tsv job.trs | sed 1d | cut -f 1-3 | sort >have
for rank in 0 1 2 3; do
    printf "$rank\t%s\n" "MPI_Allgather	1" "MPI_Allgatherv	2" "MPI_Allreduce	8" "MPI_Alltoallv	1" "MPI_Barrier	1" \
        "MPI_Bcast	1" "MPI_Finalize	1" "MPI_Gatherv	1" "MPI_Iallreduce	1" "MPI_Ibarrier	1" "MPI_Init	1" \
        "MPI_Irecv	2" "MPI_Isend	3" "MPI_Recv	1" "MPI_Reduce_scatter	1" "MPI_Scatterv	1" "MPI_Test	1" "MPI_Wait	1" \
        "MPI_Waitall	1" "MPI_Waitany	2" "MPI_Waitsome	1"
done | sort >want
diff want have >wrong
none wrong "all calls of all ranks"

# args of a call on rank 2
args()
{
    tr-view -O tsv --columns args "job.trs" --where "rank == 2 && name == \"$1\"" | sed 1d
}
group='"Process Group Name":"MPI_COMM_WORLD","Group size":4'
is "$(args MPI_Isend | head -n 1)" "{\"ssize\":4,\"dst\":3,\"tag\":7,$group,\"request\":1}" "a send: to whom, with which tag, of how many bytes"
is "$(args MPI_Irecv | head -n 1)" "{\"dsize\":4,\"src\":1,\"tag\":7,$group,\"request\":2}" "a receive"
is "$(args MPI_Waitall)" '{"requests":"1, 2"}' "which requests were waited for"
is "$(args MPI_Recv)" "{$group,\"src\":1,\"tag\":8,\"dsize\":4}" "from whom a message of any source came"
is "$(args MPI_Wait)" '{"request":3}' "one request"
is "$(args MPI_Allgather)" "{\"ssize\":4,\"dsize\":16,$group}" "a collective: the bytes that a rank gives and gets"
is "$(args MPI_Gatherv)" "{\"ssize\":12,$group}" "parts that differ: what a rank gives"
is "$(args MPI_Scatterv)" "{\"dsize\":12,$group}" "what it gets"
is "$(args MPI_Allgatherv | uniq -c | sed 's/^ *//')" "2 {\"ssize\":12,\"dsize\":40,$group}" "both, also in place"
is "$(args MPI_Alltoallv)" "{\"ssize\":40,\"dsize\":48,$group}" "to all"
is "$(args MPI_Reduce_scatter)" "{\"ssize\":40,\"dsize\":12,$group}" "and what is left of all"
half='"Process Group Name":"half","Process Group Ranks":"[0, 2]","Group size":2'
is "$(args MPI_Iallreduce)" "{\"ssize\":4,\"dsize\":4,$half,\"request\":4}" "one that does not block has a request"
is "$(args MPI_Ibarrier)" "{$group,\"request\":5}" "each its own"
is "$(args MPI_Waitany | sort | tr '\n' ' ')" '{"request":4} {"request":5} ' "which is waited for"
is "$(args MPI_Test)" '{"request":7}' "a test that finds it complete"
is "$(args MPI_Waitsome)" '{"requests":"6"}' "some of them"

tr-comm -q -O tsv --columns name,ranks job.trs | grep -c '^MPI_Allreduce	2$' >have
is "$(cat have)" 6 "communicators of one name are not mixed up"
tr-comm -q -O tsv --columns name,ranks job.trs | grep -c '^MPI_Allreduce	4$' >have
is "$(cat have)" 5 "tr-comm finds the collectives of all ranks"
is "$(tr-comm -q --by straggler -O tsv --columns rank job.trs | sed -n 2p)" 3 "and the rank that the others wait for"
tr-report -q -O html -o job.html job.trs && grep -q 'MPI_COMM_WORLD\|MPI_Allreduce' job.html
ok $? "tr-report has a page of it"
finish
