# Truth: what is added twice is there twice, with the values of its own event, over several batches of 8,192 events in which
# events that were there and events that are added have entries in the same columns.
awk 'BEGIN { printf "{\"traceEvents\": ["
    for (i = 1; i <= 9000; i++) {
        printf "%s{\"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"cudaLaunchKernel\", \"pid\": 1, \"tid\": 1, \"ts\": %d, \"dur\": 2, \"args\": {\"correlation\": %d}}", (i > 1 ? ",\n" : ""), i * 10, i
        printf ",\n{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k%d\", \"pid\": 0, \"tid\": %d, \"ts\": %d, \"dur\": 4, \"args\": {\"device\": 0, \"stream\": %d, \"correlation\": %d}}", i % 3, i % 4, i * 10 + 7, i % 4, i
    }
    print "]}" }' >t.json
tr-counters t.json | tr-view --columns ts,phase,name,args >once
tr-counters t.json | tr-counters | tr-view --columns ts,phase,name,args >twice
awk -F '\t' '$2 == "counter"' once | wc -l
awk -F '\t' '$2 == "counter"' once once | sort >want
awk -F '\t' '$2 == "counter"' twice | sort | cmp - want && echo "counters are there twice"
awk -F '\t' '$2 != "counter"' once >a
awk -F '\t' '$2 != "counter"' twice | cmp - a && echo "the rest is as it was"
