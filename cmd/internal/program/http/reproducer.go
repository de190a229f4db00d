package http

import (
	"strconv"
	"strings"

	"parallax/cmd/internal/base/shell"
	"parallax/cmd/internal/finding"
)

// runner runs the program in a script.
type runner struct {
	*Config
	curl string // a shell command, with the input's file in $input and the service's port in $port
}

// Reproducer implements finding.Reproducible.
func (c *Config) Reproducer(flat []byte, environ func([]string) []finding.Variable) finding.ScriptProgram {
	return finding.ScriptProgram{Dir: c.Dir, Env: environ(c.Env), Runner: &runner{c, curl(*c, flat)}}
}

// Needs implements finding.ScriptRunner.
func (p *runner) Needs() finding.ScriptNeeds {
	if len(p.Start) == 0 {
		return finding.ScriptNeeds{Functions: []string{scriptHTTP}, Command: []string{"curl"}}
	}
	return finding.ScriptNeeds{Port: true, Functions: []string{scriptHTTP, scriptService}, Command: append([]string{"curl"}, p.Start...)}
}

// Write implements finding.ScriptRunner.
func (p *runner) Write(w *finding.ScriptWriter) error {
	if len(p.Start) > 0 {
		var words []string
		for _, a := range p.Start {
			if !strings.Contains(a, "{port}") {
				words = append(words, w.Word(a))
				continue
			}
			words = append(words, withPort(a, w.Word))
		}
		ready, flag := p.Ready, "-f"
		if ready == "" {
			ready, flag = base(p.URL), ""
		}
		w.Prepare("start "+withPort(ready, finding.ShellText)+" "+shell.Word(flag),
			w.Folder()+"exec timeout -k 1 600 "+w.Environ()+` PORT="$port" `+strings.Join(words, " "))
	}
	w.Run(p.curl)
	w.Printf("response\ncase $code in\n\"\") ;;\n")
	accepted, rejected := p.Accepted, p.Rejected
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
	if len(p.Value) > 0 {
		w.Printf("if [ \"$verdict\" = accepted ]; then\n")
	}
	for i, part := range p.Value {
		if i > 0 {
			w.Printf("echo >>\"$box/value\"\n")
		}
		switch name, header := strings.CutPrefix(part, "header:"); {
		case header:
			w.Printf("header %s >>\"$box/value\"\n", finding.ShellText(name))
		case part == "status":
			w.Printf("printf %%s \"$code\" >>\"$box/value\"\n")
		default:
			w.Printf("cat \"$box/body\" >>\"$box/value\"\n")
		}
	}
	if len(p.Value) > 0 {
		w.Printf("fi\n")
	}
	if len(p.Start) > 0 {
		w.Printf("stop\n")
	}
	w.Printf("told \"status ${code:-none}\" \"$box/out\" \"$box/err\"\n")
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
