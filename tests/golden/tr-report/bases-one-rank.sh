# Truth: by hand.  Two captures of one rank, of which one has a time base: there are no ranks to be compared, so nothing is
# said of that; of two ranks it is.
work() { # RANK MORE
    echo "{\"distributedInfo\": {\"rank\": $1}, $2 \"traceEvents\": [
{\"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"cudaLaunchKernel\", \"pid\": 1, \"tid\": 1, \"ts\": 1, \"dur\": 1, \"args\": {\"correlation\": 1}},
{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k\", \"pid\": 0, \"tid\": 7, \"ts\": 5, \"dur\": 5, \"args\": {\"correlation\": 1, \"device\": 0, \"stream\": 7}}]}"
}
work 0 '"baseTimeNanoseconds": 1000000,' >first.json
work 0 '' >second.json
work 1 '' >other.json
tr-report -q --sections trust first.json second.json
tr-report -q --sections trust first.json other.json
