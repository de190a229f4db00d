#!/bin/sh
# Runs a hub and three workers on this machine: sh run.sh OUT COMMAND ARGUMENTS...
# COMMAND is a command of parallax that fuzzes. OUT receives the folder of the hub and of each worker.
set -eu
out=$1
shift
mkdir -p "$out"
parallax serve --hub 127.0.0.1:0 --dir "$out/hub" 2>"$out/hub.log" &
hub=$!
trap 'kill $hub; wait $hub' EXIT
address=
while [ -z "$address" ]; do
	kill -0 $hub || { cat "$out/hub.log" >&2; exit 4; }
	sleep 0.1
	address=$(sed -n 's/^hub: \(nats:[^,]*\),.*/\1/p' "$out/hub.log")
done
workers=
for n in 1 2 3; do
	parallax "$@" --seed $n --parallel 1 --ui none --out "$out/worker$n" --join "$address" 2>"$out/worker$n.log" &
	workers="$workers $!"
done
# The exit code is the largest of the workers: 1 means findings.
code=0
for worker in $workers; do
	wait $worker || { status=$?; [ $status -le $code ] || code=$status; }
done
grep -h 'joined at' "$out"/worker?.log
exit $code
