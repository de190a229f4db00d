package subject

import (
	"context"
	"os"
	"path/filepath"
	"testing"
)

func TestCompiledForFuzzing(t *testing.T) {
	commands := `#
# encoding/json
#
/go/tool/compile -o $WORK/b006/_pkg_.a -p encoding/json -lang=go1.26 -std -d=libfuzzer -pack a.go
/go/tool/compile -o $WORK/b007/_pkg_.a -p reflect -lang=go1.26 -std -pack a.go
/go/tool/asm -p internal/bytealg -o x.o x.s
/go/tool/compile -o $WORK/b008/_pkg_.a -p example.com/a -d=libfuzzer -pack a.go
/go/tool/compile -o $WORK/b008/_pkg_.a -p example.com/a -d=libfuzzer -pack a.go a_test.go
`
	if n := compiledForFuzzing(commands); n != 2 {
		t.Errorf("%d packages, not 2", n)
	}
}

func TestChoose(t *testing.T) {
	all := []Subject{{Name: "sdp"}, {Name: "smtp"}, {Name: "dhcp"}}
	for only, want := range map[string]int{"": len(all), "^s": 2, "sdp|dhcp": 2} {
		if got, err := Choose(all, only); err != nil || len(got) != want {
			t.Errorf("%q: %v, %v", only, got, err)
		}
	}
	for _, only := range []string{"none", "("} {
		if got, err := Choose(all, only); err == nil {
			t.Errorf("%q: %v", only, got)
		}
	}
}

func TestPattern(t *testing.T) {
	if got := (Package{Subject: Subject{Fuzz: "FuzzX"}}).Pattern(); got != "^FuzzX$" {
		t.Error(got)
	}
}

// TestCheckout: a copy is writable and without what an earlier run left there.
func TestCheckout(t *testing.T) {
	from, work := t.TempDir(), t.TempDir()
	if err := os.MkdirAll(filepath.Join(from, "a", "testdata"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"go.mod", "a/testdata/x"} {
		if err := os.WriteFile(filepath.Join(from, name), []byte(name), 0o444); err != nil {
			t.Fatal(err)
		}
	}
	s := Subject{Name: "s", Folder: from, Package: "a"}
	for range 2 {
		p, err := s.Checkout(context.Background(), work)
		if err != nil {
			t.Fatal(err)
		}
		if p.Root != filepath.Join(work, "s") || p.Dir != filepath.Join(work, "s", "a") {
			t.Fatalf("%+v", p)
		}
		if _, err := os.Stat(filepath.Join(p.Dir, "left")); err == nil {
			t.Error("a file of an earlier run is left")
		}
		if err := os.WriteFile(filepath.Join(p.Dir, "left"), nil, 0o644); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(filepath.Join(p.Dir, "testdata", "x")); err != nil || info.Mode()&0o200 == 0 {
			t.Errorf("%v, %v", info, err)
		}
	}
}

func TestCounters(t *testing.T) {
	for _, name := range []string{filepath.Join(t.TempDir(), "nothing"), os.Args[0], "subject_test.go"} {
		if got := Counters(name); got != (Instrumented{}) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
