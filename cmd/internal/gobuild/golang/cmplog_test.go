package golang

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var recording = Options{CmpLog: true}

// logUnrecorded makes builds of m record the packages that are compiled unchanged, except those in
// the build cache.
func (m *module) logUnrecorded() (noted func() string) {
	name := filepath.Join(m.dir, "unrecorded")
	m.env = append(m.env, "PLX_TEST_UNRECORDED="+name)
	return func() string {
		text, _ := os.ReadFile(name)
		_ = os.Remove(name)
		return string(text)
	}
}

// operandCorpus returns a module of a corpus in testdata/operands, which prints a trace of its
// evaluation.
func operandCorpus(t *testing.T, corpus, lang string) *module {
	text, err := os.ReadFile(filepath.Join("testdata", "operands", corpus))
	if err != nil {
		t.Fatal(err)
	}
	return newModule(t, "go.mod", "module x\ngo "+lang+"\n", "p/p.go", string(text),
		"main.go", "package main\n\nimport (\n\t\"fmt\"\n\n\t\"x/p\"\n)\n\nfunc main() { fmt.Println(p.Run()) }\n")
}

// TestCmpLogBehave checks that recording changes nothing that a program does, at several versions
// of the language and with the race detector.
func TestCmpLogBehave(t *testing.T) {
	for _, test := range []struct {
		corpus, lang string
		args         []string
	}{
		{"nasty.go", "1.12", nil},
		{"nasty.go", "1.26", nil},
		{"nasty.go", "1.26", []string{"-race"}},
		{"nasty.go", "1.26", []string{"-gcflags=-N -l"}},
		{"generic.go", "1.26", nil},
		{"generic.go", "1.26", []string{"-race"}},
	} {
		t.Run(fmt.Sprint(test.corpus, test.lang, test.args), func(t *testing.T) {
			if testing.Short() && test.args != nil {
				t.Skip("slow to build: not for -short")
			}
			m := operandCorpus(t, test.corpus, test.lang)
			m.env = append(m.env, "CGO_ENABLED=1")
			unrecorded := m.logUnrecorded()
			want := m.run(m.build(recording, nil, test.args...))
			if got := m.run(m.build(recording, []string{"x/p"}, test.args...)); got != want {
				t.Errorf("prints\n%swant\n%s", got, want)
			}
			if s := unrecorded(); s != "" {
				t.Errorf("not recorded: %s", s)
			}
		})
	}
}

// TestCmpLogToolchains builds with earlier releases of Go than this one, whose export data this one
// has to read.
func TestCmpLogToolchains(t *testing.T) {
	if testing.Short() {
		t.Skip("downloads toolchains: not for -short")
	}
	for _, release := range []string{"go1.24.13", "go1.25.14"} {
		t.Run(release, func(t *testing.T) {
			for _, corpus := range []string{"nasty.go", "generic.go"} {
				m := operandCorpus(t, corpus, "1.24")
				m.env = []string{"GOFLAGS=", "GOWORK=off", "GOTOOLCHAIN=" + release}
				if out, err := m.command("go", "version").CombinedOutput(); err != nil {
					t.Skipf("no toolchain %s: %s", release, out)
				}
				unrecorded := m.logUnrecorded()
				want := m.run(m.build(recording, nil))
				if got := m.run(m.build(recording, []string{"x/p", "strings"})); got != want {
					t.Errorf("%s prints\n%swant\n%s", corpus, got, want)
				}
				if s := unrecorded(); s != "" {
					t.Errorf("not recorded: %s", s)
				}
			}
		})
	}
}

// TestCmpLogText checks source that gofmt would not write.
func TestCmpLogText(t *testing.T) {
	const text = "\ufeff//go:build go1.5\n\npackage p;import(\"strings\");func Run()(r int){a,b:=1,-1;p:=&b;m:=map[string]int{\"a\":-1};" +
		"if a==-b&&*p== -1&&a>-1{r=1};if -1<a&&a/ *p== -1{r+=2};if(a==1)==(b==-1){r+=4}\n" +
		"if strings.HasPrefix(`x\r\ny`,`x\r\n`)==(`x\r\ny`==`x\r\n`+\"y\"){r+=8}\r\n" +
		"if m[`a\r`]==0&&m[\"a\"]==b{r+=16};switch`s\r`+\"\"{};switch x:=m[\"a\"];x{case-1:r+=32;case+1:}\n" +
		"//line other.go:7\nif a/*line z.go:9:9*/==/*x*/ +1 /*y*/{r+=64} // end\n" +
		"switch s:=`a\r`;s{case`b\r`:;case`a\r`:r+=128};return}"
	m := newModule(t, "go.mod", "module x\ngo 1.26\n", "p/p.go", text,
		"main.go", "package main\n\nimport (\n\t\"fmt\"\n\n\t\"x/p\"\n)\n\nfunc main() { fmt.Println(p.Run()) }\n")
	unrecorded := m.logUnrecorded()
	want := m.run(m.build(recording, nil))
	got, missing := m.run(m.build(recording, []string{"x/p"})), unrecorded()
	if got != want || missing != "" {
		t.Errorf("prints %swant %s%s", got, want, missing)
	}
}

// TestCmpLogUnrecorded builds packages that cannot be recorded.
func TestCmpLogUnrecorded(t *testing.T) {
	m := newModule(t, "go.mod", "module x\ngo 1.26\n",
		"clash/p.go", "package clash\n\nvar plxOp = 1\n\nfunc F(n int) bool { return n == plxOp }\n",
		"hides/p.go", "package hides\n\nfunc len(s string) int { return 0 }\n\nfunc F(n int) bool { return n == len(\"\") }\n",
		"types/p.go", "package types\n\ntype uint8 = int\n\nfunc F(n int) bool { return n == 1 }\n",
		"fine/p.go", "package fine\n\ntype any = int\n\nvar cap, copy, append, error, nil = 1, 2, 3, 4, 5\n\nfunc F(n int) bool { return n == copy }\n",
		"none/p.go", "package none\n\nfunc F(n int) bool { return false }\n",
		"main.go", "package main\n\nimport (\n\t\"x/clash\"\n\t\"x/fine\"\n\t\"x/hides\"\n\t\"x/none\"\n\t\"x/types\"\n)\n\n"+
			"func main() { print(clash.F(1), hides.F(1), types.F(1), fine.F(1), none.F(1)) }\n")
	unrecorded := m.logUnrecorded()
	m.build(recording, []string{"x/...", "internal/bytealg"})
	got := strings.Split(strings.TrimSpace(unrecorded()), "\n")
	slices.Sort(got)
	want := []string{"x/clash: " + filepath.Join(m.dir, "clash/p.go") + ":3:5: the name plxOp", "x/hides: the package declares len",
		"x/types: the package declares uint8"}
	got = slices.DeleteFunc(got, func(s string) bool { return strings.HasPrefix(s, "internal/bytealg: ") })
	if !slices.Equal(got, want) {
		t.Errorf("not recorded:\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}

	// A package that does not compile fails as usual, once.
	m.write("none/p.go", "package none\n\nfunc F(n int) bool { return n == \"\" }\n")
	out, err := m.goBuild(recording, []string{"x/..."})
	if err == nil || strings.Count(out, "none/p.go:3:") != 1 {
		t.Errorf("%v: %s", err, out)
	}
	if _, err := m.goBuild(recording, []string{"runtime"}); err == nil {
		t.Error("the runtime is rewritten")
	}
}

// TestCmpLogExportData runs the wrapper with export data that cannot be read: the compiler decides.
func TestCmpLogExportData(t *testing.T) {
	dir, args := fakeCompiler(t, Flag(recording), "true\n")
	config := filepath.Join(dir, "importcfg")
	for _, text := range []string{"packagefile strings=" + config + "\n", "packagefile strings=/none\n", "", "nonsense\nimportmap strings\n"} {
		if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		source := "package a\n\nimport \"strings\"\n\nfunc F(s string) bool { return strings.Contains(s, \"x\") == (s == \"y\") }\n"
		if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte(source), 0o600); err != nil {
			t.Fatal(err)
		}
		with := slices.Insert(slices.Clone(args), 2, "-importcfg", config)
		if out, err := exec.Command(self(t), with...).CombinedOutput(); err != nil {
			t.Errorf("%q: %v\n%s", text, err, out)
		}
		if got, err := os.ReadFile(filepath.Join(dir, "args")); err != nil || !bytes.HasSuffix(got, []byte(dir+"/a.go\n")) {
			t.Errorf("%q: the compiler got %s (%v)", text, got, err)
		}
	}
}

// TestCmpLogRejected checks that a package is compiled unchanged if the compiler rejects the
// insertions.
func TestCmpLogRejected(t *testing.T) {
	dir, args := fakeCompiler(t, Flag(recording), "case \"$*\" in *plx*) echo no; exit 2; esac; echo yes\n")
	source := "package a\n\nfunc F(n int) bool { return n == 1 }\n"
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(self(t), args...).CombinedOutput(); err != nil || string(out) != "yes\n" {
		t.Errorf("%v: %s", err, out)
	}
}

// TestCmpLogJSON finds a key that occurs only in a struct tag.
func TestCmpLogJSON(t *testing.T) {
	m := newModule(t, "go.mod", "module x\ngo 1.26\n", "p/p.go", "package p\n",
		"main.go", strings.ReplaceAll(opsReader, "x/p.", "encoding/json.")+`
func main() {
	_ = p.P
	var v struct {
		A int `+"`json:\"IMATAG\"`"+`
		B int
	}
	r := run(func() interface{} { return json.Unmarshal([]byte("{\"key\": 1}"), &v) })
	_ = json.NewEncoder(os.Stdout).Encode(r)
}
`)
	m.write("p/p.go", "package p\n\nvar P int\n")
	var r recorded
	out := m.run(m.build(recording, []string{"encoding/json"}, "-ldflags=-checklinkname=0"))
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, op := range r.Ops {
		got = append(got, op.String())
	}
	for _, want := range []string{`Lookup.0  "key" "IMATAG"`, `Lookup.0  "key" "B"`} {
		if !slices.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, strings.Join(got, "\n"))
		}
	}
}

// TestCmpLogBare records a package that the runtime calls from threads that must not allocate:
// integers only.
func TestCmpLogBare(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the standard library")
	}
	m := newModule(t, "go.mod", "module x\ngo 1.26\n", "p/p.go", "package p\n\nvar P int\n",
		"main.go", strings.Replace(strings.ReplaceAll(opsReader, "x/p.", "internal/strconv."), "\"os\"\n", "\"os\"\n\t\"strconv\"\n", 1)+`
func main() {
	_ = p.P
	r := run(func() interface{} { f, _ := strconv.ParseFloat("1x", 64); n, _ := strconv.Atoi("2"); return f + float64(n) })
	_ = json.NewEncoder(os.Stdout).Encode(r)
}
`)
	var r recorded
	out := m.run(m.build(recording, []string{"internal/strconv"}, "-ldflags=-checklinkname=0"))
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	for _, op := range r.Ops {
		if op.Width == 0 {
			t.Errorf("recorded %v", op)
		}
	}
	if len(r.Ops) == 0 {
		t.Error("nothing is recorded")
	}
}

// TestCmpLogVolume compiles many packages. All with a comparison must be recorded.
func TestCmpLogVolume(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles many packages: not for -short")
	}
	root, err := filepath.Abs("../../..") // the tool's own module and its dependencies
	if err != nil {
		t.Fatal(err)
	}
	m := &module{t: t, dir: root}
	pkgs := strings.Fields(`encoding/json encoding/xml go/parser html/template math/big net/netip regexp/syntax strconv text/template/parse
		github.com/pelletier/go-toml/v2 github.com/rogpeppe/go-internal/testscript github.com/spf13/cobra github.com/spf13/pflag`)
	args := []string{"list", "-export", "-toolexec", "'" + self(t) + "' toolexec", "-f", "{{.ImportPath}} {{.Export}}"}
	for _, p := range pkgs {
		args = append(args, "-gcflags="+p+"="+Flag(recording))
	}
	cmd := m.command("go", append(args, pkgs...)...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &errs)
	}
	count := 0
	for line := range strings.Lines(string(out)) {
		pkg, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		count++
		if !bytes.Contains(text, []byte("plxOpSeen")) {
			t.Errorf("%s is not recorded", pkg)
		}
	}
	if count != len(pkgs) {
		t.Errorf("only %d packages:\n%s", count, out)
	}
}
