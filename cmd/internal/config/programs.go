package config

import (
	"fmt"
	"net/textproto"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"parallax/cmd/internal/funcname"
	"parallax/cmd/internal/program"
)

// kinds are those of programs, in the order of the documents.
var kinds = []string{string(Go), string(C), string(Command), string(Persistent), string(HTTP)}

// keysOf are the keys of each kind beside those of all kinds. A key that another kind has is told as such.
var keysOf = map[Kind][]string{
	Go:         {"function", "version", "go", "instrument", "timeout", "memory"},
	C:          append([]string{"binary", "args", "env"}, limitKeys...),
	Command:    append([]string{"command", "value", "env", "exit"}, limitKeys...),
	Persistent: append([]string{"command", "env"}, limitKeys...),
	HTTP: {"url", "method", "headers", "value", "accepted", "rejected", "rate", "retries", "start", "ready", "env",
		"timeout", "memory", "file_size", "processes", "output"},
}

var keysOfAll = []string{"name", "kind", "dir", "normalise"}

// ofStart are the keys of a service that are about the process that parallax starts.
var ofStart = []string{"dir", "env", "memory", "file_size", "processes"}

func (r *reader) programs(all []*table, file *table, f *File) {
	for _, t := range all {
		p := Program{At: t.at(), Dir: r.dir, Limits: f.Limits}
		r.program(t, &p)
		f.Programs = append(f.Programs, p)
	}
	switch n := len(f.Programs); {
	case n < minPrograms:
		what := [...]string{"there is no [[program]]", "there is one [[program]]"}[n]
		file.bad(file.where("program"), "%s: a comparison needs two or more", what)
	case n > maxPrograms:
		file.bad(f.Programs[maxPrograms].At, "there are %d programs: at most %d in one target", n, maxPrograms)
		f.Programs = f.Programs[:maxPrograms]
	}
	r.names(f)
}

func (r *reader) program(t *table, p *Program) {
	p.Kind = r.kind(t)
	p.Name = t.text("name")
	if p.Name != "" {
		if why := unusable(p.Name); why != "" {
			t.bad(t.where("name"), "name = %q: %s", p.Name, why)
		}
	}
	if dir := t.text("dir"); dir != "" {
		p.Dir = r.path(dir)
		if info := r.exists("dir", dir, t.where("dir")); info != nil && !info.IsDir() {
			t.bad(t.where("dir"), "dir: %s is no folder", dir)
		}
	}
	p.Normalise = t.steps("normalise")
	keys, ok := keysOf[p.Kind]
	if !ok { // without a kind nothing can be said of the rest
		return
	}
	t.foreign(p.Kind)
	p.Limits = t.limits(p.Limits, keys)
	switch p.Kind {
	case Go:
		r.function(t, p)
	case C:
		r.binary(t, p)
	case Command, Persistent:
		r.command(t, p)
	case HTTP:
		r.service(t, p)
	}
	t.finish()
}

// kind reads the kind, "" if there is none that is known.
func (r *reader) kind(t *table) Kind {
	k := t.take("kind", textForm)
	switch {
	case k == nil && t.has("kind"): // told
		return ""
	case k == nil:
		guess := ""
		for _, g := range []struct{ key, kind string }{{"function", "go"}, {"binary", "c"}, {"url", "http"}, {"command", "command"}} {
			if t.has(g.key) {
				guess = fmt.Sprintf(" (for a %s: kind = %q)", g.key, g.kind)
				break
			}
		}
		t.bad(t.at(), "[[program]] has no kind: %s%s", alternatives(kinds), guess)
		return ""
	case !slices.Contains(kinds, k.value.text):
		t.bad(k.value.at, "there is no kind %q: choose %s%s", k.value.text, alternatives(kinds), meant(k.value.text, kinds))
		return ""
	}
	return Kind(k.value.text)
}

// foreign tells of keys that other kinds have.
func (t *table) foreign(kind Kind) {
	for _, k := range t.node.keys {
		if slices.Contains(keysOf[kind], k.name) || slices.Contains(keysOfAll, k.name) {
			continue
		}
		var others []string
		for _, other := range kinds {
			if slices.Contains(keysOf[Kind(other)], k.name) {
				others = append(others, other)
			}
		}
		if len(others) == 0 {
			continue
		}
		t.known = append(t.known, k.name)
		why := ""
		switch {
		case kind == HTTP && k.name == "network":
			why = ": a service is reached over the network, so that it always has it"
		case kind == HTTP && k.name == "command":
			why = ": what starts the service is start"
		case kind == Go && k.name == "env":
			why = ": [environment] has set, for all programs"
		}
		t.bad(k.at, "%s does not belong to kind %s, but to %s%s", k.name, kind, alternatives(others), why)
	}
}

// toolchainForm is a release as GOTOOLCHAIN takes it, with or without go before it.
var toolchainForm = regexp.MustCompile(`^(?:go)?(1\.(\d{1,3})(?:\.\d{1,3}|rc\d{1,3}|beta\d{1,3}))$`)

// oldestToolchain is the first with GOTOOLCHAIN, by which others are had.
const oldestToolchain = 21

func (r *reader) function(t *table, p *Program) {
	written := t.text("function")
	version := t.text("version")
	at := t.where("function")
	if !t.has("function") {
		t.bad(at, `a program of kind go has no function: write one like function = "encoding/json.Valid", or "./pkg.Func" of a folder`)
	}
	if strings.Contains(written, "@") && version != "" {
		t.bad(at, "function has a version, and version is one: keep one of the two")
		version = ""
	}
	if written != "" {
		whole := written
		if version != "" {
			whole += "@" + version
		}
		if fn, err := funcname.Parse(whole); err != nil {
			t.bad(at, "function: %s", oneLine(err.Error()))
		} else {
			p.Function, p.Version = fn.String(), fn.Version
		}
	}
	if release := t.text("go"); release != "" {
		m := toolchainForm.FindStringSubmatch(release)
		switch {
		case m == nil:
			t.bad(t.where("go"), `go = %q is no release: write one like go = "1.25.1" or "1.26rc1"`, release)
		default:
			if minor, _ := strconv.Atoi(m[2]); minor < oldestToolchain {
				t.bad(t.where("go"), "go = %q: the oldest toolchain is 1.%d.0", release, oldestToolchain)
			}
			p.Toolchain = m[1]
		}
	}
	p.Instrument = t.texts("instrument", false)
	if m := p.Limits.Memory; m > 0 && m < minGoMemory {
		t.bad(t.where("memory"), "memory = %q is too little for the worker of a Go function: choose %s or more", bytesText(m), bytesText(minGoMemory))
	}
}

// binary reads a C or C++ program. What it was built with is looked at when it is run.
func (r *reader) binary(t *table, p *Program) {
	written := t.text("binary")
	if !t.has("binary") {
		t.bad(t.where("binary"), `a program of kind c has no binary: write one like binary = "./fuzz_parse", linked by parallax cc or parallax c++`)
	}
	if written != "" {
		p.Binary = r.path(written)
		if info := r.exists("binary", written, t.where("binary")); info != nil && !info.Mode().IsRegular() {
			t.bad(t.where("binary"), "binary: %s is no file", written)
		}
	}
	p.Args, p.Env = t.command("args"), t.variables("env")
	t.noPlace("args", p.Args, "the input goes to LLVMFuzzerTestOneInput")
}

// place is what stands in a command for something that differs from input to input, as package command reads it: a file with the
// input, the input itself, a file to write, both files with an extension if the program minds.
var place = regexp.MustCompile(`\{(?:arg|(input|output)(?:\.[A-Za-z0-9._+-]+)?)\}`)

// misspelt is an argument that was meant for a place, alone or behind a flag; in a script the same may be right.
var misspelt = regexp.MustCompile(`(?i)^(?:-[-\w]*=)?(?:\{\{\s*(?:input|output|arg)\s*\}\}|\{\s*(?:in|out|inptu|imput|inpt|ouput|file|infile|outfile|inputfile|input_file|input|output|arg|args)\s*\}|@@)$`)

func (r *reader) command(t *table, p *Program) {
	p.Command = t.command("command")
	at := t.where("command")
	if !t.has("command") {
		t.bad(at, `a program of kind %s has no command: write one like command = ["python3", "parse.py"]`, p.Kind)
	}
	p.Env = t.variables("env")
	if p.Kind == Persistent {
		t.noPlace("command", p.Command, "a driver gets its inputs on standard input (docs/driver-protocol.md); a program that is started for each input is of kind command")
		return
	}
	t.places(p.Command)
	p.Value = Stdout
	if v := t.word("value", string(Stdout), string(Stderr), string(Output), string(None)); v != "" {
		p.Value = Value(v)
	}
	if p.Value == Output && len(p.Command) > 0 && !strings.Contains(strings.Join(p.Command, " "), "{output") {
		t.bad(t.where("value"), "value is the file that the command writes, and no argument says which: put {output} where it takes the file's name")
	}
	p.Exit = t.exit()
}

// places checks what in a command differs from input to input.
func (t *table) places(command []string) {
	named := map[string]string{} // input and output, as they are written
	for i, arg := range command {
		found := place.FindAllStringSubmatch(arg, -1)
		switch at := t.where("command"); {
		case len(found) > 0 && i == 0:
			t.bad(at, "command: %s differs from input to input, which what is started cannot", found[0][0])
		case len(found) == 0 && misspelt.MatchString(arg):
			t.bad(at, "command: %q is passed as it is: the places are written {input}, {arg} and {output}", arg)
		}
		for _, f := range found {
			if before := named[f[1]]; f[1] != "" && before != "" && before != f[0] {
				t.bad(t.where("command"), "command has %s and %s, and there is one such file: use one of them", before, f[0])
			}
			named[f[1]] = f[0]
		}
	}
}

// noPlace tells of a place in a command that is not started for an input.
func (t *table) noPlace(name string, command []string, because string) {
	for _, arg := range command {
		if found := place.FindString(arg); found != "" {
			t.bad(t.where(name), "%s has no %s: %s", name, found, because)
			return
		}
	}
}

func (r *reader) service(t *table, p *Program) {
	p.URL = t.url("url")
	if !t.has("url") {
		t.bad(t.at(), `a program of kind http has no url: write one like url = "http://127.0.0.1:8080/parse"`)
	}
	inURL := strings.Contains(p.URL, "{input}")
	p.Method = "POST"
	if inURL {
		p.Method = "GET"
	}
	if m := t.text("method"); m != "" {
		switch {
		case !token(m):
			t.bad(t.where("method"), "method = %q is no method: write one like POST, PUT or GET", m)
		case (m == "GET" || m == "HEAD") && p.URL != "" && !inURL:
			t.bad(t.where("method"), "a request of method %s has no body: put {input} into the url where the input belongs, or use POST", m)
		}
		p.Method = m
	}
	p.Headers = t.headers()
	p.Parts = t.parts()
	p.Accepted, p.Rejected = t.statuses()
	if n, ok := t.whole("rate", 0, 1_000_000); ok {
		p.Rate = int(n)
	}
	p.Retries = 3
	if n, ok := t.whole("retries", 0, 100); ok {
		p.Retries = int(n)
	}
	p.Start, p.Ready = t.command("start"), t.url("ready")
	t.noPlace("start", p.Start, "the input goes to the service, with each request")
	for i, arg := range p.Start {
		if i == 0 && strings.Contains(arg, portPlace) {
			t.bad(t.where("start"), "start: %s cannot be part of what is started", portPlace)
		}
	}
	if len(p.Start) > 0 && p.URL != "" && !strings.Contains(p.URL, portPlace) {
		t.bad(t.where("start"), "start: several of the service run at once, for fuzzing and for judging, each on a free port: write %s for the port in url, and give it to the command, which also finds it in $PORT", portPlace)
	}
	p.Env = t.variables("env")
	p.Limits.Network = true
	if !t.has("start") {
		p.Limits = program.Limits{Timeout: p.Limits.Timeout, Output: p.Limits.Output, Network: true}
		for _, name := range append([]string{"ready"}, ofStart...) {
			if t.has(name) {
				t.bad(t.node.get(name).at, "%s is about the process that parallax starts, and there is no start", name)
			}
		}
	}
}

const (
	portPlace = "{port}"
	// inputStandIn stands for an input where an address is looked at.
	inputStandIn = "zzz-input"
)

// address is an address with something in the places of port and input.
func address(written string) string {
	return strings.NewReplacer(portPlace, "1", "{input}", inputStandIn).Replace(written)
}

// url reads an address that can be asked.
func (t *table) url(name string) string {
	written := t.text(name)
	if written == "" {
		return ""
	}
	at := t.where(name)
	u, err := url.Parse(address(written))
	switch {
	case strings.Contains(written, portPlace) && !t.has("start"):
		t.bad(at, "%s: %s is the port of a service that parallax starts: add start, or write the port", name, portPlace)
	case name == "ready" && place.MatchString(written):
		t.bad(at, "ready has no %s: it is asked before there is an input", place.FindString(written))
	case err != nil:
		t.bad(at, "%s: %s", name, oneLine(err.Error()))
	case u.Scheme != "http" && u.Scheme != "https":
		t.bad(at, `%s = %q: it begins with http:// or https://`, name, written)
	case u.Hostname() == "":
		t.bad(at, "%s = %q has no host", name, written)
	case u.User != nil:
		t.bad(at, "%s has a password in it: put what the service wants into headers", name)
	case u.Fragment != "":
		t.bad(at, "%s = %q: what is behind # is never sent; leave it away", name, written)
	case strings.Contains(u.Host, inputStandIn):
		t.bad(at, "%s has the input in the host's place, where it would be sent to others", name)
	default:
		return written
	}
	return ""
}

// headers reads the lines of a request's head, by name.
func (t *table) headers() []Header {
	var all []Header
	for _, p := range t.pairs("headers") {
		name := textproto.CanonicalMIMEHeaderKey(p.key.text)
		switch {
		case !token(p.key.text):
			t.bad(p.key.at, "headers: %q is no name of a header", p.key.text)
		case name == "Content-Length" || name == "Transfer-Encoding":
			t.bad(p.key.at, "headers: %s follows from the input", name)
		case strings.ContainsAny(p.value.text, "\r\n\x00"):
			t.bad(p.value.at, "headers: a value is one line")
		case slices.ContainsFunc(all, func(h Header) bool { return h.Name == name }):
			t.bad(p.key.at, "headers has %s twice", name)
		default:
			all = append(all, Header{name, p.value.text})
		}
	}
	slices.SortFunc(all, func(a, b Header) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// token reports whether s can be a method or the name of a header (RFC 9110, section 5.6.2).
func token(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(c rune) bool {
		return (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && !strings.ContainsRune("!#$%&'*+-.^_`|~", c)
	})
}

// parts reads what of an answer is its value.
func (t *table) parts() []string {
	if !t.has("value") {
		t.known = append(t.known, "value")
		return []string{"body"}
	}
	var all []string
	for _, i := range t.items("value", true) {
		part := i.text
		if name, ok := strings.CutPrefix(part, "header:"); ok {
			if !token(name) {
				t.bad(i.at, "value: %q is no name of a header", name)
				continue
			}
			part = "header:" + textproto.CanonicalMIMEHeaderKey(name)
		} else if part == string(None) && t.node.get("value").value.form == textForm {
			return nil
		} else if part != "status" && part != "body" {
			t.bad(i.at, "value = %q: choose status, body and header:Name, or none%s", part, meant(part, []string{"status", "body", "none"}))
			continue
		}
		if slices.Contains(all, part) {
			t.bad(i.at, "value has %s twice", part)
			continue
		}
		all = append(all, part)
	}
	return all
}
