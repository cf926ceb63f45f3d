# Sentences are whole, however long their numbers are.  By hand: of seven steps, four take 1 ms, the median, and three
# 6000 seconds, which is 18000 seconds more.
awk 'BEGIN {
    print "{\"traceEvents\": ["
    for (i = 0; i < 7; i++) {
        dur = i < 4 ? 1000 : 6000123400 + 1000 * i
        printf "{\"ph\": \"X\", \"cat\": \"user_annotation\", \"name\": \"ProfilerStep#%s%d\", \"pid\": 1, \"tid\": 1, " \
               "\"ts\": %.0f, \"dur\": %.0f, \"args\": {}},\n", "92233720", i, at, dur
        printf "{\"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"cudaLaunchKernel\", \"pid\": 1, \"tid\": 1, " \
               "\"ts\": %.0f, \"dur\": 1, \"args\": {\"correlation\": %d}},\n", at, i + 1
        printf "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k\", \"pid\": 0, \"tid\": 7, \"ts\": %.0f, \"dur\": %.0f, " \
               "\"args\": {\"device\": 0, \"stream\": 7, \"correlation\": %d}}%s\n", at + 1, dur - 1, i + 1, i < 6 ? "," : ""
        at += dur
    }
    print "]}" }' >steps.json
tr-report -q --sections next steps.json
