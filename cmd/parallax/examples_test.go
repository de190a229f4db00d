package main_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"parallax/cmd/internal/finding"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// example is a command of a page in examples/, with what the page explains of its findings.
type example struct {
	funcs string // the command's functions or configuration, or command and packages, as the page has them
	// budget is in inputs, for one worker and each target. It is five times the need of the slowest
	// tried seed (budget_test.go). With inputs, it is their number and a few more.
	budget int
	shows  []shown
	agrees bool              // nothing is to be found
	make   string            // folder with a Makefile that builds what is compared
	needs  map[string]string // tools: Debian's package of each
	// inputs show findings: campaigns begin with them where programs are so slow that few inputs are
	// run, or a finding is rare.
	inputs []string
	flags  []string // of the command, without the time to fuzz
}

// shown is a finding: one bucket must have all of it.
type shown struct {
	target   string            // default: the only one
	kind     string            // default: discrepancy
	outcomes string            // by program, in their order: a(ccepted), r(ejected) or c(rashed)
	odd      string            // the program that is named
	results  map[string]string // by program: what its result contains
	variant  string            // an input of one of its variants
}

var examples = []example{
	{
		funcs:  "./semver/order.Mod ./semver/order.Masterminds ./semver/order.Blang ./semver/order.Hashicorp",
		budget: 100_000,
		inputs: []string{"go test fuzz v1\nstring(\"0.0.0-0.a\")\nstring(\"0.0.0-0\")\n"},
		shows: []shown{
			{outcomes: "aaaa", odd: "order.Hashicorp", results: map[string]string{"order.Mod": "-1", "order.Hashicorp": "1"}, variant: `(a: "0.0.0-0.a", b: "0.0.0-0")`},
			{outcomes: "aaaa", odd: "order.Hashicorp", results: map[string]string{"order.Mod": "-1", "order.Hashicorp": "1"}, variant: `(a: "0.0.0-0", b: "0.0.0--1")`},
		},
	},
	{
		funcs:  "./semver/parse.Mod ./semver/parse.Masterminds ./semver/parse.Blang",
		budget: 100_000,
		shows: []shown{
			{outcomes: "arr", odd: "parse.Mod", results: map[string]string{"parse.Blang": "strconv.ParseUint"}},
			{outcomes: "aar", odd: "parse.Blang", results: map[string]string{"parse.Blang": "strconv.ParseUint"}},
		},
	},
	{
		funcs:  "./semver/parse.Mod ./semver/parse.Hashicorp",
		budget: 100_000,
		shows: []shown{
			{outcomes: "ra", results: map[string]string{"parse.Hashicorp": `"0.0.0"`}},
			{outcomes: "ra", results: map[string]string{"parse.Hashicorp": `"0.0.0-00"`}},
			{outcomes: "ar", results: map[string]string{"parse.Hashicorp": "strconv.ParseInt"}},
		},
	},
	{
		funcs:  "encoding/json.Valid github.com/valyala/fastjson.ValidateBytes@v1.6.10 github.com/segmentio/encoding/json.Valid@v0.5.4",
		budget: 150_000,
		shows:  []shown{{outcomes: "rar", odd: "fastjson.ValidateBytes@v1.6.10"}},
	},
	{
		funcs:  "encoding/json.Unmarshal github.com/json-iterator/go.Unmarshal@v1.1.12",
		budget: 100_000,
		inputs: []string{"-+0"},
		shows: []shown{
			{outcomes: "ra", results: map[string]string{"json.Unmarshal": "after top-level value"}},
			{outcomes: "ra", results: map[string]string{"json.Unmarshal": "'+' in numeric literal", "go.Unmarshal@v1.1.12": "-0"}},
			{outcomes: "ra", results: map[string]string{"json.Unmarshal": "in string literal"}},
			{outcomes: "aa", results: map[string]string{"json.Unmarshal": `\ufffd`}},
		},
	},
	{
		funcs:  "./json.Std ./json.Fastjson",
		budget: 100_000,
		shows: []shown{
			{outcomes: "aa", results: map[string]string{"json.Fastjson": "000000"}}, // the last digits of a number
			{outcomes: "ra", results: map[string]string{"json.Std": "looking for beginning of value", "json.Fastjson": "0.0"}},
			{outcomes: "ra", results: map[string]string{"json.Std": "after decimal point", "json.Fastjson": "0.0"}},
			{outcomes: "ra", results: map[string]string{"json.Std": "string escape code"}},
			{outcomes: "ra", results: map[string]string{"json.Fastjson": "Inf"}},
		},
	},
	{
		funcs:  "./json.Std ./json.V2",
		budget: 50_000,
		shows: []shown{
			{outcomes: "ar", results: map[string]string{"json.V2": "invalid UTF-8"}},
			{outcomes: "ar", results: map[string]string{"json.V2": "invalid surrogate pair"}},
		},
	},
	{funcs: "./json.Std ./json.Goccy ./json.Segmentio", budget: 20_000, agrees: true},
	{
		funcs:  "./json.Std ./json.Fastjson ./json.Goccy",
		budget: 20_000,
		shows: []shown{
			{outcomes: "aaa", odd: "json.Fastjson", results: map[string]string{"json.Fastjson": "000000"}},
			{outcomes: "rar", odd: "json.Fastjson", results: map[string]string{"json.Fastjson": "Inf"}},
			{outcomes: "aaa", odd: "json.Fastjson", results: map[string]string{"json.Std": `\ufffd`, "json.Fastjson": `\ud`}},
		},
	},
	{
		funcs:  "./ip/contains.Net ./ip/contains.Netip ./ip/contains.Netipx",
		budget: 150_000,
		shows: []shown{
			{outcomes: "aaa", odd: "contains.Net", results: map[string]string{"contains.Net": "false", "contains.Netip": "true"}},
			{outcomes: "arr", odd: "contains.Net", results: map[string]string{"contains.Netip": "bad bits after slash"}},
			{outcomes: "raa", odd: "contains.Net", results: map[string]string{"contains.Netip": "false"}},
		},
	},
	{
		funcs:  "./ip/cidr.Net ./ip/cidr.Netip ./ip/cidr.Netipx",
		budget: 100_000,
		shows: []shown{
			{outcomes: "aaa", results: map[string]string{"cidr.Net": "0.0.0.0/", "cidr.Netip": "::ffff:", "cidr.Netipx": "invalid Prefix"}},
			{outcomes: "arr", odd: "cidr.Net"},
		},
	},
	{
		funcs:  "./ip/addr.Net ./ip/addr.Netip",
		budget: 50_000,
		shows: []shown{
			{outcomes: "ra", results: map[string]string{"addr.Netip": "%"}},
			{outcomes: "aa", results: map[string]string{"addr.Netip": "::ffff:"}},
		},
	},
	{
		funcs:  "./ip/class.Net ./ip/class.Netip",
		budget: 50_000,
		inputs: []string{"::ffff:0.0.0.0", "1::%0"},
		shows: []shown{
			{outcomes: "ra", results: map[string]string{"class.Netip": "global-unicast"}},
			{outcomes: "aa", results: map[string]string{"class.Net": "unspecified"}},
		},
	},
	{
		funcs:  "regress github.com/tidwall/gjson@v1.2.1 github.com/tidwall/gjson@v1.3.0",
		budget: 2000,
		inputs: []string{"go test fuzz v1\nstring(\"{}\")\nstring(\"@0\")\n", "go test fuzz v1\nstring(\"{}\")\nstring(\"[]\")\n"},
		shows: []shown{
			{kind: "crash", outcomes: "ca", results: map[string]string{"new": "index out of range [0] with length 0"}},
			{kind: "change", outcomes: "aa", results: map[string]string{"new": `"[]"`}},
		},
	},
	{
		funcs:  "./xz.Ulikunitz ./xz.TheRoot",
		budget: 5_000,
		shows:  []shown{{outcomes: "ar", results: map[string]string{"xz.Ulikunitz": `""`, "xz.TheRoot": "truncated or corrupt"}}},
	},
	{
		funcs:  "fuzz ./fuzz",
		budget: 400_000,
		shows: []shown{
			{target: "fuzz.FuzzOrder", kind: "failure", outcomes: "c", results: map[string]string{"FuzzOrder": "are each less than the other"}},
			{target: "fuzz.FuzzOrder", kind: "failure", outcomes: "c", results: map[string]string{"FuzzOrder": "is less than"}},
			{target: "fuzz.FuzzRange", kind: "crash", outcomes: "c", results: map[string]string{"FuzzRange": "nil pointer dereference"}},
		},
	},
	{
		funcs:  "./fuzz",
		budget: 100_000,
		shows:  []shown{{outcomes: "ra", results: map[string]string{"iso8601": "T00:00:00Z"}}},
	},
	{
		funcs:  "archives/gzip.toml",
		budget: 8,
		inputs: []string{"\x1f\x8b\b\x00000000\x030\x00\x00\x00\x00\x00\x00\x00\x0000", "\x1f\x8b\b\x1f\x8b\b\x000000\x000\x030\x00\x00\x00\x00\x00\x00\x00\x00"},
		needs:  map[string]string{"gzip": "gzip", "busybox": "busybox-static", "7zz": "7zip"},
		shows: []shown{
			{outcomes: "rraar"},
			{outcomes: "rrrra", odd: "7zip"},
		},
	},
	{
		funcs:  "archives/xz.toml",
		budget: 8,
		inputs: []string{"\x00\x00\x00\x000", "\xfd7zXZ\x00\x00\x00\xff\x12\xd9A\xe6\x05F900000000"},
		needs:  map[string]string{"xz": "xz-utils", "busybox": "busybox-static"},
		shows: []shown{
			{outcomes: "rra", odd: "busybox", results: map[string]string{"xz": "File format not recognized"}},
			{outcomes: "arr", odd: "ulikunitz", results: map[string]string{"xz": "Unexpected end of input"}},
		},
	},
	{
		funcs:  "elf/parallax.toml",
		budget: 6,
		inputs: []string{
			"\x7fELF\x01\x02\x01" + zeros(10) + "\x03\x00\b\x00\x00\x00\x01\x00\x0000entry" + zeros(10) + "0\x00\x0040 \x00\x00\x00",
			"\x7fELF\x02\x01\x01\x00\x00\x00\x00\x0000000000\x01000000000000" + zeros(15) + "0000000000000000",
		},
		needs: map[string]string{"readelf": "binutils", "eu-readelf": "elfutils"},
		shows: []shown{
			{outcomes: "rar", odd: "readelf"},
			{outcomes: "raa", odd: "go", results: map[string]string{"go": "invalid ELF shnum for shoff=0"}},
		},
	},
	{
		funcs:  "elf/values.toml",
		budget: 6,
		inputs: []string{"\x7fELF\x02\x01\x01\x00\xc8" + zeros(7) + "\x02\x00\x3e\x00\x01\x00\x00\x00" + zeros(28) + "\x40\x00\x38\x00" + zeros(8)},
		needs:  map[string]string{"readelf": "binutils", "eu-readelf": "elfutils"},
		shows: []shown{
			{outcomes: "aaa", odd: "eu-readelf", results: map[string]string{"go": `"abi":"200"`, "readelf": `"abi":"200"`, "eu-readelf": `"abi":"-56"`}},
		},
	},
	{
		funcs:  "languages/json/parallax.toml",
		budget: 10,
		inputs: []string{"+1"}, // jq is slow, and each finding takes it some hundred runs
		make:   "languages/json",
		needs:  map[string]string{"gcc": "gcc", "jq": "jq", "node": "nodejs", "python3": "python3"},
		shows: []shown{
			{outcomes: "rrrra", odd: "jq", results: map[string]string{"go": `'+' looking for beginning of value`, "jq": "0"}},
		},
	},
	{
		funcs:  "languages/url/parallax.toml",
		budget: 12,
		inputs: []string{"http:0", "http://0:80000", "http://0", "http://[::]/."},
		needs:  map[string]string{"node": "nodejs", "python3": "python3"},
		shows: []shown{
			{outcomes: "rra", odd: "node", results: map[string]string{"node": `"host":"0.0.0.0"`}},
			{outcomes: "arr", odd: "go", results: map[string]string{"go": `"port":"80000"`, "python": "Port out of range"}},
			{outcomes: "aaa", odd: "node"},
		},
	},
	{
		funcs:  "languages/yaml/parallax.toml",
		budget: 11,
		inputs: []string{"!", "010", "yes"},
		make:   "languages/yaml",
		needs:  map[string]string{"node": "nodejs", "npm": "npm", "python3": "python3 python3-pip"},
		shows: []shown{
			{outcomes: "aaaa", odd: "npm"},
			{outcomes: "aaaa", results: map[string]string{"yaml.v3": "8", "goccy": "8", "npm": "10", "pyyaml": "8"}},
			{outcomes: "aaaa", results: map[string]string{"npm": `"yes"`, "pyyaml": "true"}},
		},
	},
	{
		funcs:  "service/parallax.toml",
		budget: 40,
		inputs: []string{" 0", "1000000000000000TB"},
		make:   "service",
		shows: []shown{
			{kind: "crash", outcomes: "rc", results: map[string]string{"service": "panic serving"}},
			{outcomes: "ra", results: map[string]string{"function": `" 0" is no number`, "service": "0"}},
			{outcomes: "ra", results: map[string]string{"function": "more than 8 EiB", "service": "1000000000000000"}},
		},
	},
	{
		funcs:  "model model-stubs/model.toml",
		budget: 300,
		needs:  map[string]string{"cc": "gcc libc6-dev", "clang-19": "clang-19", "cvc5": "cvc5", "z3": "z3"},
		shows: []shown{
			{target: "stubs-memchr", outcomes: "aa", results: map[string]string{"original": "returns s", "model": "returns NULL"}},
			{target: "stubs-strrchr", outcomes: "aa", results: map[string]string{"original": "returns s", "model": "returns NULL"}},
			{target: "stubs-shorten", outcomes: "aa", results: map[string]string{"original": "returns 15", "model": "returns 16"}},
		},
	},
	{
		funcs:  "model model-afero/model.toml",
		budget: 400,
		inputs: []string{
			zeros(8) + "\x05", zeros(8) + " ", "\x02\x00\x004" + zeros(4) + "\xa0", "\x02\x00\x00\t" + zeros(4) + "5", // of files
			"\x03" + zeros(7) + "\xebM\xff\x08", "\x03\x00\x05", "\x03" + zeros(7) + "\x05", // of folders
		},
		shows: []shown{
			{outcomes: "aa", results: map[string]string{"afero.NewMemMapFs@v1.11.0": "fs.Rename(`a`, `a`) = nil", "afero.NewOsFs@v1.11.0": "fs.ErrNotExist"}},
			{outcomes: "aa", results: map[string]string{"afero.NewMemMapFs@v1.11.0": "fs.Stat(`a`) = {`a` ----------", "afero.NewOsFs@v1.11.0": "{`a` -rw-rw-rw-"}},
			{outcomes: "aa", results: map[string]string{"afero.NewMemMapFs@v1.11.0": "file0.Read(make([]byte, 4)) = 0, io.EOF", "afero.NewOsFs@v1.11.0": "0, another error"}},
			{outcomes: "aa", results: map[string]string{"afero.NewMemMapFs@v1.11.0": "file0.Truncate(0) = nil", "afero.NewOsFs@v1.11.0": "another error"}},
			{kind: "crash", outcomes: "ca", results: map[string]string{"afero.NewOsFs@v1.11.0": "fs.Rename(`d/../a`, `a/b`) = fs.ErrNotExist"}},
			{outcomes: "aa", results: map[string]string{"afero.NewMemMapFs@v1.11.0": "= file0, nil", "afero.NewOsFs@v1.11.0": "= nil, fs.ErrNotExist"}},
			{outcomes: "aa", results: map[string]string{"afero.NewMemMapFs@v1.11.0": "fs.MkdirAll(", "afero.NewOsFs@v1.11.0": "fs.MkdirAll("}},
		},
	},
	{
		funcs:  "model model-miniredis/model.toml",
		budget: 10,
		inputs: []string{"9\x00\x00aa", "L" + zeros(8), "5\x00\x00\x00aa", "\x0b", "@\x00\x00\x05"},
		needs:  map[string]string{"redis-server": "redis-server"},
		shows: []shown{
			{outcomes: "aa", results: map[string]string{"redis.Miniredis": "client.SetRange(`a`, 1, ``) = `1`", "redis.Server": "= `0`"}},
			{outcomes: "aa", results: map[string]string{"redis.Miniredis": "client.Append(`a`, `a`) = `error WRONGTYPE`", "redis.Server": "client.Append(`a`, `a`) = `1`"}},
			{outcomes: "aa", results: map[string]string{"redis.Miniredis": "= `nil`", "redis.Server": "client.Set(`a`, `a`, true, true, false, false) = `error ERR`"}},
			{outcomes: "aa", results: map[string]string{"redis.Miniredis": "client.GetEx(`a`, 0, false) = `error ERR`", "redis.Server": "= `nil`"}},
			{outcomes: "aa", results: map[string]string{"redis.Miniredis": `1e+300\"`, "redis.Server": `1.0000000000000001e+300`}},
		},
	},
	{
		funcs:  "model model-node/model.toml",
		budget: 8,
		inputs: []string{`["%ff"]`, `["%41é"]`, `["b=&a=&b="]`, `[[["b",""],["1",""]]]`},
		make:   "model-node",
		needs:  map[string]string{"node": "nodejs", "npm": "npm"},
		shows: []shown{
			{outcomes: "ar", results: map[string]string{"model": "URIError: URI malformed"}},
			{outcomes: "aa", results: map[string]string{"original": "[ [ 'b', '' ], [ 'a', '' ], [ 'b', '' ] ]", "model": "[ [ 'b', '' ], [ 'b', '' ], [ 'a', '' ] ]"}},
		},
	},
	{
		funcs:  "model model-php/model.toml",
		budget: 20,
		inputs: []string{"0\x00\x0000"},
		needs:  map[string]string{"php": "php-cli", "z3": "z3", "cvc5": "cvc5"},
		shows:  []shown{{outcomes: "aa", results: map[string]string{"original": `returns ""`, "model": `returns "0"`}}},
	},
	{
		funcs:  "toolchains/netip.toml",
		budget: 100,
		inputs: []string{"::/00", "::00000/0"},
		shows: []shown{
			{outcomes: "ar", results: map[string]string{"go1.26": "bad bits after slash"}},
			{outcomes: "ar", results: map[string]string{"go1.26": "00000"}},
		},
	},
	{
		funcs:  "toolchains/mail.toml",
		budget: 100,
		inputs: []string{"0@[0.0.0.0]"},
		shows:  []shown{{outcomes: "ra", results: map[string]string{"go1.26": "@[0.0.0.0]"}}},
	},
	{
		funcs:  "toolchains/url.toml",
		budget: 100,
		inputs: []string{"//[:]", "//::", "//0[::]"},
		shows: []shown{
			{outcomes: "arr", odd: "go1.21", results: map[string]string{"go1.21": `"[:]"`}},
			{outcomes: "ara", odd: "go1.26.0", results: map[string]string{"go1.26.0": "invalid port"}},
			{outcomes: "rar", odd: "go1.26.0", results: map[string]string{"go1.26.0": `"[::]"`}},
		},
	},
}

func zeros(n int) string { return strings.Repeat("\x00", n) }

// name is that of the test: the first function, or the configuration.
func (e *example) name() string {
	first, _, _ := strings.Cut(strings.TrimPrefix(e.funcs, "model "), " ")
	return strings.TrimSuffix(strings.TrimPrefix(first, "./"), ".toml")
}

// group is the folder that functions of examples/ lie in, and the name of an example of others.
func (e *example) group() string {
	if strings.HasPrefix(e.funcs, "./") {
		return strings.FieldsFunc(e.name(), func(r rune) bool { return r == '/' || r == '.' })[0]
	}
	return e.name()
}

// TestExamples checks that every command of the pages in examples/ finds the differences that its
// page explains. Functions of one folder are compared one after the other. Their campaigns build
// the same packages, which would be compiled twice at the same time.
func TestExamples(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs campaigns")
	}
	t.Parallel()
	tool := newTool(t)
	tool.root = filepath.Join(tool.root, "examples")
	commands := exampleCommands(t, tool.root)
	groups := map[string][]*example{}
	var order []string
	for i := range examples {
		e := &examples[i]
		flags, ok := commands[e.funcs]
		if !ok {
			t.Errorf("no page in examples/ has `parallax %s`", e.funcs)
			continue
		}
		delete(commands, e.funcs)
		e.flags = flags
		name := e.group()
		if groups[name] == nil {
			order = append(order, name)
		}
		groups[name] = append(groups[name], e)
	}
	for _, name := range order {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if len(groups[name]) == 1 {
				groups[name][0].check(t, tool)
				return
			}
			for _, e := range groups[name] {
				t.Run(e.name(), func(t *testing.T) { e.check(t, tool) })
			}
		})
	}
	for funcs := range commands {
		t.Errorf("a page in examples/ has `parallax %s`, and no test", funcs)
	}
}

// exampleCommands returns the commands in the pages that fuzz: flags by functions, without the time
// to fuzz. Those of commands other than diff begin with the command.
func exampleCommands(t *testing.T, root string) map[string][]string {
	t.Helper()
	var pages []string
	for _, depth := range []string{"*", "*/*"} {
		found, err := filepath.Glob(filepath.Join(root, depth, "README.md"))
		if err != nil || len(found) == 0 {
			t.Fatalf("no pages in %s/%s (%v)", root, depth, err)
		}
		pages = append(pages, found...)
	}
	commands := map[string][]string{}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(string(text), "\n") {
			rest, ok := strings.CutPrefix(line, "    parallax ")
			if rest = strings.TrimPrefix(rest, "diff "); !ok || !strings.Contains(rest, " --fuzztime ") {
				continue
			}
			funcs, flags, _ := strings.Cut(rest, " --")
			var kept []string
			words := strings.Fields("--" + flags)
			for i := 0; i+1 < len(words); i += 2 {
				if words[i] != "--fuzztime" {
					kept = append(kept, words[i], strings.Trim(words[i+1], "'"))
				}
			}
			commands[funcs] = kept
		}
	}
	return commands
}

func (e *example) check(t *testing.T, tool *tool) {
	e.prepare(t, tool.root)
	flags := e.flags
	if len(e.inputs) > 0 {
		seeds := t.TempDir()
		for i, input := range e.inputs {
			if err := os.WriteFile(filepath.Join(seeds, fmt.Sprint(i)), []byte(input), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		flags = append(flags, "--seeds", seeds)
	}
	flags = append(flags, "--fuzztime", fmt.Sprint(e.budget, "x"), "--parallel", "1", "--seed", "1")
	args := diffArgs(filepath.Join(t.TempDir(), "out"), strings.Fields(e.funcs), flags...)
	if args[1] == "fuzz" || args[1] == "regress" || args[1] == "model" {
		args = args[1:]
	}
	r := tool.run(t, args...)
	if e.agrees {
		r.exits(t, 0)
	} else {
		r.exits(t, 1)
	}
	targets := r.targets(t)
	for _, want := range e.shows {
		found := false
		for _, s := range targets {
			for _, b := range s.Findings.Buckets {
				found = found || (want.target == "" || want.target == s.Target) && want.matches(s.Programs, b)
			}
		}
		if !found {
			t.Errorf("no finding %+v\n%s", want, r.stderr)
		}
	}
}

// prepare fails if tools are missing, and builds what is compared.
func (e *example) prepare(t *testing.T, root string) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(e.needs)) {
		if _, err := exec.LookPath(name); err != nil {
			t.Errorf("%s is missing: install it, for example with: sudo apt-get install %s", name, e.needs[name])
		}
	}
	if t.Failed() {
		t.FailNow()
	}
	if e.make == "" {
		return
	}
	if out, err := exec.Command("make", "-C", filepath.Join(root, e.make)).CombinedOutput(); err != nil {
		t.Fatalf("make -C examples/%s: %v\n%s\n`make tools` in the folder of the repository installs what the examples need", e.make, err, out)
	}
}

// targets reads standard output of a command that may have had several targets.
func (r *result) targets(t *testing.T) []*finding.Summary {
	t.Helper()
	var all struct{ Targets []*finding.Summary }
	if err := json.Unmarshal(r.stdout, &all); err != nil || len(all.Targets) == 0 {
		return []*finding.Summary{r.summary(t)}
	}
	return all.Targets
}

func (w *shown) matches(programs []string, b finding.Row) bool {
	var outcomes strings.Builder
	for _, p := range programs {
		outcomes.WriteString(b.Outcomes[p][:1])
	}
	if kind := cmp.Or(w.kind, "discrepancy"); b.Kind != kind || outcomes.String() != w.outcomes {
		return false
	}
	if w.odd != "" && (len(b.Odd) != 1 || b.Odd[0] != w.odd) {
		return false
	}
	for p, part := range w.results {
		if !strings.Contains(b.Results[p], part) {
			return false
		}
	}
	return w.variant == "" || slices.ContainsFunc(b.Variants, func(v finding.VariantRow) bool { return v.Quoted == w.variant })
}
