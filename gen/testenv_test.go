package gen

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// A T is accepted as a testing.TB, whatever methods this version of Go adds.
var _ testing.TB = (*T)(nil)

// outside runs a property that uses the enclosing test, in a process of its own.
func outside(t *testing.T, property func(*testing.T, *T)) {
	if os.Getenv(faulty) == "" {
		t.Skip("runs in a process of its own")
	}
	Check(t, func(g *T) { property(t, g) })
}

func TestOutsideFatal(t *testing.T) {
	outside(t, func(t *testing.T, g *T) {
		g.Cleanup(func() { fmt.Println("cleaned up") })
		g.Log("of the run")
		if n := g.IntRange("n", 0, 99); n > 50 {
			t.Fatalf("bad %d", n)
		}
	})
}

func TestOutsideError(t *testing.T) {
	outside(t, func(t *testing.T, g *T) {
		if n := g.IntRange("n", 0, 99); n > 50 {
			t.Errorf("bad %d", n)
		}
	})
}

func TestOutsideExit(t *testing.T) {
	outside(t, func(t *testing.T, g *T) {
		if g.IntRange("n", 0, 99) > 50 {
			runtime.Goexit()
		}
	})
}

func TestOutsideSkip(t *testing.T) {
	outside(t, func(t *testing.T, g *T) {
		g.IntRange("n", 0, 99)
		t.Skip("not here")
	})
}

func TestOutsideUnsteady(t *testing.T) {
	runs := 0
	outside(t, func(t *testing.T, g *T) {
		runs++
		g.IntRange("n", 0, 99)
		if runs > 1 {
			g.Choose("m", 3)
		}
		t.Fatal("bad")
	})
}

func TestOutsideShrinking(t *testing.T) {
	outside(t, func(t *testing.T, g *T) {
		switch n := g.IntRange("n", 0, 99); {
		case n > 50:
			g.Fatal("own")
		case n == 0:
			t.Fatal("of the test")
		}
	})
}

// TestEnclosingTest checks that a failure of the enclosing test is reported with the drawn values,
// and saved.
func TestEnclosingTest(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		name        string
		want, never []string
		fails       bool
	}{
		{"Fatal", []string{"--- FAIL", "bad ", "\n            n = ", "was ended, as by t.Fatal, on an input", "testenv_test.go:28: of the run", "Saved as testdata/gen/TestOutsideFatal/", "cleaned up"}, []string{"-gen.seed"}, true},
		// again
		{"Fatal", []string{"on testdata/gen/TestOutsideFatal/", "\n            n = "}, []string{"Saved as", "takes the place of"}, true},
		{"Error", []string{"--- FAIL", "bad ", "\n            n = ", "the test around the property failed on an input", "Saved as testdata/gen/TestOutsideError/"}, nil, true},
		{"Exit", []string{"--- FAIL", "\n            n = ", "was ended, by runtime.Goexit, on an input", "Saved as"}, nil, true},
		{"Skip", []string{"--- SKIP", "the property skips the test around it, and not the input"}, []string{"Saved as"}, false},
		{"Unsteady", []string{"--- FAIL", "bad", "n = "}, []string{"made smaller in"}, true},
		{"Shrinking", []string{"--- FAIL", "of the test", "\n            n = 0", "was ended, as by t.Fatal,"}, nil, true},
	} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestOutside"+c.name+"$", "-test.v", "-gen.checks=100")
		cmd.Env, cmd.Dir = append(os.Environ(), faulty+"=1"), dir
		out, err := cmd.CombinedOutput()
		if (err != nil) != c.fails {
			t.Errorf("%s: %v", c.name, err)
		}
		for _, want := range c.want {
			if !strings.Contains(string(out), want) {
				t.Errorf("%s: %q is missing in\n%s", c.name, want, out)
			}
		}
		for _, never := range c.never {
			if strings.Contains(string(out), never) {
				t.Errorf("%s: %q is in\n%s", c.name, never, out)
			}
		}
		if n := strings.Count(string(out), "gen: the test around the property"); n > 1 {
			t.Errorf("%s: it is told %d times:\n%s", c.name, n, out)
		}
	}
}

// TestRunState checks that folders, variables, the current folder, contexts and output belong to
// one run.
func TestRunState(t *testing.T) {
	const variable = "PARALLAX_GEN_OF_ONE_RUN"
	os.Unsetenv(variable)
	back, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	var dirs []string
	var ctx context.Context
	property := func(g *T) {
		n := g.IntRange("n", 0, 99)
		if v, ok := os.LookupEnv(variable); ok {
			panic("the variable is still " + v)
		}
		g.Setenv(variable, "1")
		g.Setenv(variable, "2")
		if os.Getenv(variable) != "2" {
			panic("it is not set")
		}
		if here, _ := os.Getwd(); here != back {
			panic("it is still in " + here)
		}
		if ctx != nil && ctx.Err() == nil {
			panic("the context goes on")
		}
		ctx = g.Context()
		if ctx.Err() != nil || g.Context() != ctx {
			panic("the context is not that of the run")
		}
		g.Cleanup(func() {
			if ctx.Err() == nil {
				panic("the context goes on in Cleanup")
			}
		})
		one, two := g.TempDir(), g.TempDir()
		dirs = append(dirs, one)
		if one == two || one != dirs[0] {
			panic(fmt.Sprint("folders: ", dirs, two))
		}
		// with O_EXCL, it must not exist
		if err := os.WriteFile(filepath.Join(one, "file"), nil, 0o666); err != nil {
			panic(err)
		}
		g.Chdir(one)
		if list, _ := os.ReadDir("."); len(list) != 1 {
			panic("the folder is not new")
		}
		fmt.Fprint(g.Output(), "written\nand ")
		if n > 50 {
			g.Fatal("failed")
		}
	}
	f := &fake{TB: t, name: "TestOfOneRun"}
	func() {
		defer func() {
			if r := recover(); r != nil && r != (stopped{}) {
				panic(r)
			}
		}()
		*noSave = true
		defer func() { *noSave = false }()
		Check(f, property)
	}()
	if !strings.Contains(f.fatal, "n = 51") || !strings.Contains(f.fatal, "failed\n") || !strings.Contains(f.fatal, "\nwritten\n") || !strings.Contains(f.fatal, "\nand \n") || strings.Contains(f.fatal, "panic") {
		t.Errorf("%s", f.fatal)
	}
	if _, ok := os.LookupEnv(variable); ok {
		t.Error("the variable stays")
	}
	if here, _ := os.Getwd(); here != back {
		t.Errorf("Check ends in %s", here)
	}
	if _, err := os.Stat(dirs[0]); !os.IsNotExist(err) {
		t.Errorf("the folder stays: %v", err)
	}
}

// TestDrivenAround checks the panics of methods that need a test, in a generator without one.
func TestDrivenAround(t *testing.T) {
	d := (&T{}).Driven().(*driven)
	for name, draw := range map[string]func(){
		"TempDir": func() { d.drawing.TempDir() },
		"Setenv":  func() { d.drawing.Setenv("A", "b") },
		"Chdir":   func() { d.drawing.Chdir(".") },
	} {
		end, text := d.Draw(nil, func() []any { draw(); return nil })
		if end != endPanic || !strings.Contains(text, "there is no "+name) {
			t.Errorf("%s: %s %s", name, end, text)
		}
	}
	var ctx context.Context
	if end, text := d.Draw(nil, func() []any { ctx = d.drawing.Context(); return nil }); end != "" || ctx.Err() == nil {
		t.Errorf("%s %s: the context goes on", end, text)
	}
}
