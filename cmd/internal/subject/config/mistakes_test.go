package config

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/limits"
	"parallax/cmd/internal/base/tomldoc"
	"parallax/cmd/internal/subject/kinds"
)

// TestMistakes checks the text and place of each mistake. Files begin with "version = 1", so the
// text of a case begins in line 2. The test appends the missing parts of a comparison.
func TestMistakes(t *testing.T) {
	dir := folder(t, files)
	goProgram := "[[program]]\nkind = \"go\"\nfunction = \"encoding/json.Valid\"\n"
	service := "[[program]]\nkind = \"http\"\nurl = \"http://localhost/\"\n"
	command := "[[program]]\nkind = \"command\"\ncommand = [\"c\"]\n"
	for _, c := range []struct {
		text string
		want string // lines without the file's name; "" and a prefix match too
	}{
		// keys
		{"wat = 1", `2:1: unknown key "wat" in the file: known are compare, control, environment, input, limits, name, program, regress, repair, version`},
		{"[input]\nseed = \"seeds\"", `3:1: unknown key "seed" in [input] (did you mean "seeds"?)`},
		{"[inptu]\nseeds = \"seeds\"", `2:2: unknown key "inptu" in the file (did you mean "input"?)`},
		{"[compare]\nnormalise = []", `3:1: unknown key "normalise" in [compare] (did you mean "normalize"?)`},
		{"input.max_byte = 1", `2:7: unknown key "max_byte" in [input] (did you mean "max_bytes"?)`},
		{"environment = { clok = 1 }", `2:17: unknown key "clok" in [environment] (did you mean "clock"?)`},
		{goProgram + "rate = 1", `5:1: rate is not a key of kind go, but of http`},
		{goProgram + "fuction = 1", `5:1: unknown key "fuction" in [[program]] (did you mean "function"?)`},
		{goProgram + "env = { A = \"1\" }", `5:1: env is not a key of kind go, but of c, command, persistent or http: [environment] has set, for all programs`},
		{service + "network = true", `5:1: network is not a key of kind http, but of c, command or persistent: a service is reached`},
		{service + "env = { A = \"1\" }\nready = \"http://x/\"", "5:1: env is about the process that parallax starts, and there is no start\n6:1: ready is about"},

		// types
		{"name = 1", `2:8: name is text, and here is a whole number: write name = "..."`},
		{"input = 1", `2:9: input is a table, and here is a whole number: write input = { ... }`},
		{"[input]\nseeds = 1", `3:9: seeds is a list, and here is a whole number: write seeds = ["...", "..."]`},
		{"[input]\nseeds = [\"seeds\", 1]", `3:19: seeds is a list of texts, and here is a whole number: put it in quotes`},
		{"control = 1", `2:11: control is a list, and here is a whole number`},
		{"[control]\ninput = \"x\"", `2:2: [control] is one table, and there may be several: write [[control]]`},
		{"control = [1]", `2:12: [[control]] is a list of tables, and here is a whole number: write [[control]] and its keys below`},
		{"[limits]\nnetwork = \"no\"", `3:11: network is true or false, and here is text: write network = true or false`},
		{"[limits]\nprocesses = 1.5", `3:13: processes is a whole number, and here is a number with a point`},
		{goProgram + "allow = [\"disk\"]", `5:10: allow: "disk" is nothing that a function may be allowed: choose among network, files`},
		{goProgram + "go = 1.25", `5:6: go is text, and here is a number with a point`},
		{"[[program]]\nkind = \"command\"\ncommand = \"jq .\"", `4:11: command is a list, and here is text: write command = ["jq ."]`},
		{"[environment]\nset = { A = 1 }", `3:13: set.A is text, and here is a whole number: put it in quotes`},

		// values
		{"[limits]\ntimeout = 2", `3:11: timeout = 2 has no unit: write timeout = "2s" if these are seconds`},
		{"[limits]\ntimeout = \"2 s\"", `3:11: timeout = "2 s" is not a duration`},
		{"[limits]\ntimeout = \"1ms\"", `3:11: timeout = "1ms": choose 10ms to 1h0m0s`},
		{"[limits]\ntimeout = true", `3:11: timeout is a duration, and here is true or false`},
		{"[limits]\nmemory = \"1GB\"", `3:10: memory = "1GB" is not a size: write a number and B, KiB, MiB or GiB, as in "64MiB"`},
		{"[limits]\nmemory = 1000", `3:10: memory = "1000" is too little: choose 1MiB or more, or 0 for no limit`},
		{"[limits]\nmemory = -1", `3:10: memory = "-1" is not a size`},
		{"[limits]\nmemory = \"9999999999GiB\"", `3:10: memory = "9999999999GiB" is not a size`},
		{"[limits]\noutput = 0", `3:10: output = "0" is too little: choose 1B or more`},
		{"[limits]\noutput = \"2GiB\"", `3:10: output = "2GiB" is too much: choose 1GiB or less`},
		{"[limits]\nprocesses = -1", `3:13: processes = -1: choose 0 to 100000`},
		{"[input]\nmax_bytes = 2_000_000", `3:13: max_bytes = "2_000_000" is too much: choose 1MiB or less`},
		{"[limits]\nmemory = \"32MiB\"\n" + goProgram, `4:3: memory = "32MiB" is too little for the worker of a Go function: choose 64MiB or more`},
		{"name = \"a/b\"", `2:8: name = "a/b": the target's name is also the name of a folder`},
		{"name = \"\"", `2:8: name is empty: give a value, or remove the key`},
		{"[environment]\nclock = \"now\"", `3:9: clock is a time with a zone, as in clock = 2024-01-01T00:00:00Z`},
		{"[environment]\nclock = 2024-01-01", `3:9: clock is a time with a zone`},
		{"[environment]\nclock = 1924-01-01T00:00:00Z", `3:9: clock = 1924-01-01T00:00:00Z: choose a time from 1970 on`},
		{"[environment]\ninherit = [\"A=B\"]\nset = { \"\" = \"x\", B = \"\\u0000\" }", "3:12: inherit: \"A=B\" is not the name of a variable\n4:9: set: \"\" is no name of a variable\n4:23: set.B has a NUL character"},

		// files
		{"[input]\nseeds = [\"seeds\", \"gone\"]\ndictionary = \"gone.dict\"", "3:19: seeds: gone: no such file or directory: paths are relative to " + dir + "\n4:14: dictionary: gone.dict: no such file"},
		{"[input]\ndictionary = \"bad.dict\"", `3:14: bad.dict: dictionary line 2: `},
		{"[input]\ngrammar = \"gone.ebnf\"", `3:11: grammar: gone.ebnf: no such file`},
		{"[input]\ngrammar = \"bad.dict\"", `3:11: bad.dict:1:`},
		{"[input]\ngenerator = \"./fix\"", `3:13: generator: ./fix names a package, not a function`},
		{"repair = \"./fix.Repair\"\n[input]\ngenerator = \"./fix.Gen\"", `4:13: there is a generator, and repair`},
		{"[input]\ndictionary = \"seeds\"", `3:14: dictionary: seeds is no regular file`},
		{"[compare]\naccepted = \"gone/a.toml\"", `3:12: accepted: there is no folder ` + dir + "/gone"},
		{goProgram + "dir = \"gone\"", `5:7: dir: gone: no such file or directory`},
		{goProgram + "dir = \"more\"", `5:7: dir: more is not a folder`},

		// comparison
		{"[compare]\nlayers = [\"verdict\", \"values\"]", `3:22: layers: unknown comparison layer "values": use verdict, value or class (did you mean "value"?)`},
		{"[compare]\nlayers = []", `3:10: layers is empty, so nothing would be compared`},
		{"[compare]\nnormalize = \"json\"", `3:13: normalize is a list, and here is text: write normalize = ["json", "space"]`},
		{"[compare]\nnormalize = [\"jsno\", \"xml\", 1]", "3:14: there is no normalizer \"jsno\" (did you mean \"json\"?)\n3:22: there is no normalizer \"xml\": known are case, json, json-float, lines, numbers, space, trim\n3:29: normalize: a whole number is no normalizer"},
		{"[compare]\nnormalize = [{ replace = '(' , with = '' }]", "3:26: replace: error parsing regexp: missing closing ): `(`"},
		{"[compare]\nnormalize = [{ replace = 'a' }]", `3:14: replace has no with: write { replace = '...', with = "" } to remove what matches`},
		{"[compare]\nnormalize = [{ replace = 'a', with = '', go = './x.F' }]", `3:42: unknown key "go" in a replacement in normalize`},
		{"[compare]\nnormalize = [{ }]", `3:14: a normalizer in normalize is empty: write replace and with, or go, or command`},
		{"[compare]\nnormalize = [{ repalce = 'a' }]", "3:14: a normalizer in normalize is empty: write replace and with, or go, or command\n3:16: unknown key \"repalce\" in normalize (did you mean \"replace\"?)"},
		{"[compare]\nnormalize = [{ go = './x.F', command = ['a'] }]", `3:14: normalize is either a Go function or a command`},
		{"[compare]\nnormalize = [{ go = './x.f' }]", `3:14: normalize: ./x.f: f is not exported`},
		{"[compare]\nnormalize = [{ command = ['a', '{input}'] }]", `3:26: command has no {input}: it reads what it normalizes or repairs on standard input`},
		{"repair = 1", `2:10: repair is a Go function or a command, and here is a whole number`},
		{"repair = \"fix\"", `2:10: repair: fix names a package, not a function`},
		{"repair = { command = [] }", `2:22: command is an empty list: name an executable and its arguments`},
		{"[[compare.class]]\nmatch = ['(', 1]", "2:11: [[compare.class]] has no name\n3:10: match: error parsing regexp\n3:15: match is a list of texts, and here is a whole number"},
		{"[[compare.class]]\nname = 'a'", `2:11: [[compare.class]] has nothing to match: write match = ["unexpected end", "EOF"]`},
		{"[[compare.class]]\nname = 'a'\nmatch = []\nprograms = []", "2:11: [[compare.class]] has nothing to match: write match = [\"unexpected end\", \"EOF\"]\n5:12: programs is empty: remove it for every program"},
		{"[[compare.class]]\nname = 'a'\nmatch = 'x'\nprograms = ['aa', 'b', 'b']", "5:13: there is no program \"aa\": the programs are a, b (did you mean \"a\"?)\n5:24: programs names \"b\" twice"},

		// control seeds
		{"[[control]]\nexpect = 'accepted'", `2:3: [[control]] has no input: name a file by input, or write text = "..."`},
		{"[[control]]\ninput = 'more'\ntext = ''\nexpect = 'accepted'", `2:3: [[control]] has input and text: keep the one that holds the input`},
		{"[[control]]\ntext = 'x'", `2:3: [[control]] has no expect: write expect = "accepted", "rejected" or "declined"`},
		{"[[control]]\ntext = 'x'\nexpect = 'acepted'", `4:10: expect = "acepted": choose accepted, rejected or declined (did you mean "accepted"?)`},
		{"[[control]]\ntext = 'x'\nexpect = 'rejected'\nvalue = '1'", `5:9: value belongs to expect = "accepted": an input that is rejected has none`},
		{"[[control]]\ninput = 'gone'\nexpect = 'accepted'", `3:9: input: gone: no such file or directory`},
		{"input.max_bytes = 2\n[[control]]\ntext = 'abc'\nexpect = 'accepted'", `3:3: [[control]] has an input of 3 bytes, and max_bytes in [input] is 2`},

		// programs
		{"[[program]]\nfunction = 'a.B'", `2:3: [[program]] has no kind: go, c, command, persistent, http, original, model or dynamic (for a function: kind = "go")`},
		{"[[program]]\nkind = 'comand'", `3:8: there is no kind "comand": choose go, c, command, persistent, http, original, model or dynamic (did you mean "command"?)`},
		{"[[program]]\nkind = 'c'", `2:3: a program of kind c has no binary: write one like binary = "./fuzz_parse", linked by parallax cc or parallax c++`},
		{"[[program]]\nkind = 'c'\nbinary = 'nowhere'", `4:10: binary: nowhere:`},
		{"[[program]]\nkind = 'c'\nbinary = 'seeds'", `4:10: binary: seeds is not a file`},
		{"[[program]]\nkind = 'c'\nbinary = 'x.dict'\nargs = ['{input}']", `5:8: args has no {input}: the input goes to LLVMFuzzerTestOneInput`},
		{"[[program]]\nkind = 'go'", `2:3: a program of kind go has no function`},
		{"[[program]]\nkind = 'go'\nfunction = 'encoding/json'", `4:12: function: encoding/json names a package, not a function: add the function, as in encoding/json.Func`},
		{"[[program]]\nkind = 'go'\nfunction = './h.Parse'\nversion = 'v1.0.0'", `4:12: function: ./h.Parse@v1.0.0: a local folder has no version`},
		{"[[program]]\nkind = 'go'\nfunction = 'a/b.C@v1.0.0'\nversion = 'v1.0.1'", `4:12: function has a version, and version is one: keep one of the two`},
		{goProgram + "go = '1.25'", `5:6: go = "1.25" is not a release: write one like go = "1.25.1" or "1.26rc1"`},
		{goProgram + "go = '1.20.3'", `5:6: go = "1.20.3": the oldest toolchain is 1.21.0`},
		{"[[program]]\nkind = 'command'", `2:3: a program of kind command has no command: write one like command = ["python3", "parse.py"]`},
		{"[[program]]\nkind = 'command'\ncommand = []", `4:11: command is an empty list: name an executable and its arguments`},
		{"[[program]]\nkind = 'command'\ncommand = ['']", `4:12: command is empty`},
		{"[[program]]\nkind = 'command'\ncommand = ['{input}']", `4:11: command: {input} differs from input to input, which what is started cannot`},
		{"[[program]]\nkind = 'command'\ncommand = ['cmp', '{input}', 'x={input.json}']", `4:11: command has {input} and {input.json}, and there is one such file: use one of them`},
		{"[[program]]\nkind = 'command'\ncommand = ['x', '--in={file}']", `4:11: command: "--in={file}" is passed as it is: the places are written {input}, {arg} and {output}`},
		{command + "value = 'output'", `5:9: value is the file that the command writes, and no argument says which: put {output}`},
		{"[[program]]\nkind = 'persistent'\ncommand = ['x', '{input}']", `4:11: command has no {input}: a driver gets its inputs on standard input`},
		{command + "value = 'sdtout'", `5:9: value = "sdtout": choose stdout, stderr, output or none (did you mean "stdout"?)`},
		{command + "exit = { accepted = [0, 1], rejected = [1, 256, '2'], decline = [] }", "5:41: exit: 1 is in accepted already\n5:44: exit.rejected has exit codes, 0 to 255, and here is 256\n5:49: exit.rejected has exit codes, 0 to 255, and here is \"2\"\n5:55: unknown key \"decline\" in exit (did you mean \"declined\"?)"},
		{command + "name = ' x'", `5:8: name = " x": remove the space around it`},
		{command + "name = 'x,y'", `5:8: name = "x,y": a name has no comma, because names are in lists`},
		{command + "name = 'x'\n" + command + "name = 'x'", `6:3: there are two programs "x", the first in line 2`},
		{command + command, `5:3: two programs would have the name "c", the other in line 2: give this one a name`},
		{"[[program]]\nkind = 'http'", `2:3: a program of kind http has no url`},
		{"[[program]]\nkind = 'http'\nurl = 'localhost:80'", `4:7: url = "localhost:80": it begins with http:// or https://`},
		{"[[program]]\nkind = 'http'\nurl = 'http://a b/'", `4:7: url: parse "http://a b/": invalid character " " in host name`},
		{"[[program]]\nkind = 'http'\nurl = 'http:///x'", `4:7: url = "http:///x" has no host`},
		{"[[program]]\nkind = 'http'\nurl = 'http://me:x@h/'", `4:7: url has a password in it: put what the service wants into headers`},
		{"[[program]]\nkind = 'http'\nurl = 'http://h/#x'", `4:7: url = "http://h/#x": what is behind # is never sent`},
		{"[[program]]\nkind = 'http'\nurl = 'http://{input}/'", `4:7: url has the input in the host's place`},
		{"[[program]]\nkind = 'http'\nurl = 'http://h:{port}/'", `4:7: url: {port} is the port of a service that parallax starts: add start, or write the port`},
		{service + "method = 'GET'", `5:10: a request of method GET has no body: put {input} into the url where the input belongs, or use POST`},
		{strings.Replace(service, "localhost/", "localhost:{port}/", 1) + "start = ['a']\nready = 'http://h/{input}'", `6:9: ready has no {input}: it is asked before there is an input`},
		{service + "method = 'PO ST'\nheaders = { 'a b' = 'x', x = \"a\\nb\", X = 'y', content-length = '1' }", "5:10: method = \"PO ST\" is no method: write one like POST, PUT or GET\n6:13: headers: \"a b\" is no name of a header\n6:30: headers: a value is one line\n6:47: headers: Content-Length follows from the input"},
		{service + "headers = { x = 'a', X = 'y' }", `5:22: headers has X twice`},
		{service + "value = ['status', 'bdy', 'status', 'header:']", "5:20: value = \"bdy\": choose status, body and header:Name, or none (did you mean \"body\"?)\n5:27: value has status twice\n5:37: value: \"\" is no name of a header"},
		{service + "accepted = []\nrejected = []", "6:12: accepted and rejected are empty, so that every answer would be a crash"},
		{service + "accepted = [200, '200', '6xx', 99]\nrejected = '200'", "5:18: accepted has 200 twice\n5:25: accepted has status codes like 200 and classes like \"2xx\", and here is \"6xx\"\n5:32: accepted has\n6:12: 200 is in accepted already"},
		{service + "rate = -1\nretries = 1000", "5:8: rate = -1: choose 0 to 1000000\n6:11: retries = 1000: choose 0 to 100"},
		{service + "start = ['x']", `5:9: start: several instances of the service run at the same time`},
		{strings.Replace(service, "localhost/", "localhost:{port}/", 1) + "start = ['x', '{input}']", `5:9: start has no {input}: the input goes to the service, with each request`},
	} {
		path := filepath.Join(dir, FileName)
		if err := os.WriteFile(path, []byte("version = 1\n"+c.text+two), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := Load(path)
		if exit.Code(err) != exit.UsageCode {
			t.Errorf("%s\nexit code %d: %v", c.text, exit.Code(err), err)
			continue
		}
		got, want := strings.Split(err.Error(), "\n"), strings.Split(c.want, "\n")
		for i := range max(len(got), len(want)) {
			if i >= len(got) || i >= len(want) || !strings.HasPrefix(got[i], path+":"+want[i]) {
				t.Errorf("%s\n\n got %s\nwant %s", c.text, strings.ReplaceAll(err.Error(), path+":", ""), c.want)
				break
			}
		}
	}
}

func TestWholeFile(t *testing.T) {
	many := "\nprogram = [\n"
	for i := range 50 {
		many += fmt.Sprintf("  { kind = 'command', command = ['c%d'] },\n", i)
	}
	many += "]\n"
	for _, c := range []struct{ text, want string }{
		{"", "1:1: version is missing: begin the file with version = 1\n1:1: there is no [[program]]: a comparison needs two programs or more"},
		{"version = 2\nwat = 1", "1:11: version = 2 needs a newer parallax: this one reads version 1"},
		{"version = \"1\"" + two, "1:11: version = 1: write version = 1"},
		{"version = 0" + two, "1:11: version = 0: write version = 1"},
		{"version = 1\n[[program]]\nkind = 'command'\ncommand = ['a']\n", "2:3: there is one [[program]]: a comparison needs two programs or more"},
		{"version = 1\nregress = {}\n", "2:11: [regress] has no build: write the command that builds a version, as in build = [\"make\", \"fuzz\"]\n2:11: [regress] has no binary"},
		{"version = 1\n[regress]\nbuild = 'make'\nbinary = '/x'\nseeds = 'a'\n", "3:9: build is a list, and here is text: write build = [\"make\"]\n4:10: binary = \"/x\" leads out of the version's tree\n5:1: unknown key \"seeds\" in [regress]: known are args, binary, build"},
		{"version = 1\n[regress]\nbuild = []\nbinary = '../x'\n", "3:9: build is an empty list: name an executable and its arguments\n4:10: binary = \"../x\" leads out"},
		{"version = 1\nregress = { build = ['m'], binary = 'x' }\nprogram = []\n", "3:11: there is no [[program]]"},
		{"version = 1\n[regress]\nbuild = ['m']\nbinary = 'x'\n[[control]]\ntext = 'a'\nexpect = 'accepted'\nprograms = ['nwe']\n", "8:13: there is no program \"nwe\": the programs are new, old"},
		{"version = 1\n[program]\nkind = 'go'\n", "2:2: [program] is one table, and there may be several: write [[program]]"},
		{"version = 1\nprogram = []\n", "2:11: there is no [[program]]"},
		{"version = 1\nversion = 1", "2:1: key version is already defined"},
		{"version = 1\n[a\n", "2:"},
		{"version = 1\nname = \"a", "2:"},
		{"\ufeffversion = 1\n[a]\n[a]\n", "3:"},
		{"\ufeffversion = x\n", "1:14: "},
		{"version = 1\r\nx = \"\xff\"\r\n", "2:6: "},
		{"version = 1\na.b = 1\n[a]\n", "3:"},
		{"version = 1" + many, "51:3: there are 50 programs: at most 48 in one target"},
	} {
		_, problems := parse([]byte(c.text), "/x/parallax.toml", onDisk{})
		got, want := strings.Split(problemText("", problems), "\n"), strings.Split(c.want, "\n")
		for i := range want {
			if i >= len(got) || !strings.HasPrefix(got[i], ":"+want[i]) {
				if !strings.Contains(problemText("", problems), c.want) {
					t.Errorf("%q\n got %s\nwant %s", c.text, problemText("", problems), c.want)
				}
				break
			}
		}
	}
}

func TestManyMistakes(t *testing.T) {
	text := "version = 1\n"
	for i := range 30 {
		text += fmt.Sprintf("wat%d = 1\n", i)
	}
	path := filepath.Join(t.TempDir(), FileName)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	_, err := Load(path)
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != maxProblems+1 || !strings.HasSuffix(lines[maxProblems], ": and 11 more") || !strings.HasPrefix(lines[1], path+":2:1: unknown key") {
		t.Errorf("%v", err)
	}
}

func TestNoFile(t *testing.T) {
	dir := t.TempDir()
	large := filepath.Join(dir, "large.toml")
	if err := os.WriteFile(large, make([]byte, maxFile+1), 0o666); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		filepath.Join(dir, FileName): "`parallax init parallax.toml` writes a first one",
		dir:                          "is no regular file",
		large:                        "is it another file?",
	} {
		if _, err := Load(path); exit.Code(err) != exit.UsageCode || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// everything is a disk on which every path is a file.
type everything struct{ info fs.FileInfo }

func (e everything) Stat(string) (fs.FileInfo, error) { return e.info, nil }
func (e everything) ReadFile(string) ([]byte, error)  { return []byte("\"a\"\n"), nil }
func (nothing) Stat(path string) (fs.FileInfo, error) {
	return nil, &fs.PathError{Op: "stat", Path: path, Err: fs.ErrNotExist}
}
func (nothing) ReadFile(path string) ([]byte, error) { return nil, fs.ErrNotExist }

type nothing struct{}

// FuzzLoad checks that any content is a usable configuration, or has mistakes at places inside it.
func FuzzLoad(f *testing.F) {
	f.Add([]byte(full))
	f.Add([]byte("version = 1" + two))
	f.Add([]byte("\ufeffversion = 1\r\nprogram = [{ kind = 'command', command = ['a'] }, { kind.x = 1 }]\ncompare.class = [{}]"))
	f.Add([]byte("version = 2\n"))
	f.Add([]byte(versions))
	info, err := os.Stat("config.go")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		lines := strings.Split(string(data), "\n")
		for _, d := range []tomldoc.Disk{everything{info}, nothing{}} {
			c, problems := parse(data, "/x/parallax.toml", d)
			for _, p := range problems {
				if p.At.Line < 1 || p.At.Line > len(lines) || p.At.Column < 1 || p.At.Column > len(lines[p.At.Line-1])+1 {
					t.Errorf("%v is not in the file: %s", p.At, p.Text)
				}
				if strings.ContainsAny(p.Text, "\n\r") || p.Text == "" {
					t.Errorf("message %q", p.Text)
				}
			}
			if (c == nil) != (len(problems) > 0) {
				t.Fatalf("%v, and %d problems", c, len(problems))
			}
			if c == nil {
				continue
			}
			names := map[string]bool{}
			for i := range c.Programs {
				p := &c.Programs[i]
				if p.Name == "" || names[p.Name] || kinds.Table.Find(p.Kind) == nil || p.Limits.Timeout < limits.MinTimeout || !filepath.IsAbs(p.Dir) {
					t.Errorf("program %+v", p)
				}
				if p.Settings == nil || p.Settings.Runs() == "" {
					t.Errorf("nothing to run: %+v", p)
				}
				names[p.Name] = true
			}
			if len(c.Programs) < minPrograms && (len(c.Programs) > 0 || c.Regress == nil) || c.Compare.Layers == 0 || !fitName(c.Name) {
				t.Errorf("%+v", c)
			}
		}
	})
}
