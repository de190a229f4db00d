package persistent

import (
	"fmt"
	"strings"

	"parallax/cmd/internal/finding/reproducer"
)

// WriteScript implements reproducer.Runner.
func (c *Config) WriteScript(w *reproducer.Writer) error {
	w.Needs(reproducer.Needs{Dir: c.Dir, Command: c.Args, Functions: []string{scriptDriver}})
	var words []string
	for _, a := range c.Args {
		words = append(words, w.Word(a))
	}
	n := w.Size()
	const greeting = 20 // seconds until the greeting, as in a campaign
	line := w.Folder() + fmt.Sprintf(`{ printf '\%03o\%03o\%03o\%03o'; cat "$input"; } |`+"\n", n&255, n>>8&255, n>>16&255, n>>24&255)
	line += fmt.Sprintf("timeout -s KILL %d %s%s", greeting+w.Limit, w.Environ(c.Env), strings.Join(words, " "))
	w.Run(line)
	w.Printf("answer\n")
	w.Compare("value")
	return nil
}

const scriptDriver = `
# answer reads what a driver wrote: a line, a table of blocks if the line says so, then the length of the rest, the number of the request if the line says
# so, a verdict, the length of the text, the text.
answer() {
	line=$(head -n 1 "$box/out" | head -c 200 | tr -d '\000\r')
	table=0
	case $line in
	*' table='*)
		table=${line##* table=}
		table=${table%% *}
		;;
	esac
	case $line in
	'parallax-driver 1'*) ;;
	*)
		cannot "it is no driver that works here: exit status $status"
		head -c 200 "$box/out" >"$box/value"
		return ;;
	esac
	tail -c +$(($(head -n 1 "$box/out" | wc -c) + table + 1)) "$box/out" >"$box/frames"
	case $line in
	*' numbers'*)
		{ head -c 4 "$box/frames"; tail -c +9 "$box/frames"; } >"$box/plain"
		mv "$box/plain" "$box/frames" ;;
	esac
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
