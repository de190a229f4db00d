package callgraph

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/flow"
	"parallax/cmd/internal/gobuild/gocommand/moduletest"
)

// hook is a package whose function T writes the stack at the beginning of a function. For each
// function it writes the file, the first line, the current line and the name.
const hook = `package plxhook

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
)

var (
	mu   sync.Mutex
	seen = map[[8]uintptr]bool{}
)

func T() {
	mu.Lock()
	defer mu.Unlock()
	var key [8]uintptr
	runtime.Callers(2, key[:])
	if seen[key] {
		return
	}
	seen[key] = true
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	var b strings.Builder
	for {
		f, more := frames.Next()
		file, line := "?", 0
		if f.Func != nil {
			file, line = f.Func.FileLine(f.Entry)
		}
		fmt.Fprintf(&b, "%s:%d:%d:%s|", file, line, f.Line, f.Function)
		if !more {
			break
		}
	}
	out, err := os.OpenFile(os.Getenv("PLX_TRUTH"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		panic(err)
	}
	fmt.Fprintln(out, b.String())
	out.Close()
}
`

// hooked copies a module and adds calls of the hook to all functions outside of tests, on their
// first lines.
func hooked(t *testing.T, from, path string) string {
	dir := moduletest.Dir(t)
	err := filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(from, name)
		if strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") && !strings.HasPrefix(rel, "cmd") {
			text = hookFile(t, name, text, path)
		}
		to := filepath.Join(dir, rel)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		return os.WriteFile(to, text, 0o666)
	})
	if err == nil {
		err = os.MkdirAll(filepath.Join(dir, "plxhook"), 0o755)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "plxhook", "hook.go"), []byte(hook), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func hookFile(t *testing.T, name string, text []byte, path string) []byte {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	var at []int
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Body != nil {
				at = append(at, fset.Position(n.Body.Lbrace).Offset+1)
			}
		case *ast.FuncLit:
			at = append(at, fset.Position(n.Body.Lbrace).Offset+1)
		}
		return true
	})
	slices.Sort(at)
	end := fset.Position(file.Name.End()).Offset
	var out bytes.Buffer
	fmt.Fprintf(&out, "%s; import plxhook %q", text[:end], path+"/plxhook")
	last := end
	for _, o := range at {
		out.Write(text[last:o])
		out.WriteString("plxhook.T();")
		last = o
	}
	out.Write(text[last:])
	out.WriteString("\nvar _ = plxhook.T\n")
	return out.Bytes()
}

// frame is a function with a table.
type frame struct {
	table *flow.Table
	fn    int
	line  int
}

// functionsByLine indexes the functions of tables by file and line.
func functionsByLine(tables []*flow.Table) map[string][]frame {
	all := map[string][]frame{}
	for _, tab := range tables {
		for i, f := range tab.Funcs {
			if tab.Starts[i].File != "" {
				key := fmt.Sprintf("%s:%d", f.File, f.Line)
				all[key] = append(all[key], frame{table: tab, fn: i})
			}
		}
	}
	return all
}

var rangeBody = regexp.MustCompile(`-range\d+`)

// observed compares the stacks of a run with the tables.
type observed struct {
	executed, missed map[string]bool // pairs of functions
	// pairs through package reflect, if no block of the caller is Indirect
	byReflection map[string]bool
	// pairs by line, and those where a block has a call in that line
	lines, onLine int
}

// compare reads the stacks.
func compare(t *testing.T, record, from, to string, tables []*flow.Table) observed {
	data, err := os.ReadFile(record)
	if err != nil {
		t.Fatal(err)
	}
	byLine := functionsByLine(tables)
	r := observed{map[string]bool{}, map[string]bool{}, map[string]bool{}, 0, 0}
	lines := map[string]bool{}
	for _, stack := range strings.Split(string(data), "\n") {
		callee, caller, gap := (*frame)(nil), (*frame)(nil), ""
		for _, text := range strings.Split(stack, "|") {
			parts := strings.SplitN(text, ":", 4)
			if len(parts) < 4 {
				continue
			}
			name := rangeBody.ReplaceAllString(parts[3], "")
			fs := byLine[strings.Replace(parts[0], from, to, 1)+":"+parts[1]]
			var f *frame
			for i := range fs {
				if len(fs) == 1 || strings.HasSuffix(name, "."+fs[i].table.Funcs[fs[i].fn].Name) {
					c := fs[i]
					f = &c
				}
			}
			if f == nil {
				for _, tab := range tables {
					for i, fn := range tab.Funcs {
						if tab.Package+"."+fn.Name == name {
							f = &frame{table: tab, fn: i}
						}
					}
				}
			}
			if f == nil {
				gap += " " + parts[3]
				continue
			}
			fmt.Sscan(parts[2], &f.line)
			if callee == nil {
				if gap != "" {
					break // code without a table is on top
				}
				callee = f
				continue
			}
			caller = f
			break
		}
		if callee == nil || caller == nil || strings.Contains(gap, "runtime.gopanic") || strings.Contains(gap, "runtime.Goexit") {
			continue
		}
		from, to := caller.table.Funcs[caller.fn], callee.table.Funcs[callee.fn]
		pair := caller.table.Package + "." + from.Name + " -> " + callee.table.Package + "." + to.Name
		r.executed[pair] = true
		found, indirect := false, false
		for _, b := range caller.table.Blocks[from.First : from.First+from.Count] {
			found = found || slices.Contains(b.Calls, callee.table.Package+"."+to.Name)
			indirect = indirect || b.Indirect
		}
		if !found {
			if strings.Contains(gap, " reflect.") {
				if !indirect {
					r.byReflection[pair+" by"+gap] = true
				}
			} else {
				r.missed[pair+" by"+gap] = true
			}
		}
		if key := fmt.Sprint(pair, caller.line); !lines[key] {
			lines[key] = true
			r.lines++
			if callsOn(caller, callee.table.Package+"."+to.Name) {
				r.onLine++
			}
		}
	}
	return r
}

// callsOn reports whether a block with a call in the caller's line has a callee.
func callsOn(caller *frame, name string) bool {
	for _, s := range caller.table.Sites {
		if s.Line != caller.line {
			continue
		}
		for _, b := range s.Blocks {
			if caller.table.Blocks[b].Func == caller.fn && slices.Contains(caller.table.Blocks[b].Calls, name) {
				return true
			}
		}
	}
	return false
}

// edges counts the calls between functions in the blocks of tables.
func edges(tables []*flow.Table) int {
	all := map[string]bool{}
	for _, tab := range tables {
		for _, b := range tab.Blocks {
			for _, c := range b.Calls {
				all[tab.Package+"."+tab.Funcs[b.Func].Name+" "+c] = true
			}
		}
	}
	return len(all)
}

func copyTree(t *testing.T, from, to string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}

// std copies packages of the standard library into a module, under the same path below m.
func (m *module) std(paths ...string) {
	m.t.Helper()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		m.t.Fatal(err)
	}
	src := filepath.Join(strings.TrimSpace(string(root)), "src")
	for _, path := range paths {
		entries, err := os.ReadDir(filepath.Join(src, path))
		if err != nil {
			m.t.Fatal(err)
		}
		for _, e := range entries {
			if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
				continue
			}
			text, err := os.ReadFile(filepath.Join(src, path, e.Name()))
			if err != nil {
				m.t.Fatal(err)
			}
			for _, other := range paths {
				text = bytes.ReplaceAll(text, []byte(`"`+other+`"`), []byte(`"m/`+other+`"`))
			}
			m.write(path+"/"+e.Name(), string(text))
		}
	}
}

// TestObservedCalls runs programs and checks that the graph has each call between functions with
// tables that stacks show.
func TestObservedCalls(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs programs")
	}
	tests := []struct {
		name, path string
		packages   []string
		make       func(t *testing.T) *module
	}{
		{"json", "m", []string{"m/encoding/json", "m"}, func(t *testing.T) *module {
			m := newModule(t, jsonDriver)
			m.std("encoding/json")
			return m
		}},
		{"template", "m", []string{"m/text/template", "m/text/template/parse", "m/internal/fmtsort", "m"}, func(t *testing.T) *module {
			m := newModule(t, templateDriver)
			m.std("text/template", "text/template/parse", "internal/fmtsort")
			return m
		}},
		{"toml", "github.com/BurntSushi/toml", []string{"github.com/BurntSushi/toml", "github.com/BurntSushi/toml/internal"}, func(t *testing.T) *module {
			return downloaded(t, "github.com/BurntSushi/toml@v1.6.0")
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m := test.make(t)
			g := m.load("./...")
			for _, n := range g.Notes {
				t.Log(n)
			}
			var tables []*flow.Table
			for _, path := range test.packages {
				tables = append(tables, m.table(path, false))
			}
			for _, n := range g.Fill(tables) {
				t.Error(n)
			}
			dir := hooked(t, m.dir, test.path)
			record := filepath.Join(t.TempDir(), "stacks")
			// Functions with tables are not inlined. Inlined functions are on the stack by name
			// too.
			args := append([]string{"test", "-vet=off", "-count=1", "-gcflags=" + test.path + "/...=-l"}, test.packages...)
			cmd := exec.Command("go", args...)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "PLX_TRUTH="+record)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Logf("%v\n%s", err, out) // tests of the module itself may fail with the hook
			}
			r := compare(t, record, dir, m.dir, tables)
			for pair := range r.missed {
				t.Errorf("executed, but not in the graph: %s", pair)
			}
			for pair := range r.byReflection {
				t.Errorf("executed by reflection, but nothing says that the caller may: %s", pair)
			}
			if len(r.executed) < 50 {
				t.Errorf("only %d pairs of functions were executed", len(r.executed))
			}
			all := edges(tables)
			t.Logf("%d pairs of functions executed, %d in the graph; %d by line, of which %d are in blocks with a call there", len(r.executed), all, r.lines, r.onLine)
		})
	}
}

// downloaded copies a module from the module cache.
func downloaded(t *testing.T, name string) *module {
	t.Helper()
	out, err := exec.Command("go", "mod", "download", "-json", name).Output()
	if err != nil {
		t.Skipf("%s is not in the module cache and cannot be fetched: %v", name, err)
	}
	var found struct{ Dir string }
	if err := json.Unmarshal(out, &found); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOWORK", "off")
	m := &module{t, filepath.Join(moduletest.Dir(t), "copy")}
	copyTree(t, found.Dir, m.dir)
	filepath.WalkDir(m.dir, func(name string, d fs.DirEntry, err error) error { return os.Chmod(name, 0o755) })
	return m
}

const jsonDriver = `-- d_test.go --
package m

import "testing"

func TestAll(t *testing.T) { All() }
-- d.go --
package m

import (
	"bytes"
	"fmt"
	"m/encoding/json"
	"strings"
	"time"
)

type custom int

func (c custom) MarshalJSON() ([]byte, error)  { return []byte(fmt.Sprint(int(c))), nil }
func (c *custom) UnmarshalJSON(b []byte) error { _, err := fmt.Sscan(string(b), (*int)(c)); return err }

type text string

func (t text) MarshalText() ([]byte, error)      { return []byte("t" + t), nil }
func (t *text) UnmarshalText(b []byte) error     { *t = text(strings.TrimPrefix(string(b), "t")); return nil }

type inner struct {
	A int ` + "`json:\"a,omitempty\"`" + `
	B []byte
	C map[text]custom
	D *inner
	E any
	F [2]float64
	G text
	H time.Time
}

type failing struct{}

func (failing) Write(p []byte) (int, error) { return 0, fmt.Errorf("full") }

type outer struct {
	inner
	X string ` + "`json:\",string\"`" + `
	Y map[string]any
	Z map[int]*custom
}

func All() {
	c := custom(3)
	v := outer{inner: inner{A: 1, B: []byte("x"), C: map[text]custom{"k": 1}, D: &inner{A: 2}, E: []any{1, "x", nil, true, 2.5}, G: "g"}, X: "x", Y: map[string]any{"a": 1}, Z: map[int]*custom{1: &c}}
	for _, doc := range []string{"", "{", "[1,2", "nul", "{\"a\":1}", "{\"a\":\"x\"}", "[\"\\ud800\",1e400,-]", "{\"a\":{\"b\":[true,false,null]}}", "\"\\u12\"", "{\"Y\":{\"q\":[1]},\"Z\":{\"1\":2},\"X\":\"\\\"s\\\"\"}", "{\"C\":{\"tk\":4},\"B\":\"eA==\",\"F\":[1,2,3]}"} {
		var o outer
		var a any
		json.Unmarshal([]byte(doc), &o)
		json.Unmarshal([]byte(doc), &a)
		json.Valid([]byte(doc))
		var b bytes.Buffer
		json.Indent(&b, []byte(doc), "", " ")
		json.Compact(&b, []byte(doc))
		json.HTMLEscape(&b, []byte(doc))
		d := json.NewDecoder(strings.NewReader(doc))
		d.UseNumber()
		d.DisallowUnknownFields()
		d.Decode(&o)
		d = json.NewDecoder(strings.NewReader(doc))
		for d.More() {
			if _, err := d.Token(); err != nil {
				fmt.Sprint(err)
				break
			}
		}
	}
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	var again outer
	if err := json.Unmarshal(data, &again); err != nil {
		panic(err)
	}
	json.MarshalIndent(&v, "", " ")
	json.Marshal(make(chan int))
	json.NewEncoder(failing{}).Encode(v)
	json.Unmarshal(data, v)
	fmt.Sprint(json.Number("1").Int64())
}
`

const templateDriver = `-- d_test.go --
package m

import "testing"

func TestAll(t *testing.T) { All() }
-- d.go --
package m

import (
	"errors"
	"fmt"
	"io"
	"m/text/template"
	"strings"
)

type user struct {
	Name string
	Tags []string
	M    map[string]int
}

func (u user) Greet(s string) string          { return "hi " + s + u.Name }
func (u *user) Fail() (string, error)         { return "", errors.New("no") }
func (u user) String() string                 { return "user" }

func each(yield func(int) bool) {
	for i := 0; i < 3 && yield(i); i++ {
	}
}

func All() {
	funcs := template.FuncMap{"upper": strings.ToUpper, "own": func(s string) string { return own(s) }, "each": func() func(func(int) bool) { return each }}
	for _, text := range []string{"x", "{{", "{{.Name}}", "{{range .Tags}}{{.}}{{else}}none{{end}}", "{{range $i, $e := .M}}{{$i}}{{$e}}{{end}}", "{{with $x := .Name}}{{$x | upper | printf \"%q\"}}{{end}}",
		"{{if and .Name (gt (len .Tags) 1)}}a{{else if eq .Name \"x\"}}b{{end}}", "{{.Greet \"you\"}}", "{{.Fail}}", "{{define \"T\"}}{{.}}{{end}}{{template \"T\" .Name}}", "{{own .Name}}", "{{.Missing}}", "{{index .Tags 0}}{{slice .Name 1}}",
		"{{html .}}{{js .}}{{urlquery .}}{{print 1 2.5 nil true}}", "{{- /* c */ -}}", "{{block \"B\" .}}b{{end}}", "{{range $i := 3}}{{break}}{{end}}", "{{call .Name}}", "{{nil}}", "{{1e3}}{{'a'}}{{0x1p-2}}", "{{range each}}{{.}}{{end}}", "{{not 1}}{{ne 1 2}}{{le 1 2}}{{or 0 .Name}}"} {
		t, err := template.New("t").Funcs(funcs).Parse(text)
		if err != nil {
			fmt.Sprint(err)
			continue
		}
		err = t.Execute(io.Discard, &user{"ann", []string{"a", "b"}, map[string]int{"b": 1, "a": 2}})
		fmt.Sprint(err, t.DefinedTemplates(), t.Tree)
		t.Clone()
		t.Lookup("T")
	}
}

func own(s string) string { return s + "!" }
`
