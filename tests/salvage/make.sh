#!/bin/sh
# SPDX-License-Identifier: MIT
# Writes the inputs that are binary, or large, to the folder it is run in.  What needs a program that is not
# there is left out.

event()
{
    printf '{"ph": "X", "name": "%s", "pid": 1, "tid": 1, "ts": %d, "dur": 1}%s\n' "$1" "$2" "$3"
}
{
    printf '{"traceEvents": [\n'
    event ok0 1 ,
} >first
event bad 2 , >middle
{
    event ok1 3
    printf ']}\n'
} >last
cat first middle last >whole

# less FILE N: all but so many bytes at its end
less()
{
    head -c $(($(wc -c <"$1") - $2)) "$1"
}

# gzip: each part is a member; an invalid block in the place of one of them
pack()
{
    gzip -n -c "$1"
}
broken_member() # a header, and a block of the type that is none
{
    printf '\037\213\010\000\000\000\000\000\000\003\377\377\377\377\377\377\377\377'
}
if command -v gzip >/dev/null; then
    for part in first middle last whole; do
        pack $part >$part.gz
    done
    cat first.gz middle.gz last.gz >gzip_members.json.gz
    { cat whole.gz && printf '\000\000\000\000\000\000'; } >gzip_padding.json.gz
    less whole.gz 4 >bad_compression_gzip_trailer_cut.json.gz
    { less whole.gz 8 && printf '\001\002\003\004' && tail -c 4 whole.gz; } >bad_compression_gzip_checksum.json.gz
    { less whole.gz 4 && printf '\001\000\000\000'; } >bad_compression_gzip_length.json.gz
    { cat first.gz && head -c 10 last.gz; } >bad_compression_gzip_header_only.json.gz
    { cat first.gz && head -c 5 last.gz; } >bad_compression_gzip_header_cut.json.gz
    { cat first.gz && broken_member && cat last.gz; } >bad_compression_gzip_member.json.gz
    { cat first.gz && broken_member && cat middle.gz && broken_member && cat last.gz; } \
        >bad_compression_gzip_two_members.json.gz
    { cat first.gz middle.gz && broken_member; } >bad_compression_gzip_last_member.json.gz
    { cat whole.gz && printf 'garbage after the end'; } >trailing_bytes_gzip.json.gz
    { cat first && broken_member; } >gzip_inside_text.json
    less whole.gz $(($(wc -c <whole.gz) - 10)) >nothing_gzip_header.gz
    broken_member >nothing_gzip_broken.gz
    : >empty
    pack empty >nothing_gzip_empty.gz
    { cat first middle && printf '{"ph": "X", "na'; } >half
    pack half >truncated_inside_gzip.json.gz
fi
if command -v lz4 >/dev/null; then
    lz4 -q -c --no-frame-crc whole >whole.lz4
    less whole.lz4 4 >bad_compression_lz4_end_cut.json.lz4
    lz4 -q -c whole >summed.lz4
    { less summed.lz4 4 && printf '\001\002\003\004'; } >bad_compression_lz4_checksum.json.lz4
    { lz4 -q -c first && lz4 -q -c last | head -c 9; } >bad_compression_lz4_frame_cut.json.lz4
fi
if command -v zstd >/dev/null && tr-parse --version | grep -q zstd; then
    zstd -q -c --no-check first >first.zst
    zstd -q -c last | head -c 9 >last.cut
    cat first.zst last.cut >bad_compression_zstd_frame_cut.json.zst
    { zstd -q -c --check whole >summed.zst && less summed.zst 4 && printf '\001\002\003\004'; } \
        >bad_compression_zstd_checksum.json.zst
fi
# xz and bzip2: 100,000 blanks between the events, since what is lost before damage is 64 KiB at most
if command -v xz >/dev/null && command -v bzip2 >/dev/null && tr-parse --version | grep -q libarchive; then
    { cat first && printf '%100000s' '' && cat middle last; } >wide
    xz -c whole >xz.json.xz
    bzip2 -c whole >bzip2.json.bz2
    { xz -c first && xz -c middle last; } >xz_streams.json.xz
    { bzip2 -c first && bzip2 -c middle && bzip2 -c last; } >bzip2_streams.json.bz2
    xz -c wide >wide.xz
    less wide.xz 12 >bad_compression_xz_end_cut.json.xz
    { head -c 100 wide.xz && printf '\377\377\377\377' && tail -c +105 wide.xz; } >nothing_xz_inside.xz
    { bzip2 -c wide && bzip2 -c last | head -c 30; } >bad_compression_bzip2_cut.json.bz2
    { bzip2 -c wide && printf 'BZh91AY&SY\377\377\377\377\377\377\377\377'; } >bad_compression_bzip2_stream.json.bz2
    less wide.xz $(($(wc -c <wide.xz) - 20)) >nothing_xz_header.xz
    rm -f wide wide.xz
fi
# archives: a whole member, and one that is damaged
if command -v tar >/dev/null && tr-parse --version | grep -q libarchive; then
    cp whole rank0.json
    cp whole rank1.json
    tar -cf whole.tar rank0.json rank1.json
    head -c $((512 + 512 + 512 + 130)) whole.tar >archive_cut.tar
    head -c $((512 + 512 + 100)) whole.tar >archive_cut_header.tar
    rm rank0.json rank1.json
fi

# one event beyond the limit of 15 MiB
{
    cat first
    printf '{"ph": "X", "name": "'
    head -c $((15 * 1048576)) /dev/zero | tr '\000' x
    printf '", "pid": 1, "tid": 1, "ts": 2, "dur": 1},\n'
    cat last
} >too_long_name.json
# brackets open at one time: 4096 are read, no more
deep()
{
    cat first
    printf '{"ph": "X", "name": "deep", "pid": 1, "tid": 1, "ts": 2, "dur": 1, "args": {"x": '
    head -c "$1" /dev/zero | tr '\000' '['
    head -c "$1" /dev/zero | tr '\000' ']'
    printf '}},\n'
    cat last
}
deep 4000 >deep_4000.json
deep 5000 >bad_event_deep_5000.json

rm -f first middle last whole half empty last.cut ./whole.* ./summed.* first.gz middle.gz last.gz first.zst
