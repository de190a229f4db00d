package reproducer

import _ "embed"

// Parts of scripts. They need sh as POSIX defines it, and timeout, mktemp, head -c and cat -v,
// which Linux has. A function reads the line that it runs from its standard input. So the shown
// text is the text that runs, without a second quoting.

const scriptHead = `
set -u
case $0 in */*) here=${0%/*} ;; *) here=. ;; esac
here=$(CDPATH= cd -- "$here" && pwd) || exit 2
`

// scriptFunctions are the functions that each script has.
//
//go:embed functions.sh
var scriptFunctions string

const scriptPrepare = `
# build shows and runs what comes before the program.
build() {
	line=$(cat)
	[ -z "$missing" ] || return
	printf '%s\n' "$line" | cat -v
	( cd "$folder" && eval "$line" ) </dev/null >"$box/out" 2>"$box/err" || cannot "it does not build"
}
`

// scriptProject takes the programs from another copy of their folder, if the user names one.
const scriptProject = `project=${PROJECT:-%s}
project=$(CDPATH= cd -- "$project" && pwd) || { echo "say where the programs are: PROJECT=FOLDER" >&2; exit 2; }
`

const scriptBegin = `
quoted() { printf "'%s'" "$(printf %s "$1" | sed "s/'/'\\\\''/g")"; }
printf 'To run a line by hand:\n\there=%s\n\tinput=$here/INPUT MOREfolder=$(mktemp -d); cd "$folder"\n' "$(quoted "$here")"PROJECT | cat -v
`
