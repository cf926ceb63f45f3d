/* SPDX-License-Identifier: MIT */
/* Any bytes as text reports of unitrace: see fuzz_format.h. */
#include "fuzz_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_format("unitrace-text", data, size);
}
