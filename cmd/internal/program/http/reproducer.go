package http

import (
	"strconv"
	"strings"

	"parallax/cmd/internal/base/shell"
	"parallax/cmd/internal/finding/reproducer"
)

// WriteScript implements reproducer.Runner.
func (c *Config) WriteScript(w *reproducer.Writer) error {
	needs := reproducer.Needs{Dir: c.Dir, Command: append([]string{"curl"}, c.Start...), Functions: []string{scriptHTTP}}
	if len(c.Start) > 0 {
		needs.Port, needs.Functions = true, append(needs.Functions, scriptService)
	}
	w.Needs(needs)
	if len(c.Start) > 0 {
		var words []string
		for _, a := range c.Start {
			if !strings.Contains(a, "{port}") {
				words = append(words, w.Word(a))
				continue
			}
			words = append(words, withPort(a, w.Word))
		}
		ready, flag := c.Ready, "-f"
		if ready == "" {
			ready, flag = base(c.URL), ""
		}
		w.Prepare("start "+withPort(ready, shell.Text)+" "+shell.Word(flag),
			w.Folder()+"exec timeout -k 1 600 "+w.Environ(c.Env)+`PORT="$port" `+strings.Join(words, " "))
	}
	w.Run(curl(*c, w.Flat()))
	w.Printf("response\ncase $code in\n\"\") ;;\n")
	accepted, rejected := c.Accepted, c.Rejected
	if len(accepted)+len(rejected) == 0 {
		accepted, rejected = []string{"2xx", "3xx"}, []string{"4xx"}
	}
	for _, class := range []bool{false, true} { // a code comes before its class
		for _, m := range []struct {
			list    []string
			verdict string
		}{{accepted, "accepted"}, {rejected, "rejected"}} {
			var patterns []string
			for _, c := range m.list {
				if strings.HasSuffix(c, "xx") == class {
					patterns = append(patterns, strings.Replace(c, "xx", "??", 1))
				}
			}
			if len(patterns) > 0 {
				w.Printf("%s) verdict=%s ;;\n", strings.Join(patterns, "|"), m.verdict)
			}
		}
	}
	w.Printf("*) verdict=crashed ;;\nesac\n")
	if len(c.Value) > 0 {
		w.Printf("if [ \"$verdict\" = accepted ]; then\n")
	}
	for i, part := range c.Value {
		if i > 0 {
			w.Printf("echo >>\"$box/value\"\n")
		}
		switch name, header := strings.CutPrefix(part, "header:"); {
		case header:
			w.Printf("header %s >>\"$box/value\"\n", shell.Text(name))
		case part == "status":
			w.Printf("printf %%s \"$code\" >>\"$box/value\"\n")
		default:
			w.Printf("cat \"$box/body\" >>\"$box/value\"\n")
		}
	}
	if len(c.Value) > 0 {
		w.Printf("fi\n")
	}
	if len(c.Start) > 0 {
		w.Printf("stop\n")
	}
	w.Printf("compare \"status ${code:-none}\" \"$box/out\" \"$box/err\"\n")
	return nil
}

// withPort quotes a word, with the service's port for {port}.
func withPort(s string, quote func(string) string) string {
	parts := strings.Split(s, "{port}")
	for i := range parts {
		if parts[i] != "" || len(parts) == 1 {
			parts[i] = quote(parts[i])
		}
	}
	return strings.Join(parts, `"$port"`)
}

// curl returns a command that sends the input as the executor does, with $input and $port for file
// and port.
func curl(c Config, flat []byte) string {
	const file = "$input"
	fixed, err := c.Curl(flat, file, 1)
	if err != nil {
		return "" // cannot happen: the campaign runs it
	}
	port := 40000 // a number that does not occur elsewhere
	for strings.Contains(fixed, strconv.Itoa(port)) {
		port++
	}
	line, _ := c.Curl(flat, file, port)
	line = strings.ReplaceAll(line, strconv.Itoa(port), `'"$port"'`)
	line = strings.Replace(line, "--data-binary @'"+file+"'", `--data-binary @"$input"`, 1)
	// without the user's own options
	return strings.Replace(strings.TrimRight(line, "\n"), "curl ", "curl -q ", 1)
}

// base returns the beginning of a URL, to request without an input.
func base(url string) string {
	scheme, rest, _ := strings.Cut(url, "://")
	host, _, _ := strings.Cut(rest, "/")
	host, _, _ = strings.Cut(host, "?")
	return scheme + "://" + host + "/"
}

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
	[ -z "$missing" ] || return
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
