/* SPDX-License-Identifier: MIT */
/* Any bytes as a database of rocprofv3: see fuzz_format.h. */
#include "fuzz_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_format_exact("rocpd", data, size, false); /* see formats/sqlite/tr_sqlite_int.h */
}
