# Truth: by hand.  What is not as a call is written, or does not fit its model, is refused in one line.
refused()
{
    tr-roofline "$@" 2>&1
    echo $?
}
refused --shape 'aten::mm [40960,1536] [1537,6144] bf16'
refused --shape 'aten::mm [40960,1536] bf16'
refused --shape 'aten::mm [128,64] [64,32]'
refused --shape 'aten::mm [128,64] [64,] bf16'
refused --shape 'aten::mm [128,-1] [64,32] bf16'
refused --shape 'aten::mm [128,64] [64,32 bf16'
refused --shape 'aten::mm b16[128,64]'
refused --shape 'aten::mm [128,64] bf 16'
refused --shape 'aten::mm [128,64] bf16 fp32'
refused --shape 'aten::mm [128,64] [64,32] arg(1)=2 bf16'
refused --shape 'aten::mm [128,64] arg(x)=2 bf16'
refused --shape 'aten::mm [128,64] arg(64)=2 bf16'
refused --shape 'aten::mm [128,64] arg(3)=two bf16'
refused --shape ''
refused --shape 'aten::mm [8,4] [4,2] bf16' t.json
refused --shape 'aten::mm [8,4] [4,2] bf16' --rank 0
refused --shape 'aten::mm [8,4] [4,2] bf16' --nested
refused --shape 'aten::mm [8,4] [4,2] bf16' --save-partial x
refused --shape 'aten::mm [8,4] [4,2] bf16' --by kernel
refused --shape 'aten::mm [8,4] [4,2] bf16' --explain aten::mm
