/* SPDX-License-Identifier: MIT */
/* What counters of the hardware say of the work of kernels: operations by precision, and bytes. */
#include "vendor/tr_work_counters.h"

#include <stddef.h>

static const char *const specs[TR_WORK_SPECS] = {
    [TR_WORK_VECTOR_FP16] = "vector_fp16", [TR_WORK_VECTOR_FP32] = "vector_fp32",
    [TR_WORK_VECTOR_FP64] = "vector_fp64", [TR_WORK_MATRIX_BF16] = "matrix_bf16",
    [TR_WORK_MATRIX_FP16] = "matrix_fp16", [TR_WORK_MATRIX_FP32] = "matrix_fp32",
    [TR_WORK_MATRIX_FP64] = "matrix_fp64", [TR_WORK_MATRIX_FP8] = "matrix_fp8",
    [TR_WORK_MATRIX_INT8] = "matrix_int8",
};

/* Instructions of one thread, as the units of an SM or the whole SM count them.  x: d, f or h. */
#define SASS_OF(unit, way, x, work)                                                          \
    { unit "__sass_thread_inst_executed_op_" x "add_pred_on.sum", work, way, 1 },            \
    { unit "__sass_thread_inst_executed_op_" x "mul_pred_on.sum", work, way, 1 },            \
    { unit "__sass_thread_inst_executed_op_" x "fma_pred_on.sum", work, way, 2 }
#define SASS(x, work) SASS_OF("smsp", 0, x, work), SASS_OF("sm", 1, x, work)

/* Instructions of a wave, which has 64 threads. */
#define VALU(precision, work)                                  \
    { "SQ_INSTS_VALU_ADD_" precision, work, 0, 64 },           \
    { "SQ_INSTS_VALU_MUL_" precision, work, 0, 64 },           \
    { "SQ_INSTS_VALU_TRANS_" precision, work, 0, 64 },         \
    { "SQ_INSTS_VALU_FMA_" precision, work, 0, 128 }

/* Requests from the L2 cache to the memory: 64 bytes when nothing else is counted; a write 32 bytes. */
#define TCC(unit, way)                                         \
    { unit "_RDREQ_sum", TR_WORK_MEMORY_READ, way, 64 },       \
    { unit "_RDREQ_32B_sum", TR_WORK_MEMORY_READ, way, -32 },  \
    { unit "_RDREQ_128B_sum", TR_WORK_MEMORY_READ, way, 64 },  \
    { unit "_WRREQ_sum", TR_WORK_MEMORY_WRITE, way, 32 },      \
    { unit "_WRREQ_64B_sum", TR_WORK_MEMORY_WRITE, way, 32 }

static const struct tr_work_counter counters[] = {
    /* Intel, Ponte Vecchio, by unitrace's roofline.py. */
    { "XVE_INST_EXECUTED_FP16", TR_WORK_VECTOR_FP16, 0, 64 },
    { "XVE_INST_EXECUTED_FP32", TR_WORK_VECTOR_FP32, 0, 32 },
    { "XVE_INST_EXECUTED_FP64", TR_WORK_VECTOR_FP64, 0, 32 },
    { "XVE_INST_EXECUTED_XMX_BF16", TR_WORK_MATRIX_BF16, 0, 512 },
    { "XVE_INST_EXECUTED_XMX_FP16", TR_WORK_MATRIX_FP16, 0, 512 },
    { "L3_BYTE_READ", TR_WORK_L3_READ, 0, 1 },
    { "L3_BYTE_WRITE", TR_WORK_L3_WRITE, 0, 1 },
    { "GPU_MEMORY_BYTE_READ", TR_WORK_MEMORY_READ, 0, 1 },
    { "GPU_MEMORY_BYTE_WRITE", TR_WORK_MEMORY_WRITE, 0, 1 },

    /* NVIDIA: weights of HTA's notebook on CUPTI and of LIKWID's groups FLOPS_DP, FLOPS_SP and FLOPS_HP; operations of
     * tensor cores are counted as such, two for a multiply and add (Nsight Compute, ncu --query-metrics). */
    SASS("d", TR_WORK_VECTOR_FP64),
    SASS("f", TR_WORK_VECTOR_FP32),
    SASS("h", TR_WORK_VECTOR_FP16),
    { "sm__ops_path_tensor_src_bf16_dst_fp32.sum", TR_WORK_MATRIX_BF16, 0, 1 },
    { "sm__ops_path_tensor_src_fp16_dst_fp16.sum", TR_WORK_MATRIX_FP16, 0, 1 },
    { "sm__ops_path_tensor_src_fp16_dst_fp32.sum", TR_WORK_MATRIX_FP16, 0, 1 },
    { "sm__ops_path_tensor_src_tf32_dst_fp32.sum", TR_WORK_MATRIX_FP32, 0, 1 },
    { "sm__ops_path_tensor_src_fp64.sum", TR_WORK_MATRIX_FP64, 0, 1 },
    { "sm__ops_path_tensor_src_fp8.sum", TR_WORK_MATRIX_FP8, 0, 1 },
    { "sm__ops_path_tensor_src_fp8_dst_fp16.sum", TR_WORK_MATRIX_FP8, 1, 1 },
    { "sm__ops_path_tensor_src_fp8_dst_fp32.sum", TR_WORK_MATRIX_FP8, 1, 1 },
    { "sm__ops_path_tensor_src_int8.sum", TR_WORK_MATRIX_INT8, 0, 1 },
    { "dram__bytes.sum", TR_WORK_MEMORY, 0, 1 },
    { "dram__bytes_read.sum", TR_WORK_MEMORY_READ, 0, 1 },
    { "dram__bytes_write.sum", TR_WORK_MEMORY_WRITE, 0, 1 },

    /* AMD, MI200 and MI300: rocprofiler-compute, panels "Roofline" of gfx90a and gfx942; FETCH_SIZE and WRITE_SIZE in
     * KiB are what rocprof computes from the requests. */
    VALU("F16", TR_WORK_VECTOR_FP16),
    VALU("F32", TR_WORK_VECTOR_FP32),
    VALU("F64", TR_WORK_VECTOR_FP64),
    { "SQ_INSTS_VALU_MFMA_MOPS_BF16", TR_WORK_MATRIX_BF16, 0, 512 },
    { "SQ_INSTS_VALU_MFMA_MOPS_F16", TR_WORK_MATRIX_FP16, 0, 512 },
    { "SQ_INSTS_VALU_MFMA_MOPS_F32", TR_WORK_MATRIX_FP32, 0, 512 },
    { "SQ_INSTS_VALU_MFMA_MOPS_F64", TR_WORK_MATRIX_FP64, 0, 512 },
    { "SQ_INSTS_VALU_MFMA_MOPS_F8", TR_WORK_MATRIX_FP8, 0, 512 },
    { "SQ_INSTS_VALU_MFMA_MOPS_I8", TR_WORK_MATRIX_INT8, 0, 512 },
    { "FETCH_SIZE", TR_WORK_MEMORY_READ, 0, 1024 },
    { "FetchSize", TR_WORK_MEMORY_READ, 1, 1024 },
    { "WRITE_SIZE", TR_WORK_MEMORY_WRITE, 0, 1024 },
    { "WriteSize", TR_WORK_MEMORY_WRITE, 1, 1024 },
    TCC("TCC_EA", 2),
    TCC("TCC_EA0", 3),
    { "TCC_BUBBLE_sum", TR_WORK_MEMORY_READ, 3, 64 }, /* of the requests, those of 128 bytes */
};

const char *tr_work_spec(enum tr_work work)
{
    return specs[work];
}

const struct tr_work_counter *tr_work_counter_find(struct tr_str base)
{
    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++)
        if (tr_str_is(base, counters[i].name))
            return &counters[i];
    return NULL;
}
