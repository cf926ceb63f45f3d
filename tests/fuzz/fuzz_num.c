/* SPDX-License-Identifier: MIT */
/* Numbers: any text is refused or read; what was read and is written again is read as the same. */
#include "base/tr_num.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int good)
{
    if (!good)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[256], again[64];
    struct tr_error err = TR_ERROR_INIT;
    uint64_t u, u2;
    int64_t i, i2;
    double d;

    if (size >= sizeof text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    if (tr_num_u64(text, 0, UINT64_MAX, &u, &err) == TR_OK) {
        snprintf(again, sizeof again, "%" PRIu64, u);
        must(tr_num_u64(again, u, u, &u2, NULL) == TR_OK && u2 == u);
    }
    if (tr_num_i64(text, INT64_MIN, INT64_MAX, &i, &err) == TR_OK) {
        snprintf(again, sizeof again, "%" PRId64, i);
        must(tr_num_i64(again, i, i, &i2, NULL) == TR_OK && i2 == i);
    }
    if (tr_num_time(text, INT64_MIN, INT64_MAX, &i, &err) == TR_OK) {
        snprintf(again, sizeof again, "%" PRId64 "ns", i);
        must(tr_num_time(again, i, i, &i2, NULL) == TR_OK && i2 == i);
    }
    if (tr_num_size(text, 0, UINT64_MAX, &u, &err) == TR_OK) {
        snprintf(again, sizeof again, "%" PRIu64, u);
        must(tr_num_size(again, u, u, &u2, NULL) == TR_OK && u2 == u);
    }
    if (tr_num_double(text, -1e300, 1e300, &d, &err) == TR_OK)
        must(d >= -1e300 && d <= 1e300);
    tr_num_time(text, -5, 1500, &i, &err);
    tr_num_size(text, 1 << 20, 3 << 20, &u, &err);
    return 0;
}
