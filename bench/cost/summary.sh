#!/bin/sh
# Medians of each benchmark of raw.txt: CPU time and allocations an input.
set -eu
grep '^Benchmark' "$1" | awk '{
	name = $1; sub(/-[0-9]+$/, "", name)
	for (i = 3; i < NF; i += 2) if ($(i+1) == "cpu-ns/op") cpu = $i; else if ($(i+1) == "allocs/op") allocs = $i; else if ($(i+1) == "B/op") bytes = $i
	print name, cpu, bytes, allocs
}' | sort -k1,1 -k2,2n | awk '
function flush() { if (n) printf "| %s | %d | %d | %d | %s | %s |\n", name, v[int((n + 1) / 2)], v[1], v[n], bytes, allocs }
BEGIN { print "| benchmark | CPU ns: median | least | most | B/op | allocs/op |"; print "|---|---|---|---|---|---|" }
$1 != name { flush(); n = 0; name = $1 }
{ v[++n] = $2; bytes = $3; allocs = $4 }
END { flush() }'
