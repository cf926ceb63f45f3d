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
    printf "$rank\t%s\n" "MPI_Allgather	1" "MPI_Allreduce	5" "MPI_Barrier	1" "MPI_Bcast	1" "MPI_Finalize	1" "MPI_Init	1" \
        "MPI_Irecv	1" "MPI_Isend	2" "MPI_Recv	1" "MPI_Wait	1" "MPI_Waitall	1"
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
is "$(args MPI_Irecv)" "{\"dsize\":4,\"src\":1,\"tag\":7,$group,\"request\":2}" "a receive"
is "$(args MPI_Waitall)" '{"requests":"1, 2"}' "which requests were waited for"
is "$(args MPI_Recv)" "{$group,\"src\":1,\"tag\":8,\"dsize\":4}" "from whom a message of any source came"
is "$(args MPI_Wait)" '{"request":3}' "one request"
is "$(args MPI_Allgather)" "{\"ssize\":4,\"dsize\":16,$group}" "a collective: the bytes that a rank gives and gets"

tr-comm -q -O tsv --columns name,ranks job.trs | grep -c '^MPI_Allreduce	4$' >have
is "$(cat have)" 5 "tr-comm finds the collectives of all ranks"
is "$(tr-comm -q --by straggler -O tsv --columns rank job.trs | sed -n 2p)" 3 "and the rank that the others wait for"
tr-report -q -O html -o job.html job.trs && grep -q 'MPI_COMM_WORLD\|MPI_Allreduce' job.html
ok $? "tr-report has a page of it"
finish
