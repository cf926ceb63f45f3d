# Truth: by hand.  Kernel k: at 0x10 a load sets entry 1, at 0x20 an addition waits for it, in a loop B1 -> B2 -> B1.  The
# instruction at 0x28 waits for entry 2, which B2 sets at 0x38, so on the way around the loop; and for what was set
# before, at 0x0.  Two devices, so counts are twice those of one.  A cause of a newer device counts as other.  m has no
# dump.  The file is cut: its last row is lost.
{ for device in 0 1; do
    printf '=== Device #%s Metrics ===\n\n' $device
    printf '       Kernel, IP[Address], Active[Events], SbidStall[Events], PipeStall[Events], NewStall[Events]\n'
    printf '          "k",           0,              5,                 0,                 0,                0\n'
    printf '          "k",          10,              1,                 0,                 3,                0\n'
    printf '          "k",          20,              0,                 7,                 0,                1\n'
    printf '          "k",          28,              0,                 2,                 0,                0\n'
    printf '          "m",         1e0,              0,                 0,                 4,                0\n\n'
done
printf '"m", 1f0, 0, 0, 99, 9'; } >metrics.csv
mkdir dumps
cat >dumps/k.asm <<'END'
//.kernel k
// B0: Preds:{},  Succs:{B1}
// File: /src/k.cpp
// Line 3:  first
        send.dc0 (1|M0)   r45   {A@1,$2}   // $1
// B1: Preds:{B0, B2, B7},  Succs:{B2}
// Line 5:  a =  b;
        load.ugm.d32 (32|M0)   r19   {I@1,$1}   // $2
        add (16|M0)   r32   r19   {Compacted,$1.dst}   // $3
        sync.nop      null   {$2.src}   // $4
// B2: Preds:{B1},  Succs:{B1}
        store.ugm.d32 (32|M0)   r20   {I@1,$2}   // $5
END
echo '//.kernel k' >dumps/a.asm # shorter names do not count
mv dumps/k.asm dumps/k_2.asm
for by in kernel instruction cause wait; do
    echo "== $by"
    tr-stalls -q --by $by ${asm-} -O tsv metrics.csv
    asm="--asm dumps"
done
echo "== chosen"
tr-stalls -q --by cause --top 1 --where 'pid == 1' -O tsv --columns name,cause,address,events metrics.csv
tr-stalls -q --by wait --asm dumps --where 'name == "m"' -O tsv metrics.csv
echo "== what it says"
tr-stalls --by cause --asm dumps metrics.csv 2>&1 >/dev/null
tr-stalls --by kernel --asm dumps metrics.csv; echo "status $?"
tr-stalls --by cause --asm none metrics.csv; echo "status $?"
echo text >text
tr-stalls --by cause --asm text metrics.csv; echo "status $?"
tr-stalls --suspect include metrics.csv; echo "status $?"
tr-stalls --strict metrics.csv; echo "status $?"
printf 'Kernel, IP[Address], SbidStall[Events]\n"k", x1, 5\n"k", 10000000000000000, 5\n"k", , 5\n"k", -1, 5\n' >bad.csv
tr-stalls bad.csv; echo "status $?"
echo "== addresses"
tr-stalls --annotate dumps/k_2.asm | tee again.asm
tr-stalls --annotate again.asm | cmp - again.asm && echo "the same again"
tr-stalls --annotate dumps/k_2.asm --by kernel; echo "status $?"
tr-stalls --annotate dumps/k_2.asm metrics.csv; echo "status $?"
tr-stalls --annotate dumps/k_2.asm --rank 0; echo "status $?"
tr-stalls --annotate none; echo "status $?"
echo "== a store that waits for a load"
printf 'Kernel, IP[Address], SbidStall[Events]\n"w", 10, 5\n' >w.csv
printf '%s\n' '//.kernel w' '// B0: Preds:{},  Succs:{}' 'load.ugm.d32 (32|M0)   r19   {$1}   // $1' \
    'store.ugm.d32 (32|M0)   r20   {$2,$1.dst}   // $2' >dumps/w.asm
tr-stalls -q --by wait --asm dumps -O tsv w.csv
