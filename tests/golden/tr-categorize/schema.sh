# Truth: by hand, from the precedence of unitrace's schemas: beginnings and whole names before endings, there the longest,
# of equal length the whole name.  The same from its JSON form.  With another condition in the file, the first rule wins.
cat >s.ini <<END
[whole if equals to]
gemm
Memcpy D2H
[begin if starts with]
gemm
[longer.remark if starts with]
gemm_kernel
[end if ends with]
kernel
::SYNC
[short if ends with]
SYNC
END
cat >s.json <<END
{"ignore_spaces": true,
 "direct": {"length": 4, "next": {"gemm": {"category": "begin", "length": 7, "next": {"_kernel": {"category": "longer"},
            "": {"category": "whole"}}}, "Memc": {"length": 5, "next": {"pyD2H": {"next": {"": {"category": "whole"}}}}}}},
 "reverse": {"length": 4, "next": {"CNYS": {"category": "short", "length": 2, "next": {"::": {"category": "end"}}},
             "lenr": {"length": 2, "next": {"ek": {"category": "end"}}}}}}
END
for f in s.ini s.json; do
    tr-categorize --rules $f --explain gemm --explain gemm_x --explain gemm_kernel_1 --explain my_kernel --explain a::SYNC \
        --explain aSYNC --explain 'MemcpyD2H' --explain 'gemm_ kernel' -O tsv | cut -f 1,2,3,6-
done
echo "== blanks count"
tr-categorize --rules s.ini --keep-spaces --explain MemcpyD2H --explain 'Memcpy D2H' -O tsv | cut -f 1,3
echo "== the order decides"
tr-categorize --rules s.ini --precedence first --explain gemm_kernel_1 --explain a::SYNC -O tsv | cut -f 1,3,9
printf '[any if contains]\nSYNC\n' >any.ini
cat s.ini any.ini >both.ini
tr-categorize --rules both.ini --explain gemm_kernel_1 --explain SYNCx -O tsv | cut -f 1,3,9
echo "== two files"
tr-categorize --rules any.ini --rules s.ini --explain gemm --explain aSYNC -O tsv | cut -f 1,3-5,9
