#!/bin/sh
# Prints how often each verb opens 100 archives that a search finds: 100 times is once each. Nothing is compared, because
# what a system call costs differs between machines. opens.sh [PROGRAM]
set -eu
cd "$(dirname "$0")/.."
program=$(realpath "${1:-target/release/daisho}")
pak=$(realpath corpus/game/data/pak1.pak)
if ! command -v strace >/dev/null; then
    echo "skipped: strace is not installed"
    exit 0
fi

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
mkdir in
for number in $(seq 100 199); do cp "$pak" "in/$number.pak"; done

for words in "list in" "info in" "verify in" "dupes in" "convert in -C quake" "extract in -C files"; do
    # The words are arguments, one each.
    # shellcheck disable=SC2086
    strace -f -qq -e trace=open,openat -o trace "$program" $words >/dev/null 2>&1
    opened=$(grep -c 'in/1[0-9][0-9]\.pak", O_RDONLY' trace || true)
    echo "$(echo "$words" | cut -d' ' -f1): $opened"
done
