package report

import "regexp"

// placeholder is where an argument of a command holds something that differs from run to run, as in package command.
var placeholder = regexp.MustCompile(`\{(?:arg|(input|output)(?:\.[A-Za-z0-9._+-]+)?)\}`)

// What follows is the text of scripts, for sh as POSIX has it, with timeout, mktemp, head -c and cat -v, which Linux has anyway. The
// lines of programs come by standard input, so that no quoting stands between what is shown and what is run.

const scriptHead = `
set -u
case $0 in */*) here=${0%/*} ;; *) here=. ;; esac
here=$(CDPATH= cd -- "$here" && pwd) || exit 2
input=$here/minimized
[ -r "$input" ] || { echo "$input is not there: leave this script in its folder" >&2; exit 2; }
command -v timeout >/dev/null || { echo "this script needs timeout (of coreutils or busybox)" >&2; exit 2; }
work=$(mktemp -d "${TMPDIR:-/tmp}/reproducer.XXXXXX") || exit 2
service='' number=0
first='' value='' message='' differ='' values='' messages='' broken='' unable=''

leave() {
	[ -z "$service" ] || kill "$service" 2>/dev/null
	chmod -R u+rwx "$work" 2>/dev/null
	rm -rf "$work"
}
trap leave EXIT
trap 'exit 130' INT
trap 'exit 141' PIPE
trap 'exit 143' HUP TERM

# program NAME KIND OUTCOME begins a program.
program() {
	number=$((number + 1)) name=$1 verdict='' why='' status=''
	box=$work/$number folder=$box/in
	mkdir -p "$folder"
	: >"$box/out" >"$box/err" >"$box/value"
	printf '\n== %s (%s; in the campaign: %s)\n' "$name" "$2" "$3" | cat -v
}

# run shows a line, which is its standard input, and runs it in a folder of the program's own.
run() {
	line=$(cat)
	[ "$verdict" != unable ] || return
	printf '%s\n' "$line" | cat -v
	( cd "$folder" && eval "$line" ) </dev/null >"$box/out" 2>"$box/err"
	status=$?
}

cannot() { verdict=unable why=$1; }

# stable takes a value from a file: files in the program's folder are named as if it were the current one.
stable() {
	[ -f "$1" ] || return
	if LC_ALL=C grep -aqF "$folder" "$1"; then
		path=$(printf %s "$folder" | sed 's/[].*^$\/[]/\\&/g')
		LC_ALL=C sed "s/$path\///g; s/$path/./g" "$1" >"$box/value"
	else
		cp "$1" "$box/value"
	fi
}

# told shows what came out, and compares it with what other programs did.
told() {
	printf -- '-- %s: %s\n' "$verdict" "${why:-$1}" | cat -v
	for file in "$2" "$3"; do
		[ -s "$file" ] || continue
		head -c 4096 "$file" | cat -v
		[ "$(tail -c 1 "$file" | od -An -tu1 | tr -d ' ')" = 10 ] || echo
		[ "$(wc -c <"$file")" -le 4096 ] || echo "... and more"
	done
	case $verdict in
	unable) unable=yes ;;
	crashed|timeout) broken=yes ;;
	accepted|rejected)
		[ -n "$first" ] || first=$verdict
		[ "$first" = "$verdict" ] || differ=yes ;;
	esac
	case $verdict in
	accepted)
		[ -n "$value" ] || value=$box/value
		cmp -s "$value" "$box/value" || values=yes ;;
	rejected)
		cat "$box/value" "$box/err" >"$box/message"
		[ -n "$message" ] || message=$box/message
		cmp -s "$message" "$box/message" || messages=yes ;;
	esac
}
`

const scriptPrepare = `
# build shows and runs what comes before the program.
build() {
	line=$(cat)
	printf '%s\n' "$line" | cat -v
	( cd "$folder" && eval "$line" ) </dev/null >"$box/out" 2>"$box/err" || cannot "it cannot be built"
}
`

const scriptDriver = `
# answer reads what a driver wrote: a line, then the length of the rest, a verdict, the length of the text, the text.
answer() {
	case $(head -n 1 "$box/out" | head -c 17 | tr -d '\000') in
	'parallax-driver 1'*) ;;
	*)
		cannot "it is no driver that works here: exit status $status"
		head -c 200 "$box/out" >"$box/value"
		return ;;
	esac
	tail -c +$(($(head -n 1 "$box/out" | wc -c) + 1)) "$box/out" >"$box/frames"
	set -- $(od -An -v -tu1 -N 9 "$box/frames")
	if [ $# -eq 9 ]; then
		size=$(($6 + 256 * $7 + 65536 * $8 + 16777216 * $9))
		tail -c +10 "$box/frames" | head -c "$size" >"$box/value"
		if [ "$(wc -c <"$box/value")" -eq "$size" ]; then
			case $5 in
			65) verdict=accepted ;;
			82) verdict=rejected ;;
			68) verdict=declined ;;
			67) verdict=crashed ;;
			*) cannot "its answer has the verdict $5, which is none" ;;
			esac
			return
		fi
	fi
	case $status in
	137) verdict=timeout ;;
	*) verdict=crashed ;;
	esac
}
`

const scriptHTTP = `
# response takes curl's output apart.
response() {
	code=''
	[ "$verdict" != unable ] || return
	case $status in
	0) ;;
	28) verdict=timeout; return ;;
	18|52|56) verdict=crashed; return ;;
	*) cannot "curl ends with $status"; return ;;
	esac
	code=$(head -n 1 "$box/out" | cut -d ' ' -f 2 | tr -dc 0-9)
	LC_ALL=C sed "/^$(printf '\r')*\$/q" "$box/out" >"$box/head"
	tail -c +$(($(wc -c <"$box/head") + 1)) "$box/out" >"$box/body"
}

# header NAME is its line.
header() {
	tr -d '\r' <"$box/head" | LC_ALL=C awk -v name="$1" '
		BEGIN { all = "" }
		{ at = index($0, ":") }
		NR > 1 && at && tolower(substr($0, 1, at - 1)) == tolower(name) {
			text = substr($0, at + 1); gsub(/^[ \t]+|[ \t]+$/, "", text)
			all = all (seen++ ? ", " : "") text
		}
		END { printf "%s: %s", name, all }'
}
`

const scriptService = `
# start URL FLAG starts a service, which is its standard input, and waits until URL answers.
start() {
	line=$(cat)
	printf '%s &\n' "$line" | cat -v
	if curl -q -s -o "$box/probe" --noproxy '*' --max-time 2 "$1"; then
		cannot "something answers at $1 already: end it, or set PORT to a port that is free"
		return
	fi
	( cd "$folder" && eval "$line" ) </dev/null >"$box/service" 2>&1 &
	service=$!
	tries=0
	while [ $tries -lt 150 ]; do
		curl -q -s $2 -o "$box/probe" --noproxy '*' --max-time 2 "$1"
		case $? in
		7|22|28) ;;
		*) return ;;
		esac
		kill -0 "$service" 2>/dev/null || break
		tries=$((tries + 1))
		sleep 0.2 2>/dev/null || sleep 1
	done
	cannot "the service does not come up"
	cp "$box/service" "$box/err"
}

# stop ends it.
stop() {
	[ -n "$service" ] || return
	kill "$service" 2>/dev/null
	wait "$service" 2>/dev/null
	service=''
}
`

const scriptBegin = `
printf 'To run a line by hand:\n\there=%s\n\tinput=$here/minimized PORTfolder=$(mktemp -d); cd "$folder"\n' \
	"'$(printf %s "$here" | sed "s/'/'\\\\''/g")'" | cat -v
`
