input=$here/INPUT
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
	number=$((number + 1)) name=$1 verdict='' why='' status='' missing=''
	box=$work/$number folder=$box/in
	mkdir -p "$folder"
	: >"$box/out" >"$box/err" >"$box/value"
	printf '\n== %s (%s; in the campaign: %s)\n' "$name" "$2" "$3" | cat -v
}

# run shows a line, which is its standard input, and runs it in a folder of the program's own.
run() {
	line=$(cat)
	[ "$verdict" != unable ] && [ -z "$missing" ] || return
	printf '%s\n' "$line" | cat -v
	( cd "$folder" && eval "$line" ) </dev/null >"$box/out" 2>"$box/err"
	status=$?
}

cannot() { verdict=unable why=$1; }

# there says that the program needs a file or a folder.
there() { [ -e "$1" ] || missing="there is no $1"; }

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

# answered takes the verdict from the first line of the output, and the value from the rest.
answered() {
	case $(head -n 1 "$box/out" | tr -d '\000') in
	accepted|rejected|declined)
		verdict=$(head -n 1 "$box/out")
		tail -c +10 "$box/out" >"$box/value" ;;
	*) return 1 ;;
	esac
}

# compare shows what a program did, and compares it with the others.
compare() {
	[ -z "$missing" ] || verdict=unable why=$missing
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
