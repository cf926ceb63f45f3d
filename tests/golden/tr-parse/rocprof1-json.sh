# Truth: by hand.  results.json of rocprof: processes are roles; times in quotes are no damage, and args have them in ns;
# an arrow joins the starts of a call and of its work, in whole us.  A barrier and a marker are no work.
cat >results.json <<'END'
{ "traceEvents":[{}
,{"args":{"name":"Markers and Ranges"},"ph":"M","pid":0,"name":"process_name","sort_index":0}
,{"args":{"name":"COPY"},"ph":"M","pid":1,"name":"process_name","sort_index":1}
,{"args":{"name":"CPU HIP API"},"ph":"M","pid":2,"name":"process_name","sort_index":2}
,{"args":{"name":"CPU HSA API"},"ph":"M","pid":3,"name":"process_name","sort_index":3}
,{"args":{"name":"GPU1"},"ph":"M","pid":7,"name":"process_name","sort_index":4}
,{"args":{"name":"GPU Barriers1"},"ph":"M","pid":519,"name":"process_name","sort_index":5}
,{"ph":"X","name":"hipLaunchKernel","ts":"100","dur":"4","pid":2,"tid":42,"args":{"BeginNs":"100250","EndNs":"104374","pid":"42","Name":"hipLaunchKernel"}}
,{"ph":"X","name":"hipMemcpyAsync","ts":"110","dur":"1","pid":2,"tid":42,"args":{"BeginNs":"110000","EndNs":"110900","pid":"42"}}
,{"ph":"X","name":"hsa_signal_wait","ts":"112","dur":"1","pid":3,"tid":42,"args":{"BeginNs":"112000","EndNs":"112500"}}
,{"ph":"X","name":"forward","ts":"90","dur":"40","pid":0,"tid":42,"args":{"BeginNs":"90000","EndNs":"130000"}}
,{"ph":"X","name":"gemm(float*) [clone .kd]","ts":"120","dur":"1","pid":7,"tid":3,"args":{"BeginNs":"120999","EndNs":"121001","dev-id":"1","queue-id":"0","stream-id":"3"}}
,{"ph":"X","name":"CopyHostToDevice","ts":"130","dur":"10","pid":1,"tid":3,"args":{"BeginNs":"130001","EndNs":"140002","dev-id":"1","stream-id":"3"}}
,{"ph":"X","name":"FillBuffer","ts":"150","dur":"1","pid":1,"tid":3,"args":{"BeginNs":"150001","EndNs":"150002","dev-id":"1","stream-id":"3"}}
,{"ph":"X","name":"<barrier packet>","ts":"160","dur":"1","pid":519,"tid":3,"args":{"BeginNs":"160001","EndNs":"160002","dev-id":"1"}}
,{"ts":100,"ph":"s","cat":"DataFlow","id":0,"pid":2,"tid":42,"name":"dep"}
,{"ts":120,"ph":"t","cat":"DataFlow","id":0,"pid":7,"tid":3,"name":"dep"}
,{"ts":110,"ph":"s","cat":"DataFlow","id":1,"pid":2,"tid":42,"name":"dep"}
,{"ts":130,"ph":"t","cat":"DataFlow","id":1,"pid":1,"tid":3,"name":"dep"}
],"otherData":{"Agent 1 Name":"gfx90a"}}
END
tr-parse results.json >r.trs
tr-view -q -O tsv --columns name,ts,dur,activity,device,stream,launch_ts,queue_wait --where 'phase == span' r.trs
tr-info r.trs -O json | grep -E "\"(format|linked_pct|used_pct)\""
