# Kernels by call and name.  Calls of 5 us at 0, 100, 200; kernels: after 3 us of wait, while the call runs (ends before it
# does), and before its call.  The copy does not count.
cat >t.json <<'J'
{"traceEvents":[
{"ph":"X","name":"cudaLaunchKernel","cat":"cuda_runtime","pid":1,"tid":1,"ts":0,"dur":5,"args":{"correlation":1}},
{"ph":"X","name":"cudaLaunchKernel","cat":"cuda_runtime","pid":1,"tid":1,"ts":100,"dur":5,"args":{"correlation":2}},
{"ph":"X","name":"cudaLaunchKernel","cat":"cuda_runtime","pid":1,"tid":1,"ts":200,"dur":5,"args":{"correlation":3}},
{"ph":"X","name":"cudaMemcpyAsync","cat":"cuda_runtime","pid":1,"tid":1,"ts":300,"dur":5,"args":{"correlation":4}},
{"ph":"X","name":"a","cat":"kernel","pid":0,"tid":7,"ts":8,"dur":10,"args":{"device":0,"stream":7,"correlation":1}},
{"ph":"X","name":"a","cat":"kernel","pid":0,"tid":7,"ts":102,"dur":2,"args":{"device":0,"stream":7,"correlation":2}},
{"ph":"X","name":"a","cat":"kernel","pid":0,"tid":7,"ts":190,"dur":2,"args":{"device":0,"stream":7,"correlation":3}},
{"ph":"X","name":"Memcpy","cat":"gpu_memcpy","pid":0,"tid":7,"ts":310,"dur":2,"args":{"device":0,"stream":7,"correlation":4}}]}
J
tr-launch --by kernel -O json t.json
tr-launch --by kernel -O text t.json
tr-launch --by kernel --cpu-cutoff 1us t.json 2>&1
