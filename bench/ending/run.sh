#!/bin/sh
# run.sh PARALLAX LABEL WORK: how long runs take, and how many candidates wait at their end. Each line goes to standard output.
# Subjects: FuzzExpr of expr-lang/expr 1.17.6, functions of tidwall/gjson 1.4.0 and 1.5.0, and of net/mail of Go 1.22.0 and 1.22.1.
set -e
tool=$1 label=$2 work=$3
unset PARALLAX_TRIAGE_TIME
mkdir -p "$work"

measure() { # NAME DIR ARGUMENTS...
	name=$1 dir=$2
	shift 2
	rm -rf "$work/$label-$name"
	begun=$(date +%s)
	code=0
	(cd "$dir" && "$tool" "$@" --out "$work/$label-$name" --ui none --json >"$work/$label-$name.json" 2>"$work/$label-$name.txt") || code=$?
	echo "$label $name exit=$code wall=$(($(date +%s) - begun)) load=$(cut -d' ' -f1 /proc/loadavg) $(python3 -c '
import json, sys
d = json.load(open(sys.argv[1]))
for t in d.get("targets", [d]):
    f = t["findings"]
    print(t["target"], "fuzzed", round(t["elapsed_seconds"], 1), "inputs", t["inputs"], "buckets", len(f["buckets"]), "wait", f.get("unjudged", 0), "runs", t.get("judging_runs", 0), end="; ")
' "$work/$label-$name.json")"
}

if [ ! -d "$work/expr" ]; then
	(cd "$work" && printf 'module x\n\ngo 1.24\n' >go.mod && go mod download github.com/expr-lang/expr@v1.17.6)
	cp -r "$(go env GOMODCACHE)/github.com/expr-lang/expr@v1.17.6" "$work/expr"
	chmod -R u+w "$work/expr"
fi
if [ ! -d "$work/mail" ]; then
	mkdir "$work/mail"
	cd "$work/mail"
	git init -q .
	printf 'module example.com/mailx\n\ngo 1.22\n' >go.mod
	for v in 1.22.0 1.22.1; do
		cp "$(GOTOOLCHAIN=go$v go env GOROOT)/src/net/mail/message.go" .
		git add -A
		git -c user.name=bench -c user.email=bench@example.com commit -qm "$v"
	done
fi
measure expr "$work/expr/test/fuzz" fuzz . --fuzz FuzzExpr --fuzztime 15s
measure gjson "$work" regress github.com/tidwall/gjson@v1.4.0 github.com/tidwall/gjson@v1.5.0 --fuzztime 1m
measure mail "$work/mail" regress . --base HEAD~1 --fuzztime 1m
