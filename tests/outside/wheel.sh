#!/bin/sh
# SPDX-License-Identifier: MIT
# make wheel: pip installs it without a network into an environment of its own; programs, pages and the module are there,
# and need no other file than the C library.
. "$(dirname "$0")/lib.sh"
top=$built/..
python=${PYTHON:-python3}
[ -f "$top/config.status" ] && [ -f "$top/contrib/Makefile" ] || skip_all "not in a build folder"
[ "$(uname -sm)" = "Linux x86_64" ] || skip_all "wheels are made on Linux on x86_64"
command -v "$python" >said || skip_all "no $python"
outside objdump binutils || skip_all "$why"
"$python" -c 'import cffi' 2>said && cffi=--system-site-packages || cffi=
# shellcheck disable=SC2086 # none or one
"$python" -m venv $cffi env >log 2>&1 || skip_all "no environments of Python: $(tail -n 1 log)"
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES TESTS PYTHONPATH

make -C "$top/contrib" wheel >log 2>&1
status=$?
for why in 'not found:.*' 'cannot find -l.*'; do
    [ $status -eq 0 ] || ! grep -q -e "$why" log || skip_all "$(grep -o -e "$why" log | head -n 1)"
done
ok $status "make wheel"
[ $status -eq 0 ] || {
    tail -n 20 log | sed 's/^/# /'
    finish
    exit 0
}
wheel=$(grep '^/.*\.whl$' log)
size=$(wc -c <"$wheel")
[ "$size" -lt 12000000 ]
ok $? "less than 12 MB: $size bytes"
cp "$wheel" first.whl
make -C "$top/contrib" wheel >log 2>&1
cmp "$wheel" first.whl >wrong 2>&1
none wrong "made twice, the bytes are the same"

line=$(sed -n 's/^\(make wheel && .*[^ ]\)  *#.*/\1/p' "$root/README.md")
(cd "$top" && PATH=$tmp/env/bin:$PATH PIP_NO_INDEX=1 PIP_NO_DEPS=1 PIP_DISABLE_PIP_VERSION_CHECK=1 sh -c "$line") >log 2>&1
status=$?
ok $status "README: ${line:-no line}"
[ $status -eq 0 ] || tail -n 20 log | sed 's/^/# /'
env/bin/python -m pip check --disable-pip-version-check 2>&1 | grep '^tracepipe' | grep -v cffi >wrong
none wrong "pip finds nothing that is missing, but for cffi"

# what is inside needs the C library of the version in its name, and nothing else
"$python" -m zipfile -e "$wheel" unpacked
find unpacked -type f -exec sh -c 'head -c 4 "$1" | grep -q ELF' sh {} \; -print >binaries
while read -r file; do
    objdump -p "$file" | awk '$1 == "NEEDED" { print $2 }' | grep -vxE 'lib(c|m)\.so\.6|ld-linux-x86-64\.so\.2'
done <binaries >wrong
none wrong "$(wc -l <binaries) binaries need the C library alone"
newest=$(xargs objdump -p <binaries | grep -o 'GLIBC_[0-9.]*' | sort -V | tail -n 1 | tr '._' '__')
like "$wheel" "*-many*${newest#GLIBC}_x86_64.whl" "its name has the version of the C library"
(cd unpacked && "$python" - <<'END') >wrong 2>&1
import base64, csv, glob, hashlib, os
listed = set()
for name, digest, size in csv.reader(open(glob.glob("*.dist-info/RECORD")[0], newline="")):
    listed.add(name)
    if digest:
        with open(name, "rb") as f:
            data = f.read()
        want = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        if digest != "sha256=" + want or int(size) != len(data):
            print("RECORD is wrong about", name)
there = {os.path.join(top, f)[2:] for top, _, files in os.walk(".") for f in files}
print(*sorted(listed ^ there), sep="\n", end="")
END
none wrong "RECORD lists each file"

# the programs, by themselves and from the environment's folder in PATH
for t in $(tools); do
    is "$(env/bin/"$t" --version 2>&1 | head -n 1)" "$("$bin/$t" --version | head -n 1)" "$t --version"
done
env/bin/tracepipe >have 2>&1
"$bin/tracepipe" | cmp - have >wrong 2>&1
none wrong "tracepipe lists the programs"
ln -s env/bin/tr-overlap elsewhere
is "$(./elsewhere --version | head -n 1)" "$("$bin/tracepipe" --version | head -n 1)" "a link of another name runs tracepipe"
cp env/bin/tr-overlap alone
./alone --version >out 2>&1
is $? 126 "a launcher without the programs ends with status 126"
sample=env/share/tracepipe/sample
for words in "tr-report --sections findings -O text" "tr-report -O html"; do
    # shellcheck disable=SC2086 # words
    PATH=$tmp/env/bin:$PATH $words $sample/rank*.json.gz >have 2>have.err
    # shellcheck disable=SC2086
    $words $sample/rank*.json.gz >want 2>want.err
    { cmp want have && cmp want.err have.err; } >wrong 2>&1
    none wrong "README: $words"
done
env/bin/tr-overlap -O sqlite -o x.db $sample/rank0.json.gz 2>err
is "$? $(cat err)" "0 " "a database, with the library that is linked"
env/bin/tr-overlap --no-such-option >out 2>err
is $? 2 "the status is that of the program"

# the module, with the library beside it
if [ "$cffi" ]; then
    tr-breakdown --unit ns --columns rank,busy -O tsv $sample/rank*.json.gz | sed 1d >want
    (unset TRACEPIPE_LIBRARY PYTHONPATH && env/bin/python -c '
import sys, tracepipe
for row in tracepipe.open(sys.argv[1:]).breakdown():
    print(row["rank"], row["busy_ns"], sep="\t")' $sample/rank*.json.gz) >have 2>err
    cmp want have >wrong 2>&1
    cat err >>wrong
    none wrong "import tracepipe: the figures of tr-breakdown"
    env/bin/python -c 'import sys, sqlite3, tracepipe
print(tracepipe.__version__ in sys.argv[1], tracepipe._lib.place.startswith(sys.prefix))' "$wheel" >have 2>&1
    is "$(cat have)" "True True" "of the version of the wheel, and the library is that of the wheel, beside other libraries"
else
    skip "import tracepipe" "no cffi"
fi
for page in env/share/man/man1/tr-report.1 env/share/man/man7/tr-expr.7 env/share/zsh/site-functions/_tracepipe; do
    [ -f "$page" ]
    ok $? "$page is there"
done
if command -v bash >said; then
    for name in tracepipe tr-report; do
        bash -c ". env/share/bash-completion/completions/$name && COMP_WORDS=(tr-breakdown --relat) COMP_CWORD=1 && _tracepipe 2>said
            echo \${COMPREPLY[*]}" >have
        is "$(cat have)" --relative "bash completion, by the file of $name"
    done
fi
if command -v fish >said; then
    echo 'source env/share/fish/vendor_completions.d/tr-report.fish; complete -C "tr-breakdown --relat"' >ask.fish
    is "$(HOME=$tmp fish --no-config ask.fish | cut -f 1)" --relative "fish completion, by the file of tr-report"
fi

env/bin/python -m pip uninstall -y --disable-pip-version-check tracepipe >log 2>&1
find env ! -type d \( -name 'tr-*' -o -path '*tracepipe*' \) >wrong
none wrong "nothing is left after pip uninstall"
finish
