/* SPDX-License-Identifier: MIT */
/* A job of MPI: each rank sends to the next one, and all take part in collectives; the last rank is late. */
#include <mpi.h>
#include <time.h>

int main(int argc, char **argv)
{
    int rank, n, all[64] = { 0 }, mine, from;
    double sum = 0, one = 1;
    MPI_Request requests[2];
    MPI_Status status;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    mine = rank;
    for (int i = 0; i < 5; i++) {
        if (rank == n - 1)
            nanosleep(&(struct timespec){ 0, 20000000 }, NULL);
        MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Bcast(all, 64, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Allgather(&mine, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Isend(&mine, 1, MPI_INT, (rank + 1) % n, 7, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&from, 1, MPI_INT, (rank + n - 1) % n, 7, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Isend(&mine, 1, MPI_INT, (rank + 1) % n, 8, MPI_COMM_WORLD, &requests[0]);
    MPI_Recv(&from, 1, MPI_INT, MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, rank ? &status : MPI_STATUS_IGNORE);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return sum == (double)n && from == (rank + n - 1) % n ? 0 : 1;
}
