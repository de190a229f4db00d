package mining

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestScriptLiterals(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"strings", `const a = 'one', b = "t\x41\u00e9\n\u{41}", c = ` + "`three`", `["one" "tAé\nA" "three"]`},
		{"comments", "// 'no'\n/* 'no' */ x('yes') // 'no'", `["yes"]`},
		{"modules", `import a from 'a'; const b = require("b"), c = f('c')`, `["c"]`},
		{"prose", `throw new Error('this is a long sentence'), f('two words'), f('    ')`, `["two words" "    "]`},
		{"expressions", `if (/^(https?|ftp):\/\/[@#]+/.test(x) || a / b / c) return /&(tab|colon);/gi`, `["http" "s" "ftp" "://" "@" "#" "&" "tab" "colon" ";"]`},
		{"classes", `x.replace(/[^\x00-\x1f\s"]{2,}a*b/, '')`, `["\x00" "\x1f" "\"" "a" "b"]`},
		{"division", `a = b / 2; c = "x" / d / e; (f) / g / h`, `["x"]`},
		{"bytes", `c === 0x5B || c > 58 || n > 1024 || x1 || 3`, `["[" "91" ":" "58" "1024"]`},
		{"quotes in an expression", `s.split(/['"]/); f('after')`, `["'" "\"" "after"]`},
		{"unclosed", "f('open\n); g('next')", `["open" "next"]`},
	}
	for _, test := range tests {
		if got := fmt.Sprintf("%q", scriptLiterals(test.src, false)); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
	python := []struct{ name, src, want string }{
		{"strings", "a = 'one' + b\"two\\x41\"  # 'no'\nb = '''three'''", `["one" "twoA" "three"]`},
		{"documentation", "\"\"\"of the module\"\"\"\ndef f():\n    '''of f'''\n    return 'x'", `["x"]`},
		{"expressions", `re.compile(r"^xn--[a-z]+\.(com|org)$")`, `["xn--" "a" "z" "." "com" "org"]`},
		{"division", "a = b // 2; c = d / 'e'", `["e"]`},
	}
	for _, test := range python {
		if got := fmt.Sprintf("%q", scriptLiterals(test.src, true)); got != test.want {
			t.Errorf("python, %s: %s, want %s", test.name, got, test.want)
		}
	}
}

// write writes files of a folder, by their paths.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestScripts checks that scripts are found by the command, with their imports and without code
// that is not under test.
func TestScripts(t *testing.T) {
	dir := write(t, map[string]string{
		"mine.py": "import other, json\nfrom pkg.sub import x", "other.py": "",
		"old/pkg/__init__.py": "raise Error", "old/pkg/sub.py": "from . import near, name\nfrom .deep.down import (\n    y)\nimport pkg.far", "old/pkg/near.py": "", "old/pkg/far.py": "",
		"old/pkg/deep/down.py": "", "old/pkg/unused.py": "",
		"driver/parallax_driver.py": "", "driver/driver.mjs": "",
		"mine.mjs": "import b from 'dep'\nimport a from './near.mjs'", "near.mjs": "", "unused.mjs": "",
		"node_modules/dep/package.json": "{}", "node_modules/dep/index.js": "require('./lib/in')", "node_modules/dep/lib/in.js": "require('@s/only')",
		"node_modules/@s/only/package.json": `{"main": "no", "exports": {".": {"require": "./dist/index.js"}}}`, "node_modules/@s/only/dist/index.js": "",
	})
	tests := []struct{ command, env, want string }{
		{"python3 driver/parallax_driver.py ./mine.py:parse --text", "PYTHONPATH=old", "mine.py other.py old/pkg/sub.py old/pkg/near.py old/pkg/deep/down.py old/pkg/far.py"},
		{"python3 driver/parallax_driver.py pkg.sub:parse", "PYTHONPATH=old", "old/pkg/sub.py old/pkg/near.py old/pkg/deep/down.py old/pkg/far.py"},
		{"python3 mine.py", "", "mine.py other.py"},
		{"node driver/driver.mjs ./mine.mjs parse", "", "mine.mjs near.mjs node_modules/dep/index.js node_modules/dep/lib/in.js node_modules/@s/only/dist/index.js"},
		{"node driver/driver.mjs dep/lib/in parse", "", "node_modules/dep/lib/in.js node_modules/@s/only/dist/index.js"},
		{"node driver/driver.mjs @s/only", "", "node_modules/@s/only/dist/index.js"},
		{"node driver/driver.mjs JSON parse", "", ""},
		{"cat mine.txt", "", ""},
	}
	for _, test := range tests {
		var got []string
		for _, path := range Scripts(strings.Fields(test.command), dir, strings.Fields(test.env)) {
			rel, err := filepath.Rel(dir, path)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, rel)
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: %v, want %s", test.command, got, test.want)
		}
	}
}

// TestScriptWords checks that words of only some programs come first, each program's in turn.
func TestScriptWords(t *testing.T) {
	dir := write(t, map[string]string{"old.js": "f('both', 'older')", "new.js": "f('both', 'newer', '__proto__', 'both')", "not.js": "\xff'"})
	path := func(name string) []string {
		return []string{filepath.Join(dir, name), filepath.Join(dir, "missing.js")}
	}
	if got := fmt.Sprintf("%q", ScriptWords([][]string{path("old.js"), path("new.js")})); got != `["older" "newer" "__proto__" "both"]` {
		t.Errorf("words %s", got)
	}
	if got := fmt.Sprintf("%q", ScriptWords([][]string{path("old.js")})); got != `["both" "older"]` {
		t.Errorf("words of one program %s", got)
	}
	if ScriptWords(nil) != nil {
		t.Error("words of nothing")
	}
}

func FuzzScriptLiterals(f *testing.F) {
	for _, src := range []string{`a = /[/]\//; "\u{110000}"`, "'''", `r"(?P<n>[^]])`, "0x", "`${", `"\`} {
		f.Add(src, true)
		f.Add(src, false)
	}
	f.Fuzz(func(t *testing.T, src string, python bool) {
		for _, w := range scriptLiterals(src, python) {
			if len(w) == 0 || len(w) > maxScriptWord {
				t.Fatalf("%q", w)
			}
		}
	})
}
