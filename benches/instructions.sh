#!/bin/sh
# Counts instructions under callgrind, which no busy machine changes, and fails where
# - opening a pak (with detecting its layout) and looking every name up take more than 1,500
#   instructions an entry together, for 2,000 and 100,000 entries;
# - opening a ZIP takes more than 1,500 instructions an entry, for 2,000 and 65,534 entries;
# - an entry of as many takes 1.5 times as much to write as one of 2,000;
# - decoding, walking or encoding takes a tenth more than the figures below, which were counted on
#   x86-64 with the compiler named there. Where they are reached with a tenth to spare, lower them.
set -eu
cd "$(dirname "$0")/.."
if ! command -v valgrind >/dev/null; then
    echo "skipped: valgrind is not installed"
    exit 0
fi

# Thousands of instructions for 1 MiB of content; rustc 1.95.
expected() { # expected JOB KIND
    case "$1 $2" in
    "block map") echo 7721 ;;
    "block wal") echo 10402 ;;
    "block tga") echo 4261 ;;
    "block pcx") echo 8614 ;;
    "stream map") echo 7826 ;;
    "walk map") echo 6973 ;;
    "encode map") echo 259511 ;;
    "encode tga") echo 260033 ;;
    *) echo "no figure for $1 $2" >&2 && exit 1 ;;
    esac
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bench=$(cargo bench --no-default-features --bench instructions --no-run 2>&1 |
    tee /dev/stderr | sed -n 's/.*Executable.*(\(.*\))/\1/p')

count() {
    valgrind --tool=callgrind --callgrind-out-file="$work/out" "$bench" "$1" "$2" 2>"$work/log"
    sed -n 's/^summary: //p; s/^totals: //p' "$work/out" | head -n 1
}

failed=0
containers() { # containers PREFIX LIMITED ENTRIES...: LIMITED is the last job that counts for the limit
    prefix=$1 limited=$2
    shift 2
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
        if [ -n "$last_write" ] && [ $((write * 2)) -gt $((last_write * 3)) ]; then
            echo "writing is not linear"
            failed=1
        fi
        last_write=$write
    done
}
echo "entries  write/entry  open/entry  find/entry"
containers "" find 2000 100000
echo "entries of a ZIP  write/entry  open/entry  find/entry"
containers zip- open 2000 65534

echo "job  kind  thousands/MiB  expected"
kind_number() {
    case $1 in map) echo 0 ;; wal) echo 1 ;; tga) echo 2 ;; pcx) echo 3 ;; esac
}
for step in "block map" "block wal" "block tga" "block pcx" "stream map" "walk map" \
    "encode map" "encode tga"; do
    job=${step% *} kind=${step#* }
    number=$(kind_number "$kind")
    found=$((($(count "$job" "$number") - $(count sample "$number")) / 1000))
    figure=$(expected "$job" "$kind")
    echo "$job  $kind  $found  $figure"
    if [ $((found * 10)) -gt $((figure * 11)) ]; then
        echo "a tenth more than expected"
        failed=1
    fi
done
exit $failed
