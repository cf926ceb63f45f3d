/* SPDX-License-Identifier: MIT */
/* Types of tensors: names of PyTorch's profiler (c10/core/ScalarType.h), and of XLA. */
#include "vendor/tr_dtypes.h"

static const struct {
    const char *name;
    unsigned size;
    const char *precision;
    const char *torch;
} dtypes[] = {
    { "float", 4, "fp32", "float32" },
    { "double", 8, "fp64", "float64" },
    { "c10::Half", 2, "fp16", "float16" },
    { "c10::BFloat16", 2, "bf16", "bfloat16" },
    { "c10::Float8_e4m3fn", 1, "fp8", "float8_e4m3fn" },
    { "c10::Float8_e4m3fnuz", 1, "fp8", "float8_e4m3fnuz" },
    { "c10::Float8_e5m2", 1, "fp8", "float8_e5m2" },
    { "c10::Float8_e5m2fnuz", 1, "fp8", "float8_e5m2fnuz" },
    { "c10::Float8_e8m0fnu", 1, "fp8", "float8_e8m0fnu" },
    { "c10::Float4_e2m1fn_x2", 1, "fp4", NULL },
    { "fp8", 1, "fp8", NULL },
    { "fp4", 1, "fp4", NULL },
    { "signed char", 1, "int8", "int8" },
    { "unsigned char", 1, NULL, "uint8" },
    { "bool", 1, NULL, "bool" },
    { "short int", 2, NULL, "int16" },
    { "short", 2, NULL, "int16" },
    { "int", 4, NULL, "int32" },
    { "long int", 8, NULL, "int64" },
    { "long", 8, NULL, "int64" },
    { "c10::complex<c10::Half>", 4, NULL, "complex32" },
    { "c10::complex<float>", 8, NULL, "complex64" },
    { "c10::complex<double>", 16, NULL, "complex128" },
    { "f32", 4, "fp32", NULL },
    { "f64", 8, "fp64", NULL },
    { "f16", 2, "fp16", NULL },
    { "bf16", 2, "bf16", NULL },
    { "f8e4m3", 1, "fp8", NULL },
    { "f8e4m3fn", 1, "fp8", NULL },
    { "f8e4m3fnuz", 1, "fp8", NULL },
    { "f8e4m3b11fnuz", 1, "fp8", NULL },
    { "f8e5m2", 1, "fp8", NULL },
    { "f8e5m2fnuz", 1, "fp8", NULL },
    { "f8e3m4", 1, "fp8", NULL },
    { "f8e8m0fnu", 1, "fp8", NULL },
    { "s8", 1, "int8", NULL },
    { "u8", 1, NULL, NULL },
    { "pred", 1, NULL, NULL },
    { "s16", 2, NULL, NULL },
    { "u16", 2, NULL, NULL },
    { "s32", 4, NULL, NULL },
    { "u32", 4, NULL, NULL },
    { "s64", 8, NULL, NULL },
    { "u64", 8, NULL, NULL },
    { "c64", 8, NULL, NULL },
    { "c128", 16, NULL, NULL },
    { "Scalar", 4, NULL, NULL }, /* a number among tensors: counted as four bytes */
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

const char *tr_dtype_torch(struct tr_str dtype)
{
    size_t i = find(dtype);
    return i < sizeof dtypes / sizeof *dtypes ? dtypes[i].torch : NULL;
}

struct tr_str tr_dtype_called(struct tr_str word)
{
    size_t i = 0, n = sizeof dtypes / sizeof *dtypes;
    while (i < n && !(dtypes[i].torch && tr_str_is(word, dtypes[i].torch)) &&
           !(dtypes[i].precision && tr_str_is(word, dtypes[i].precision)))
        i++;
    i = i < n ? i : find(word);
    return tr_str_of(i < n ? dtypes[i].name : NULL);
}
