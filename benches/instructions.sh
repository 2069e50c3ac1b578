#!/bin/sh
# Counts instructions under callgrind, which no busy machine changes, and fails where
# - opening a pak (with detecting its layout) and looking every name up take more than 1,500
#   instructions an entry together, for 2,000 and 100,000 entries;
# - opening a ZIP or a WAD takes more than 1,500 instructions an entry, for 2,000 and 65,534 entries;
# - writing an entry takes a tenth more than the figures below;
# - an entry of as many takes 1.5 times as much to write as one of 2,000;
# - decoding, walking, encoding, deflating, inflating, decoding a picture, making a PNG of one, or a texture of a PNG
#   takes a tenth more than the figures below, which were counted on x86-64 with the compiler named there. Where
#   they are reached with a tenth to spare, lower them.
set -eu
cd "$(dirname "$0")/.."
if ! command -v valgrind >/dev/null; then
    echo "skipped: valgrind is not installed"
    exit 0
fi

# What finds copies is there twice, for registers of 32 bytes and of 16.
by_registers() { # by_registers WITH_AVX2 WITHOUT
    if grep -qs avx2 /proc/cpuinfo; then echo "$1"; else echo "$2"; fi
}

# Thousands of instructions for 1 MiB of content; rustc 1.95.
expected() { # expected JOB KIND
    case "$1 $2" in
    "block map") echo 7721 ;;
    "block wal") echo 10402 ;;
    "block tga") echo 4261 ;;
    "block pcx") echo 8614 ;;
    "stream map") echo 7826 ;;
    "walk map") echo 6973 ;;
    "encode map") by_registers 160724 259511 ;;
    "encode tga") by_registers 162420 260033 ;;
    "deflate map") echo 97135 ;;
    "inflate map") echo 21503 ;;
    "picture PCX") echo 29084 ;;
    "picture TGA") echo 5917 ;;
    "png PCX") echo 184259 ;;
    "png TGA") echo 61091 ;;
    "texture TGA") echo 44192 ;;
    *) echo "no figure for $1 $2" >&2 && exit 1 ;;
    esac
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bench=$(cargo bench --locked --manifest-path benches/Cargo.toml --no-default-features --bench instructions --no-run 2>&1 |
    tee /dev/stderr | sed -n 's/.*Executable.*(\(.*\))/\1/p')

[ -x "$bench" ] # or it was not built, and said why
cargo build --release
daisho=${CARGO_TARGET_DIR:-target}/release/daisho

counted() { # counted COMMAND...
    valgrind --tool=callgrind --callgrind-out-file="$work/out" "$@" 2>"$work/log"
    sed -n 's/^summary: //p; s/^totals: //p' "$work/out" | head -n 1
}

count() { # count JOB NUMBER
    counted "$bench" "$1" "$2"
}

png() { # png NUMBER: what extracting a picture as PNG takes more than extracting it
    "$bench" pak "$1" "$work/$1.pak"
    plain=$(counted "$daisho" -q extract "$work/$1.pak" -C "$work/$1.plain" -j1)
    echo $(($(counted "$daisho" -q extract "$work/$1.pak" -C "$work/$1.png" -j1 --png) - plain))
}

texture() { # texture NUMBER: what a second texture of the same PNG takes in a WAD
    "$bench" pak "$1" "$work/$1.pak"
    "$daisho" -q extract "$work/$1.pak" -C "$work/$1.drawn" --png
    mkdir "$work/$1.one" "$work/$1.two"
    for copy in one/a two/a two/b; do
        find "$work/$1.drawn" -name '*.png' -exec cp {} "$work/$1.$copy.png" \;
    done
    one=$(counted "$daisho" -q create "$work/$1.one" -o "$work/$1.one.wad" -j1)
    echo $(($(counted "$daisho" -q create "$work/$1.two" -o "$work/$1.two.wad" -j1) - one))
}

failed=0
# containers PREFIX LIMITED WRITE ENTRIES...: LIMITED is the last job that counts for the limit, WRITE what an
# entry of 2,000 takes to write
containers() {
    prefix=$1 limited=$2 expected_write=$3
    shift 3
    last_write=
    for entries in "$@"; do
        names=$(count names "$entries")
        setup=$(count "${prefix}setup" "$entries")
        open=$(count "${prefix}open" "$entries")
        find=$(count "${prefix}find" "$entries")
        write=$(((setup - names) / entries))
        echo "$entries  $write  $(((open - setup) / entries))  $(((find - open) / entries))"
        case $limited in open) most=$open ;; *) most=$find ;; esac
        if [ $(((most - setup) / entries)) -gt 1500 ]; then
            echo "more than 1500 instructions an entry for opening it (a pak: and for finding names)"
            failed=1
        fi
        if [ $((write * 10)) -gt $((expected_write * 11)) ]; then
            echo "a tenth more than the $expected_write expected for writing it"
            failed=1
        fi
        if [ -n "$last_write" ] && [ $((write * 2)) -gt $((last_write * 3)) ]; then
            echo "writing is not linear"
            failed=1
        fi
        last_write=$write
    done
}
echo "entries  write/entry  open/entry  find/entry"
containers "" find 2808 2000 100000
echo "entries of a ZIP  write/entry  open/entry  find/entry"
containers zip- open 3406 2000 65534
echo "entries of a WAD  write/entry  open/entry  find/entry"
containers wad- open 5827 2000 65534

echo "job  kind  thousands/MiB  expected"
kind_number() {
    case $1 in map | PCX) echo 0 ;; wal | TGA) echo 1 ;; tga) echo 2 ;; pcx) echo 3 ;; esac
}
before() { # before JOB: what it does, too
    case $1 in inflate) echo deflate ;; picture) echo drawn ;; *) echo sample ;; esac
}
for step in "block map" "block wal" "block tga" "block pcx" "stream map" "walk map" \
    "encode map" "encode tga" "deflate map" "inflate map" "picture PCX" "picture TGA" \
    "png PCX" "png TGA" "texture TGA"; do
    job=${step% *} kind=${step#* }
    number=$(kind_number "$kind")
    case $job in
    png | texture) found=$(($("$job" "$number") / 1000)) ;;
    *) found=$((($(count "$job" "$number") - $(count "$(before "$job")" "$number")) / 1000)) ;;
    esac
    figure=$(expected "$job" "$kind")
    echo "$job  $kind  $found  $figure"
    if [ $((found * 10)) -gt $((figure * 11)) ]; then
        echo "a tenth more than expected"
        failed=1
    fi
done
exit $failed
