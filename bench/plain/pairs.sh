#!/bin/sh
# Measures pairs: the fuzzing worker, then the plain loops on its very inputs. What is in the file of samples is not
# measured again, so that an interrupted run goes on where it was.
#
#   pairs.sh SAMPLES.jsonl PAIRS TARGET:INPUTS...
set -eu
cd "$(dirname "$0")"
samples=$1 pairs=$2
shift 2
export GOWORK=off
work=${WORK:-${TMPDIR:-/tmp}/parallax-bench-plain}
mkdir -p "$work"
(cd ../../cmd && GOWORK= go build -o "$work/parallax" ./parallax)
go build -o "$work/" ./drive ./replay ./table
touch "$samples"
seeds() { # the folder of documents that a target begins with, if it does
	case $1 in *-documents) echo "documents/${1%%-*}" ;; esac
}
for entry in "$@"; do
	target=${entry%:*} n=${entry#*:}
	"$work/drive" -parallax "$work/parallax" -target "$target" -seeds "$(seeds "$target")" -n "$n" -record "$work/$target.in" >"$work/$target.events"
done
for i in $(seq "$pairs"); do
	for entry in "$@"; do
		target=${entry%:*} n=${entry#*:}
		if grep -q "^{\"pair\":$i,\"side\":\"plain, collector of a worker\",\"target\":\"$target\"" "$samples"; then
			continue
		fi
		"$work/drive" -parallax "$work/parallax" -target "$target" -seeds "$(seeds "$target")" -n "$n" >"$work/line"
		# The worker that is measured executes what was recorded, or there is nothing to compare.
		events=$(grep -o '"events":"[0-9a-f]*"' "$work/line")
		grep -q "$events" "$work/$target.events" || { echo "$target: the run does not repeat the recorded one" >&2; exit 1; }
		"$work/replay" -target "$target" -inputs "$work/$target.in" >>"$work/line"
		"$work/replay" -target "$target" -inputs "$work/$target.in" -collector >>"$work/line"
		sed "s/^{/{\"pair\":$i,/" "$work/line" >>"$samples"
	done
done
"$work/table" "$samples"
