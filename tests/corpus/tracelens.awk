# SPDX-License-Identifier: MIT
# Names of TraceLens for ours: categories of operators in the column CLASS (its name; none: class is not renamed).
# Reads a table with a header line.
BEGIN {
    FS = OFS = "\t"
    split("gemm=GEMM conv_fwd=CONV_fwd conv_bwd=CONV_bwd norm_fwd=NORM_fwd norm_bwd=NORM_bwd sdpa_fwd=SDPA_fwd " \
          "sdpa_bwd=SDPA_bwd rmsnorm=RMSNorm rope_fwd=RoPE_fwd inference_attention=InferenceAttention " \
          "moe_fused=MoE_fused moe_unfused=MoE_unfused moe_aux=MoE_aux group_quant=GroupQuant mhc=mHC " \
          "custom_collective=CustomCollective", pairs, " ")
    for (i in pairs) {
        split(pairs[i], pair, "=")
        theirs[pair[1]] = pair[2]
    }
}
NR == 1 {
    for (i = 1; i <= NF; i++)
        if ($i == CLASS)
            column = i
}
NR > 1 && column && $column in theirs { $column = theirs[$column] }
{ print }
