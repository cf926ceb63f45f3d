# Reports of nsys stats: headings as nsys prints them; values by hand from the events below (std is that of the sample).
cat >t.json <<'J'
{"traceEvents":[
{"ph":"X","name":"a","cat":"kernel","pid":0,"tid":7,"ts":100,"dur":2,"args":{"correlation":1,"grid":[2,1,1],"block":[32,1,1]}},
{"ph":"X","name":"a","cat":"kernel","pid":0,"tid":7,"ts":110,"dur":4,"args":{"grid":[4,1,1],"block":[32,1,1]}},
{"ph":"X","name":"b","cat":"kernel","pid":0,"tid":7,"ts":120,"dur":18,"args":{"grid":[2,1,1],"block":[64,1,1]}},
{"ph":"X","name":"Memcpy HtoD","cat":"gpu_memcpy","pid":0,"tid":7,"ts":140,"dur":3,"args":{"bytes":100}},
{"ph":"X","name":"Memcpy HtoD","cat":"gpu_memcpy","pid":0,"tid":7,"ts":150,"dur":3,"args":{"bytes":300}},
{"ph":"X","name":"cudaLaunchKernel","cat":"cuda_runtime","pid":1,"tid":1,"ts":90,"dur":5,"args":{"correlation":1}},
{"ph":"X","name":"cuMemcpyAsync","cat":"cuda_driver","pid":1,"tid":1,"ts":96,"dur":15},
{"ph":"X","name":"forward","cat":"user_annotation","pid":1,"tid":1,"ts":80,"dur":50},
{"ph":"X","name":"idle","cat":"user_annotation","pid":1,"tid":1,"ts":140,"dur":5},
{"ph":"b","name":"request","cat":"user_annotation","pid":1,"tid":2,"id":1,"ts":80},
{"ph":"e","name":"request","cat":"user_annotation","pid":1,"tid":2,"id":1,"ts":87},
{"ph":"X","name":"MPI::MPI_Barrier","cat":"cpu_op","pid":1,"tid":1,"ts":210,"dur":6}]}
J
for r in cuda_gpu_kern_sum cuda_gpu_kern_gb_sum cuda_gpu_mem_time_sum cuda_gpu_mem_size_sum cuda_gpu_sum cuda_api_sum \
    cuda_api_gpu_sum cuda_kern_exec_sum nvtx_sum nvtx_pushpop_sum nvtx_startend_sum nvtx_gpu_proj_sum osrt_sum mpi_event_sum; do
    echo "== $r"
    tr-sum --recipe $r -O csv t.json
done
echo "== other options"
tr-sum --recipe cuda_gpu_kern_sum --where 'dur > 3us' --unit us --columns 'name,Total Time (us)' --sort sum:asc t.json
tr-sum --recipe cuda_gpu_kern_sum --top 1 --columns sum,name -O json t.json
echo "== a table of a database is named for the report"
tr-sum --recipe cuda_kern_exec_sum -O csv -o reports/ t.json
tr-sum --recipe cuda_api_sum -O csv -o reports/ t.json
ls reports
echo "== refused"
tr-sum --recipe cuda_kern_exec_sum --stat sum t.json 2>&1
tr-sum --recipe cuda_gpu_kern_sum --by name t.json 2>&1
tr-sum --recipe cuda_gpu_kern_sums t.json 2>&1
