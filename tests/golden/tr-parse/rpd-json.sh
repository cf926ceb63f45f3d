# Truth: by hand.  JSON made of a database of rocmProfileData: ids and times in quotes; the arg desc is the type of work,
# and spans of a device without a known type, such as those of whole graphs, are no work.
cat >t.json <<'END'
[ {}
,{"name": "process_name", "ph": "M", "pid":"2","args":{"name":"GPU2"}}
,{"name": "process_sort_index", "ph": "M", "pid":"2","args":{"sort_index":"1000002"}}
,{"name":"thread_name","ph":"M","pid":"700","tid":"701","args":{"name":"Hip 701"}}
,{"pid":"2","tid":"0","name":"gemm","ts":"100","dur":"20","ph":"X","args":{"desc":"KernelExecution"}}
,{"pid":"2","tid":"0","name":"relu","ts":"130","dur":"10","ph":"X","args":{"desc":"Task"}}
,{"pid":"2","tid":"1","name":"CopyHostToDevice","ts":"110","dur":"5","ph":"X","args":{"desc":"CopyHostToDevice"}}
,{"pid":"2","tid":"1","name":"FillBuffer","ts":"120","dur":"5","ph":"X","args":{"desc":"FillBuffer"}}
,{"pid":"2","tid":"1","name":"Barrier","ts":"126","dur":"5","ph":"X","args":{"desc":"Barrier"}}
,{"pid":"2","tid":"0","name":"Graph 0x7","ts":"100","dur":"50","ph":"X","args":{"kernels":"2"}}
,{"pid":"700","tid":"701","name":"hipLaunchKernel","ts":"90","dur":"4","ph":"X","args":{"desc":"stream=0"}}
,{"pid":"700","tid":"701","name":"step","ts":"80","dur":"90","ph":"X","args":{"desc":"step"}}
,{"pid":"700","tid":"701","cat":"api_op","name":"api_op","ts":"92","id":"1","ph":"s"}
,{"pid":"2","tid":"0","cat":"api_op","name":"api_op","ts":"100","id":"1","ph":"f", "bp":"e"}
]
END
tr-parse t.json | tr-view -q -O tsv --columns name,ts,dur,activity,device,stream,launch_ts --where 'phase == span'
tr-breakdown -q t.json
