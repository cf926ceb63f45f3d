/* SPDX-License-Identifier: MIT */
/*
 * A job of MPI: each rank sends to the next one, and all take part in collectives; the last rank is late.  Two
 * communicators have one name, and parts of some collectives differ in size: of rank r, they are r + 1 numbers.
 */
#include <mpi.h>
#include <time.h>

/* Collectives of parts that differ.  False: what came is wrong. */
static int parts(int rank, int n)
{
    int one[64], counts[64], at[64], own[64], own_at[64], sent[64] = { 0 }, got[64] = { 0 };
    for (int i = 0, sum = 0; i < n; sum += ++i) {
        counts[i] = i + 1;
        at[i] = sum;
        own[i] = rank + 1;
        own_at[i] = i * (rank + 1);
    }
    for (int i = 0; i < 64; i++)
        one[i] = 1;
    MPI_Gatherv(one, rank + 1, MPI_INT, got, counts, at, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Scatterv(one, counts, at, MPI_INT, got, rank + 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Allgatherv(one, rank + 1, MPI_INT, got, counts, at, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, got, counts, at, MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoallv(one, counts, at, MPI_INT, sent, own, own_at, MPI_INT, MPI_COMM_WORLD);
    MPI_Reduce_scatter(one, sent, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return got[n * (n + 1) / 2 - 1] == 1 && sent[rank] == n;
}

/* Operations that do not block, and who waits for them how. */
static int later(int rank, int n, MPI_Comm half)
{
    int mine = rank, from = -1, flag = 0, at, done, which[2], halves = 0, one = 1;
    MPI_Request requests[2];
    MPI_Iallreduce(&one, &halves, 1, MPI_INT, MPI_SUM, half, &requests[0]);
    MPI_Ibarrier(MPI_COMM_WORLD, &requests[1]);
    MPI_Waitany(2, requests, &at, MPI_STATUS_IGNORE);
    MPI_Waitany(2, requests, &at, MPI_STATUS_IGNORE);
    MPI_Isend(&mine, 1, MPI_INT, (rank + 1) % n, 9, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&from, 1, MPI_INT, (rank + n - 1) % n, 9, MPI_COMM_WORLD, &requests[1]);
    while (!flag)
        MPI_Test(&requests[1], &flag, MPI_STATUS_IGNORE);
    MPI_Waitsome(2, requests, &done, which, MPI_STATUSES_IGNORE);
    MPI_Test(&requests[1], &flag, MPI_STATUS_IGNORE); /* there is none any more */
    return from == (rank + n - 1) % n && done == 1 && which[0] == 0 && halves == n / 2;
}

int main(int argc, char **argv)
{
    MPI_Comm half;
    int right, sum_half = 0;
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
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Comm_set_name(half, "half");
    for (int i = 0; i < 3; i++)
        MPI_Allreduce(&mine, &sum_half, 1, MPI_INT, MPI_SUM, half);
    right = parts(rank, n) && later(rank, n, half);
    MPI_Comm_free(&half);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return right && sum == (double)n && from == (rank + n - 1) % n ? 0 : 1;
}
