/* SPDX-License-Identifier: MIT */
/* Types of tensors: names of PyTorch's profiler (c10/core/ScalarType.h). */
#include "vendor/tr_dtypes.h"

static const struct {
    const char *name;
    unsigned size;
    const char *precision;
} dtypes[] = {
    { "float", 4, "fp32" },
    { "double", 8, "fp64" },
    { "c10::Half", 2, "fp16" },
    { "c10::BFloat16", 2, "bf16" },
    { "c10::Float8_e4m3fn", 1, "fp8" },
    { "c10::Float8_e4m3fnuz", 1, "fp8" },
    { "c10::Float8_e5m2", 1, "fp8" },
    { "c10::Float8_e5m2fnuz", 1, "fp8" },
    { "c10::Float8_e8m0fnu", 1, "fp8" },
    { "c10::Float4_e2m1fn_x2", 1, "fp4" },
    { "fp8", 1, "fp8" },
    { "fp4", 1, "fp4" },
    { "signed char", 1, "int8" },
    { "unsigned char", 1, NULL },
    { "bool", 1, NULL },
    { "short int", 2, NULL },
    { "short", 2, NULL },
    { "int", 4, NULL },
    { "long int", 8, NULL },
    { "long", 8, NULL },
    { "c10::complex<c10::Half>", 4, NULL },
    { "c10::complex<float>", 8, NULL },
    { "c10::complex<double>", 16, NULL },
    { "Scalar", 4, NULL }, /* a number among tensors: counted as four bytes */
};

static size_t find(struct tr_str dtype)
{
    size_t i = 0;
    while (i < sizeof dtypes / sizeof *dtypes && !tr_str_is(dtype, dtypes[i].name))
        i++;
    return i;
}

unsigned tr_dtype_size(struct tr_str dtype)
{
    size_t i = find(dtype);
    return i < sizeof dtypes / sizeof *dtypes ? dtypes[i].size : 0;
}

const char *tr_dtype_precision(struct tr_str dtype)
{
    size_t i = find(dtype);
    return i < sizeof dtypes / sizeof *dtypes ? dtypes[i].precision : NULL;
}
