package config

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/limits"
	"parallax/cmd/internal/program"
	"parallax/cmd/internal/program/command"
	"parallax/cmd/internal/program/gofunc"
	"parallax/cmd/internal/program/http"
	"parallax/internal/oracle"
)

// folder makes a folder with files that configurations name.
func folder(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "json five")
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

var files = map[string]string{
	"seeds/a":           "1",
	"more":              "2",
	"x.dict":            "\"a\"\nb=\"\\x00\"\n",
	"bad.dict":          "\"a\"\nwat\n",
	"control/good.json": `{"a": 1.0}`,
	"h/h.go":            "package h\n",
	"drivers/parser.py": "",
}

// full has every key.
const full = `version = 1
name = "json"
repair = "./fix.Repair"

[input]
seeds = ["seeds", "more"]
dictionary = "x.dict"
max_bytes = "64KiB"

[compare]
layers = ["verdict", "class"]
accepted = "control/accepted.toml"
normalize = ["json", "space", { replace = 'line \d+', with = "line N" }, { go = "./norm.Canonical" }, { command = ["jq", "-S", "."] }]

[[compare.class]]
name = "truncated"
match = ["unexpected end", "EOF$"]
programs = ["go", "python"]

[[compare.class]]
name = "other"
match = '.'

[[control]]
input = "control/good.json"
expect = "accepted"
programs = ["go"]
value = '{"a":1}'

[[control]]
text = ""
expect = "rejected"

[limits]
timeout = "3s"
memory = "2GiB"
file_size = 0
processes = 5
output = 1_000
network = true

[environment]
clock = 2024-01-01T01:00:00+01:00
inherit = ["PATH", "TZ"]
set = { LANG = "C", X = "" }

[[program]]
name = "go"
kind = "go"
function = "encoding/json.Valid"
version = "v1.2.3"
dir = "h"
go = "go1.25.1"
instrument = ["strconv", "example.com/..."]
allow = ["files"]
timeout = "1m"

[[program]]
kind = "command"
command = ["/usr/bin/jq", "-c", "", "{input}"]
value = "stderr"
env = { X = "1" }
normalize = ["trim"]
exit = { accepted = [0], rejected = [5, 1], declined = [77] }
memory = "512M"
network = false

[[program]]
name = "python"
kind = "persistent"
command = ["python3", "drivers/parser.py"]
dir = "."

[[program]]
kind = "http"
url = "http://127.0.0.1:{port}/parse"
method = "PUT"
headers = { x-b = "2", Content-Type = "application/json" }
value = ["status", "body", "header:content-type"]
accepted = ["2xx", 404]
rejected = ["4xx"]
rate = 100
retries = 0
start = ["./server", "--listen", "127.0.0.1:{port}"]
ready = "http://127.0.0.1:{port}/health"
env = { Y = "1" }
`

func TestLoad(t *testing.T) {
	dir := folder(t, files)
	path := filepath.Join(dir, FileName)
	if err := os.WriteFile(path, []byte(full), 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	check := func(what string, got, want any) {
		t.Helper()
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s is %#v, want %#v", what, got, want)
		}
	}
	check("Path", f.Path, path)
	check("Name", f.Name, "json")
	check("Repair", f.Repair.Go, "./fix.Repair")
	check("Input", f.Input, Input{Seeds: []string{dir + "/seeds", dir + "/more"}, Dictionary: dir + "/x.dict", MaxBytes: 65536, Limited: true})
	check("Layers", f.Compare.Layers, oracle.VerdictLayer|oracle.ClassLayer)
	check("Accepted", f.Compare.Accepted, dir+"/control/accepted.toml")
	var steps []string
	for _, s := range append(f.Programs[1].Normalize, f.Compare.Normalize...) {
		steps = append(steps, s.String())
	}
	check("steps", strings.Join(steps, "|"), `trim|json|space|{ replace = "line \\d+", with = "line N" }|{ go = "./norm.Canonical" }|{ command = ["jq" "-S" "."] }`)
	var classes []string
	for _, k := range f.Compare.Classes {
		classes = append(classes, fmt.Sprint(k.Name, k.Match, k.Programs))
	}
	check("classes", strings.Join(classes, "|"), "truncated[unexpected end EOF$] [go python]|other[.] []")
	check("control", f.Controls[0], Control{Path: dir + "/control/good.json", Input: []byte(`{"a": 1.0}`), Expect: oracle.Accepted,
		Programs: []string{"go"}, HasValue: true, Value: []byte(`{"a":1}`), At: Position{Line: 24, Column: 3}})
	check("control of text", f.Controls[1].Input, []byte(""))
	check("clock", f.Environment.Clock, time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC))

	limits := limits.Limits{Timeout: 3 * time.Second, Memory: 2 << 30, Processes: 5, Output: 1000, Network: true}
	check("Limits", f.Limits, limits)
	p := f.Programs[0]
	g := p.Settings.(*gofunc.Function)
	check("function", []any{p.Name, p.Kind, g.Function, g.Version, g.Toolchain, p.Dir, g.Instrument, g.Allow, p.Limits.Timeout, p.Limits.Memory},
		[]any{"go", "go", "encoding/json.Valid", "v1.2.3", "1.25.1", dir + "/h", []string{"strconv", "example.com/..."}, []string{"files"}, time.Minute, int64(2 << 30)})
	p = f.Programs[1]
	c := p.Settings.(*command.Settings)
	check("command", []any{p.Name, c.Command, c.Value, c.Exit, p.Dir, p.Limits.Memory, p.Limits.Network},
		[]any{"jq", []string{"/usr/bin/jq", "-c", "", "{input}"}, "stderr", command.ExitCodes{Accepted: []int{0}, Rejected: []int{1, 5}, Declined: []int{77}}, dir, int64(512 << 20), false})
	check("absolute", program.Absolute(dir, []string{"python3", "drivers/parser.py", "drivers", "more", "-x"}),
		[]string{"python3", dir + "/drivers/parser.py", "drivers", dir + "/more", "-x"})
	p = f.Programs[3]
	s := p.Settings.(*http.Settings)
	check("service", []any{p.Name, s.URL, s.Method, s.Headers, s.Parts, s.Rate, s.Retries, s.Start, s.Ready},
		[]any{"parse", "http://127.0.0.1:{port}/parse", "PUT", []http.Header{{Name: "Content-Type", Value: "application/json"}, {Name: "X-B", Value: "2"}},
			[]string{"status", "body", "header:Content-Type"}, 100, 0, []string{"./server", "--listen", "127.0.0.1:{port}"}, "http://127.0.0.1:{port}/health"})
	check("statuses", fmt.Sprint(s.Accepted, s.Rejected), "[2xx 404] [4xx]")
	lookup := func(name string) (string, bool) { return "my " + name, name != "TZ" }
	check("environment", f.Environ(&f.Programs[1], lookup), []string{"LANG=C", "PATH=my PATH", "PYTHONDONTWRITEBYTECODE=1", "X=1"})
	if err := f.Fail(f.Controls[0].At, "not %s", "met"); err.Error() != path+":24:3: not met" || exit.Code(err) != exit.UsageCode {
		t.Errorf("%v", err)
	}
}

// outcome returns the outcome that package command gives to an exit code.
func outcome(p *Program, code int) string {
	e := p.Settings.(*command.Settings).Exit
	switch {
	case slices.Contains(e.Accepted, code):
		return "accepted"
	case slices.Contains(e.Rejected, code):
		return "rejected"
	case slices.Contains(e.Declined, code):
		return "declined"
	}
	return "crashed"
}

const two = `
[[program]]
kind = "command"
command = ["a"]
[[program]]
kind = "command"
command = ["b"]
`

func TestDefaults(t *testing.T) {
	dir := folder(t, nil)
	f, problems := parse([]byte("version = 1"+two), filepath.Join(dir, FileName), onDisk{})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if f.Name != "json-five" || f.Input.MaxBytes != 4096 || f.Compare.Layers != oracle.VerdictLayer|oracle.ValueLayer || f.Compare.LayersGiven ||
		f.Compare.Accepted != filepath.Join(dir, "parallax-accepted.toml") || f.Limits != defaultLimits || f.Repair != nil {
		t.Errorf("%+v", f)
	}
	p := f.Programs[0]
	if p.Name != "a" || p.Dir != dir || p.Settings.(*command.Settings).Value != "stdout" || p.Limits != defaultLimits {
		t.Errorf("%+v", p)
	}
	for code, want := range map[int]string{0: "accepted", 1: "rejected", 127: "rejected", 255: "rejected", 134: "crashed", 139: "crashed"} {
		if got := outcome(&p, code); got != want {
			t.Errorf("exit code %d is %v, want %v", code, got, want)
		}
	}
	if got := f.Environ(&p, func(name string) (string, bool) { return "x", name == "PATH" || name == "LANG" }); !reflect.DeepEqual(got, []string{"LANG=C.UTF-8", "PATH=x", "PYTHONDONTWRITEBYTECODE=1", "TZ=UTC"}) {
		t.Errorf("%v", got)
	}
	for path, want := range map[string]string{"/a/json.toml": "json", "/a/b/parallax.toml": "b", "/parallax.toml": "target", "/a/.x y!z.toml": "x-y-z"} {
		if f, problems := parse([]byte("version = 1"+two), path, onDisk{}); len(problems) > 0 || f.Name != want {
			t.Errorf("%s is called %q, want %q; %v", path, f.Name, want, problems)
		}
	}
}

func TestExitCodes(t *testing.T) {
	for _, c := range []struct {
		keys string
		want map[int]string
	}{
		{"declined = [77]", map[int]string{0: "accepted", 1: "rejected", 77: "declined", 139: "crashed"}},
		{"rejected = [1]", map[int]string{0: "accepted", 1: "rejected", 2: "crashed"}},
		{"accepted = [1]", map[int]string{1: "accepted", 0: "rejected", 2: "rejected"}},
		{"rejected = [0]", map[int]string{0: "rejected", 1: "crashed"}},
		{"rejected = []", map[int]string{0: "accepted", 1: "crashed"}},
		{"rejected = [139]", map[int]string{139: "rejected"}},
	} {
		f, problems := parse([]byte("version = 1"+two+"exit = { "+c.keys+" }"), "/x/parallax.toml", onDisk{})
		if len(problems) > 0 {
			t.Errorf("%s: %v", c.keys, problems)
			continue
		}
		for code, want := range c.want {
			if got := outcome(&f.Programs[1], code); got != want {
				t.Errorf("%s: exit code %d is %v, want %v", c.keys, code, got, want)
			}
		}
	}
}

func TestNames(t *testing.T) {
	command := func(name, path string) string {
		text := "[[program]]\nkind = \"command\"\ncommand = ['" + path + "']\n"
		if name != "" {
			text += "name = '" + name + "'\n"
		}
		return text
	}
	function := func(name, rest string) string {
		return "[[program]]\nkind = \"go\"\nfunction = '" + name + "'\n" + rest + "\n"
	}
	for _, c := range []struct{ programs, want string }{
		{command("", "/usr/bin/jq") + command("", "x"), "jq x"},
		{command("", "/a/jq") + command("", "/b/jq") + command("", "c/d/jq"), "a/jq b/jq d/jq"},
		{command("", "/a/jq") + command("jq", "/b/jq"), "a/jq jq"},
		{command("", "/a/jq") + command("", "jq"), "a/jq jq"},
		{function("gopkg.in/yaml.v3.Unmarshal", "version = 'v3.0.0'") + function("gopkg.in/yaml.v3.Unmarshal@v3.0.1", ""), "yaml.v3.Unmarshal@v3.0.0 yaml.v3.Unmarshal@v3.0.1"},
		{function("net/mail.ParseAddress", "go = '1.21.0'") + function("net/mail.ParseAddress", "go = '1.26.0'"), "mail.ParseAddress@go1.21.0 mail.ParseAddress@go1.26.0"},
		{function("./h.Parse", "") + function("./x/h.Parse", ""), "h.Parse x/h.Parse"},
		{"[[program]]\nkind = 'http'\nurl = 'http://a:{port}/{input}'\nstart = ['x']\n" + command("", "x"), "a x"},
		{"[[program]]\nkind = 'http'\nurl = 'http://a:1/'\n[[program]]\nkind = 'http'\nurl = 'http://b/'\n", "a:1 b"},
	} {
		f, problems := parse([]byte("version = 1\n"+c.programs), "/x/parallax.toml", onDisk{})
		if len(problems) > 0 {
			t.Errorf("%s%v", c.programs, problems)
			continue
		}
		var names []string
		for _, p := range f.Programs {
			names = append(names, p.Name)
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("%s is called %s, want %s", c.programs, got, c.want)
		}
	}
}

func TestStatuses(t *testing.T) {
	for keys, want := range map[string]string{
		"":                                     "[2xx 3xx] [4xx]",
		"accepted = 200":                       "[200] [4xx]",
		"accepted = ['4xx']":                   "[4xx] []",
		"rejected = ['2XX', '3xx']":            "[] [2xx 3xx]",
		"rejected = [302]":                     "[2xx 3xx] [302]",
		"accepted = []":                        "[] [4xx]",
		"accepted = [200]\nrejected = ['2xx']": "[200] [2xx]",
	} {
		f, problems := parse([]byte("version = 1"+two+"[[program]]\nkind = 'http'\nurl = 'http://h/x'\n"+keys), "/x/parallax.toml", onDisk{})
		if len(problems) > 0 {
			t.Errorf("%s: %v", keys, problems)
		} else if p := f.Programs[2].Settings.(*http.Settings); fmt.Sprint(p.Accepted, p.Rejected) != want {
			t.Errorf("%s: %v %v, want %s", keys, p.Accepted, p.Rejected, want)
		}
	}
}
