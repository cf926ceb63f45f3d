/* SPDX-License-Identifier: MIT */
/*
 * Makes the samples of the stream format in accept/ and reject/ anew:
 *
 *     make DIRECTORY
 *
 * The committed samples are what counts: they stay as they are while the format's major version
 * does, and this program only says how they came about.  spec_check compares the ones that need no
 * compression with what it makes today.
 */
#include "spec_make.h"

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: %s DIRECTORY\n", argv[0]);
        return 2;
    }
    for (size_t i = 0; i < sizeof spec_samples / sizeof *spec_samples; i++) {
        char path[1024];
        struct tr_buf b = { NULL, 0, 0 };
        if (!spec_samples[i].make)
            continue;
        spec_samples[i].make(&b);
        snprintf(path, sizeof path, "%s/%s/%s.trs", argv[1],
                 spec_samples[i].good ? "accept" : "reject", spec_samples[i].name);
        FILE *f = fopen(path, "wb");
        bool done = f && (b.len == 0 || fwrite(b.data, 1, b.len, f) == b.len);
        if ((f && fclose(f)) || !done) {
            perror(path);
            return 4;
        }
        tr_buf_free(&b);
    }
    return 0;
}
