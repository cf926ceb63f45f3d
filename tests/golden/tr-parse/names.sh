# A vendor that the programs do not know: its calls and its device work have categories of their own, and one call has
# none.  Without a file they are other events, and nothing is linked; with --names the calls launch the work.
# Truth: the correlation numbers of the trace.
cat >trace.json <<'END'
{"traceEvents":[
{"ph":"X","cat":"npu_runtime","name":"npuEnqueue","pid":1,"tid":1,"ts":10,"dur":2,"args":{"correlation":1}},
{"ph":"X","cat":"host_call","name":"fooSubmit_v2","pid":1,"tid":1,"ts":20,"dur":2,"args":{"correlation":2}},
{"ph":"X","cat":"host_call","name":"plain","pid":1,"tid":1,"ts":24,"dur":2,"args":{"correlation":3}},
{"ph":"X","cat":"npu_work","name":"matmul","pid":0,"tid":3,"ts":15,"dur":4,"args":{"device":0,"stream":3,"correlation":1}},
{"ph":"X","cat":"npu_work","name":"move in","pid":0,"tid":3,"ts":25,"dur":4,"args":{"device":0,"stream":3,"correlation":2}},
{"ph":"i","s":"t","cat":"npu_work","name":"mark","pid":0,"tid":3,"ts":30}
]}
END
cat >npu.rules <<'END'
# the profiler of NPUs, by its manual
[runtime_api if category equals to]
npu_runtime

[kernel if category starts with]
npu_w

[memcpy if name equals to]
"move in"

[driver_api if name contains]
Submit
END
view='tr-view -O tsv --columns ts,activity,kind,name,device,stream,launch_ts,api'
tr-parse trace.json | $view
tr-parse --names npu.rules trace.json | $view
tr-parse --names npu.rules trace.json | tr-launch -O tsv --columns api,launches,calls
echo 'status of files that are none:'
for line in 'kernel' '[colour if name contains]' '[kernel if nick contains]' '[kernel if name resembles]' '[kernel' '# none'; do
    printf '%s\n' '' "$line" >bad.rules
    tr-parse --names bad.rules trace.json >out
    echo "$? $(wc -c <out)"
done
