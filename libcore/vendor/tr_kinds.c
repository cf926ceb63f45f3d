/* The kind of device work by its activity and name. */
#include "vendor/tr_kinds.h"

#include <stdbool.h>
#include <string.h>

enum where { STARTS, CONTAINS };

static const struct {
    enum where where;
    const char *text;
    enum tr_kind kind;
} rules[] = {
    /* collectives: NCCL and RCCL, HCCL, oneCCL, MSCCL, NVSHMEM */
    { STARTS, "nccl", TR_KIND_COMM },
    { CONTAINS, "ncclKernel", TR_KIND_COMM },
    { CONTAINS, "ncclDevKernel", TR_KIND_COMM },
    { STARTS, "rccl", TR_KIND_COMM },
    { STARTS, "hccl", TR_KIND_COMM },
    { STARTS, "oneccl", TR_KIND_COMM },
    { STARTS, "mscclKernel", TR_KIND_COMM },
    { STARTS, "nvshmem", TR_KIND_COMM },
    /* copies and fills under a kernel's category */
    { STARTS, "Memcpy", TR_KIND_MEMORY },
    { STARTS, "Memset", TR_KIND_MEMORY },
    { STARTS, "hipMemcpy", TR_KIND_MEMORY },
    { STARTS, "hipMemset", TR_KIND_MEMORY },
    { STARTS, "dma", TR_KIND_MEMORY },
    /* rows of a device's queue that are no kernels */
    { STARTS, "Stream Wait Event", TR_KIND_OTHER },
    { STARTS, "runFunction", TR_KIND_OTHER },
    { STARTS, "job_exe", TR_KIND_OTHER },
    { STARTS, "packet", TR_KIND_OTHER },
    { STARTS, "pe_exe", TR_KIND_OTHER },
    { STARTS, "cpum_exe_subgraph", TR_KIND_OTHER },
    { STARTS, "collective_subgraph_execution", TR_KIND_OTHER },
};

static bool contains(const char *s, size_t n, const char *text, size_t m)
{
    for (size_t i = 0; i + m <= n; i++)
        if (s[i] == text[0] && !memcmp(s + i, text, m))
            return true;
    return false;
}

enum tr_kind tr_kind_of_kernel(const char *name, size_t len)
{
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        size_t m = strlen(rules[i].text);
        bool hit = rules[i].where == STARTS ? len >= m && !memcmp(name, rules[i].text, m)
                                            : contains(name, len, rules[i].text, m);
        if (hit)
            return rules[i].kind;
    }
    return TR_KIND_COMPUTE;
}
