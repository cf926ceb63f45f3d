# Truth: by hand.  Files of rules, models and peaks with zero bytes, endless lines, or devices without a name or a
# figure are refused with the line; the class: every place of such a file that names something.
exec 2>&1
long=$(head -c 70000 /dev/zero | tr '\0' x)
printf '[a if contains]\nge\0mm\n' >r1
printf '# x\n[a\0b if contains]\nx\n' >r2
printf '[a if contains]\n%s\n' "$long" >r3
printf '[a if function contains]\nx\n\n%s\n' "$long" >r4
for f in r1 r2 r3 r4; do
    tr-categorize --rules $f --explain gemm
    echo "status $?"
done
printf '[a]\nops = a\0b\nflops = 1\nbytes = 1\n' >m1
printf '[a]\nops = %s\nflops = 1\nbytes = 1\n' "$long" >m2
for f in m1 m2; do
    tr-roofline --models $f "$SAMPLE/rank0.json.gz"
    echo "status $?"
done
printf '[]\n' >p1
printf '[]\nbandwidth = 5\n' >p2
printf '[%s]\nbandwidth = 5\n' "$long" >p3
printf '[x]\nband\0width = 5\n' >p4
printf '# nothing\n[x]\n\n' >p5
printf '[%s]\nbandwidth = 5\n' "$(echo "$long" | head -c 70)" >p6
printf 'PlatformName,x\0y\nFP32_GFLOPS,32000\n' >p7
for f in p1 p2 p3 p4 p5 p6 p7; do
    tr-roofline --arch $f "$SAMPLE/rank0.json.gz"
    echo "status $?"
done
