/* SPDX-License-Identifier: MIT */
/*
 * inflate: decompress a gzip file and throw the bytes away: the floor for reading .json.gz.
 *
 *     inflate FILE         with zlib
 *     inflate --isal FILE  with ISA-L, when built with HAVE_ISAL; else exit status 2
 *
 * Prints "bytes N".  Reads one or more gzip members.
 */
#include "base/tr_library.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#ifdef HAVE_ISAL
#include <isa-l/igzip_lib.h>
#endif

#define BUFFER_BYTES (1u << 20)

static unsigned char input[BUFFER_BYTES], output[BUFFER_BYTES];

/* Bytes read, 0 at the end, -1 on failure. */
static ssize_t fill(int fd)
{
    ssize_t got;

    do
        got = read(fd, input, sizeof input);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        perror("inflate: read");
    return got;
}

static int damaged(const char *why)
{
    fprintf(stderr, "inflate: damaged input: %s\n", why != NULL ? why : "ends in the middle");
    return -1;
}

static int run_zlib(int fd, uint64_t *total)
{
    z_stream z = { 0 };
    int rc = Z_STREAM_END, result = -1;
    ssize_t got;

    if (inflateInit2(&z, 15 + 16) != Z_OK) {
        fprintf(stderr, "inflate: zlib cannot start\n");
        return -1;
    }
    while ((got = fill(fd)) > 0) {
        z.next_in = input;
        z.avail_in = (uInt)got;
        do {
            if (rc == Z_STREAM_END && inflateReset(&z) != Z_OK)
                goto out;
            z.next_out = output;
            z.avail_out = sizeof output;
            rc = inflate(&z, Z_NO_FLUSH);
            if (rc != Z_OK && rc != Z_STREAM_END && rc != Z_BUF_ERROR) {
                result = damaged(z.msg);
                goto out;
            }
            *total += sizeof output - z.avail_out;
        } while (z.avail_in > 0 || z.avail_out == 0);
    }
    if (got == 0)
        result = rc == Z_STREAM_END ? 0 : damaged(NULL);
out:
    inflateEnd(&z);
    return result;
}

#ifdef HAVE_ISAL
#define FUNCTIONS(X) X(init, isal_inflate_init) X(reset, isal_inflate_reset) X(inflate, isal_inflate)
FUNCTIONS(TR_LIBRARY_LINKED)
struct functions {
    FUNCTIONS(TR_LIBRARY_MEMBER)
};
static const struct tr_library_function functions[] = { FUNCTIONS(TR_LIBRARY_FUNCTION) };

static int run_isal(int fd, uint64_t *total)
{
    static struct inflate_state st;
    struct functions isal;
    struct tr_error err = TR_ERROR_INIT;
    ssize_t got;

    if (tr_library_load("libisal.so.2", "--isal", functions, sizeof functions / sizeof *functions, &isal, &err) != TR_OK)
        return damaged(err.what);
    isal.init(&st);
    st.crc_flag = ISAL_GZIP;
    while ((got = fill(fd)) > 0) {
        st.next_in = input;
        st.avail_in = (uint32_t)got;
        do {
            if (st.block_state == ISAL_BLOCK_FINISH) {
                isal.reset(&st);
                st.crc_flag = ISAL_GZIP;
            }
            st.next_out = output;
            st.avail_out = sizeof output;
            if (isal.inflate(&st) != ISAL_DECOMP_OK)
                return damaged("ISA-L cannot decode it");
            *total += sizeof output - st.avail_out;
        } while (st.avail_in > 0 || st.avail_out == 0);
    }
    if (got < 0)
        return -1;
    return st.block_state == ISAL_BLOCK_FINISH ? 0 : damaged(NULL);
}
#endif

int main(int argc, char **argv)
{
    int fd, rc, isal = argc == 3 && strcmp(argv[1], "--isal") == 0;
    uint64_t total = 0;

    if (!isal && argc != 2) {
        fprintf(stderr, "usage: inflate [--isal] FILE\n");
        return 2;
    }
    fd = open(argv[argc - 1], O_RDONLY);
    if (fd < 0) {
        perror(argv[argc - 1]);
        return 4;
    }
#ifdef HAVE_ISAL
    rc = isal ? run_isal(fd, &total) : run_zlib(fd, &total);
#else
    if (isal) {
        fprintf(stderr, "inflate: built without ISA-L\n");
        close(fd);
        return 2;
    }
    rc = run_zlib(fd, &total);
#endif
    close(fd);
    if (rc != 0)
        return 3;
    printf("bytes %" PRIu64 "\n", total);
    return 0;
}
