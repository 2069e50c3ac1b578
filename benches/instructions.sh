#!/bin/sh
# Counts instructions under callgrind: opening a pak (with detecting its layout), looking every name
# up, and writing, for 2,000 and 100,000 entries. Fails above the limit of 1,500 an entry for opening
# and looking up together, or where an entry of 100,000 takes 1.5 times as much to write as one of 2,000.
set -eu
cd "$(dirname "$0")/.."
if ! command -v valgrind >/dev/null; then
    echo "skipped: valgrind is not installed"
    exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bench=$(cargo bench --no-default-features --bench instructions --no-run 2>&1 |
    tee /dev/stderr | sed -n 's/.*Executable.*(\(.*\))/\1/p')

count() {
    valgrind --tool=callgrind --callgrind-out-file="$work/out" "$bench" "$1" "$2" 2>"$work/log"
    sed -n 's/^summary: //p; s/^totals: //p' "$work/out" | head -n 1
}

failed=0
last_write=
echo "entries  write/entry  open/entry  find/entry"
for entries in 2000 100000; do
    names=$(count names $entries)
    setup=$(count setup $entries)
    open=$(count open $entries)
    find=$(count find $entries)
    write=$(((setup - names) / entries))
    echo "$entries  $write  $(((open - setup) / entries))  $(((find - open) / entries))"
    if [ $(((find - setup) / entries)) -gt 1500 ]; then
        echo "more than 1500 instructions an entry for opening and finding"
        failed=1
    fi
    if [ -n "$last_write" ] && [ $((write * 2)) -gt $((last_write * 3)) ]; then
        echo "writing is not linear"
        failed=1
    fi
    last_write=$write
done
exit $failed
