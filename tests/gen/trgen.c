/* SPDX-License-Identifier: MIT */
/* trgen: writes test traces and the true answers beside them.  See --help and README.md. */
#include "gen.h"

#include <stdlib.h>
#include <string.h>

_Noreturn void gen_die(int code, const char *fmt, ...)
{
    va_list ap;
    fputs("trgen: ", stderr);
    va_start(ap, fmt);
    vfprintf(stderr, fmt, ap);
    va_end(ap);
    fputc('\n', stderr);
    exit(code);
}

void *gen_alloc(size_t n, size_t size)
{
    void *p = calloc(n ? n : 1, size);
    if (!p)
        gen_die(4, "out of memory");
    return p;
}

void *gen_more(void *p, size_t *cap, size_t need, size_t size)
{
    if (need <= *cap && p)
        return p;
    size_t want = *cap + *cap / 2 + 16;
    if (want < need)
        want = need;
    if (want > SIZE_MAX / size || !(p = realloc(p, want * size)))
        gen_die(4, "out of memory");
    *cap = want;
    return p;
}

int main(int argc, char **argv)
{
    static struct gen_opts o; /* too large for some stacks */
    static struct gen_job job;

    gen_opts_init(&o);
    gen_opts_parse(&o, argc, argv);
    job.o = &o;
    job.w = &gen_words[o.vendor];
    job.kernels = gen_kernels((int)o.vendor, &job.n_kernels);
    job.steps = o.steps;
    gen_job_write(&job);
    gen_job_free(&job);
    return 0;
}
