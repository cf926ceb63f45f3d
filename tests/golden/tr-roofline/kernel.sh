# Truth: by hand, peaks 1000 GFLOP/s of matrices of bf16 and 100 of fp32, memory 10 GB/s, L3 50 GB/s.  a: 100 matrix
# instructions are 51200 operations: 51.2 ns; 200 bytes of memory 20 ns; 4000 bytes of L3 80 ns; so L3 bounds it, 80 of
# 160 ns.  b: 10 of fp32 are 320 operations, 3.2 ns; memory 400 bytes, 40 ns of 40.  c has no bytes and d no
# instructions: left out; idle rows, too.  Files in either order, and both groups in one file.
cat >flops.csv <<'END'
=== Device #0 Metrics ===

Kernel,GlobalInstanceId,GpuTime[ns],XVE_INST_EXECUTED_FP32[events],XVE_INST_EXECUTED_XMX_BF16[events]
"a",1,170,0,50

"b",2,41,10,0

"a",3,1,0,50

"c",4,1,9,9

"NoKernel(Before a)",5,9,9,9
END
cat >bytes.csv <<'END'
Kernel,GlobalInstanceId,GpuTime[ns],L3_BYTE_READ[bytes],L3_BYTE_WRITE[bytes],GPU_MEMORY_BYTE_READ[bytes],AvgGpuCoreFrequencyMHz[MHz]
"a",1,100,1000,1000,100,1000
"a",1,40,1000,1000,50,2000

"a",3,20,0,0,50,1200

"b",2,40,0,0,400,1000

"d",4,1,1,1,1,1

"NoKernel(Before a)",5,9,9,9,9,9
END
cat >device.csv <<'END'
PlatformName,"toy"
FP32_GFLOPS,100
BF16_XMX_GFLOPS, 1000

GPU_MEMORY_BW_in_GB_per_sec,10
L3_BW_in_GB_per_sec,50
Unknown,5
END
printf '[toy]\nbandwidth = 10\nl3_bandwidth = 50\nmatrix_bf16 = 1\nvector_fp32 = 0.1\n' >device.peaks
for by in kernel point roof precision; do
    echo "== $by"
    tr-roofline -q --by $by --arch device.csv -O tsv flops.csv bytes.csv | tee $by.tsv
    tr-roofline -q --by $by --arch ./device.peaks -O tsv bytes.csv flops.csv | cmp - $by.tsv
done
tr-roofline --by kernel -O text --arch device.csv flops.csv bytes.csv
echo "== chosen"
tr-roofline -q --by roof --spec vector_fp32 --arch device.csv -O tsv flops.csv bytes.csv
tr-roofline -q --by point --spec vector_fp32 -O tsv flops.csv bytes.csv
tr-roofline -q --by kernel -O tsv --columns name,tflops,bound,roofline,roofline_pct flops.csv bytes.csv
echo "== one file with both"
printf 'Kernel,GpuTime[ns],XVE_INST_EXECUTED_FP16[events],GPU_MEMORY_BYTE_WRITE[bytes]\na,10,1,64\na,10,1,64\n' >both.csv
tr-roofline --by kernel -O tsv --columns name,calls,device,flop,bytes,flop_per_byte both.csv
echo "== what it says"
tr-roofline --by kernel -O tsv --columns name --arch device.csv flops.csv bytes.csv 2>&1 >/dev/null
printf 'Kernel,GpuTime[ns],GPU_MEMORY_BYTE_WRITE[bytes]\na,10,64\n' >fewer.csv
tr-roofline --by kernel -O tsv --columns name,calls flops.csv fewer.csv
tr-roofline --by roof flops.csv bytes.csv; echo "status $?"
tr-roofline --by point --spec fp32 flops.csv bytes.csv; echo "status $?"
tr-roofline --by kernel --spec vector_fp32 flops.csv bytes.csv; echo "status $?"
tr-roofline --by kernel --models none flops.csv bytes.csv; echo "status $?"
tr-roofline --by kernel flops.csv; echo "status $?"
printf 'FP32_GFLOPS,x\n' >bad.csv
tr-roofline --by kernel --arch bad.csv flops.csv bytes.csv; echo "status $?"
printf 'PlatformName,y\nFP32_GFLOPS,-5\n' >bad.csv
tr-roofline --by kernel --arch bad.csv flops.csv bytes.csv; echo "status $?"
