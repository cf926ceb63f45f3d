# Truth: by hand.  The job of path.sh, then with gemm at half its time and without relu: the parts of the path that was
# saved that end in relu are not there.  In the second run, gemm runs from 1020 to 1040; the call waits for it alone.
event() { echo "{\"ph\": \"X\", \"cat\": \"$1\", \"name\": \"$2\", \"pid\": $3, \"tid\": $4, \"ts\": $5, \"dur\": $6, \"args\": {$7}}$8"; }
job()
{
    echo '{"distributedInfo": {"rank": 3}, "traceEvents": ['
    event cpu_op mm 1 1 1000 100 "" ,
    event cuda_runtime cudaLaunchKernel 1 1 1010 5 '"correlation": 1' ,
    event cuda_runtime cudaLaunchKernel 1 1 1030 4 '"correlation": 2' ,
    event cuda_runtime cudaStreamSynchronize 1 1 1050 45 '"correlation": 3' ,
    event kernel gemm 0 7 1020 "$1" '"device": 0, "stream": 7, "correlation": 1' ,
    [ "$2" = 0 ] || event kernel relu 0 7 1061 "$2" '"device": 0, "stream": 7, "correlation": 2' ,
    event cuda_sync 'Stream Sync' 0 7 1050 41 '"device": 0, "stream": 7, "correlation": 3'
    echo ']}'
}
job 40 29 >before.json
job 20 0 >after.json
tr-critpath --by member -O tsv before.json
echo "== saved"
tr-critpath -q --save-path path.tsv before.json
cat path.tsv
echo "== in the same run: nothing changes"
tr-critpath --by member --base path.tsv -O tsv before.json | cut -f 3,8- | cut -f 1-5
echo "== in another run"
tr-critpath --by member --base path.tsv -O tsv after.json 2>said
cat said
echo "== in its JSON"
tr-critpath --by member --base path.tsv -q -O json after.json | head -n 2
echo "== what is no path"
tr-critpath -O tsv -o other.tsv before.json
tr-critpath --by member --base other.tsv after.json 2>&1
sed 's/start/begin/' path.tsv >odd.tsv
tr-critpath --by member --base odd.tsv after.json 2>&1
tr-critpath --by bound --base path.tsv after.json 2>&1
tr-critpath --save-path new.tsv --by edge after.json 2>&1
[ ! -e new.tsv ] && echo "nothing is written"
