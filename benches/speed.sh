#!/usr/bin/env bash
# How long an audit of DIR takes, beside the peers that are installed: ripgrep searching the words that make a file worth parsing (those of
# LANGUAGE, javascript unless set), and ast-grep with the rules of calls.yml. Ratios of one run on one machine; medians of RUNS runs each.
#   [LANGUAGE=rust] benches/speed.sh DIR [RUNS]
set -euo pipefail
[ $# -ge 1 ] || { echo "usage: $0 DIR [RUNS]" >&2; exit 2; }
dir=$1 runs=${2:-5}
here=$(cd "$(dirname "$0")/.." && pwd)
untimed=$here/target/release/untimed
[ -x "$untimed" ] || cargo build --release --manifest-path "$here/Cargo.toml"

words=$(mktemp) && trap 'rm -f "$words"' EXIT
"$untimed" clients --language "${LANGUAGE:-javascript}" --format words > "$words"
rules=$here/benches/calls.yml

# Prints the median wall seconds and the peak memory (KiB) of a command.
measure() {
  for _ in $(seq "$runs"); do
    /usr/bin/time -f '%e %M' -o /dev/fd/3 "$@" 3>&1 > /dev/null 2>&1 || true
  done | sort -n | awk '{t[NR] = $1; m = $2 > m ? $2 : m} END {print t[int((NR + 1) / 2)], m}'
}

row() { printf '%-28s %8s s %8s MiB\n' "$1" "$2" "$(($3 / 1024))"; }
read -r one mem1 < <(measure "$untimed" audit --format json --threads 1 "$dir")
read -r two mem2 < <(measure "$untimed" audit --format json --threads 2 "$dir")
row 'untimed, 1 thread' "$one" "$mem1"
row 'untimed, 2 threads' "$two" "$mem2"
awk -v a="$one" -v b="$two" 'BEGIN {printf "two threads against one: %.2fx\n", a / b}'
if command -v rg > /dev/null; then
  read -r peer mem < <(measure rg --threads 2 -c -F -f "$words" "$dir")
  row 'ripgrep, the trigger words' "$peer" "$mem"
  awk -v a="$two" -v b="$peer" 'BEGIN {printf "untimed / ripgrep: %.1fx\n", a / (b > 0 ? b : 0.01)}'
fi
if command -v ast-grep > /dev/null; then
  read -r peer mem < <(measure ast-grep scan --rule "$rules" --threads 2 --json=compact "$dir")
  row 'ast-grep, calls.yml' "$peer" "$mem"
  awk -v a="$peer" -v b="$two" 'BEGIN {printf "ast-grep / untimed: %.1fx\n", a / (b > 0 ? b : 0.01)}'
fi
