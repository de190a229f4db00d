package fails

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Targets in this file fail only if something is not as go test has it.

func FuzzSetenv(f *testing.F) {
	each(f, func(t *testing.T, s string) {
		if v, ok := os.LookupEnv("PARALLAX_TARGET"); ok {
			t.Fatalf("left behind by an earlier input: %q", v)
		}
		t.Setenv("PARALLAX_TARGET", strings.ReplaceAll(s, "\x00", ""))
		if len(s)%2 > 0 {
			t.Skip()
		}
	})
}

func FuzzTempDir(f *testing.F) {
	last := ""
	each(f, func(t *testing.T, s string) {
		dir := t.TempDir()
		if _, err := os.Stat(last); err == nil || last == dir {
			t.Fatalf("%s is still there", last)
		}
		if list, err := os.ReadDir(dir); err != nil || len(list) > 0 {
			t.Fatal("the folder is not empty: ", list, err)
		}
		if err := os.WriteFile(filepath.Join(dir, "file"), []byte(s), 0o600); err != nil {
			t.Fatal(err)
		}
		last = dir
	})
}

// FuzzChdir never goes back, as go test does not either.
func FuzzChdir(f *testing.F) {
	each(f, func(t *testing.T, s string) {
		if err := os.Chdir(t.TempDir()); err != nil {
			t.Fatal(err)
		}
		if s == "unlikely words" {
			t.Log("here")
		}
	})
}

func FuzzTChdir(f *testing.F) {
	each(f, func(t *testing.T, s string) {
		if _, err := os.Stat("fails.go"); err != nil {
			t.Fatal("not in the folder of the package: ", err)
		}
		t.Chdir(t.TempDir())
		if _, err := os.Stat("fails.go"); err == nil {
			t.Fatal("still there")
		}
	})
}

func FuzzRelative(f *testing.F) {
	each(f, func(t *testing.T, s string) {
		if _, err := os.Stat("fails.go"); err != nil {
			t.Fatal("not in the folder of the package: ", err)
		}
		if err := os.WriteFile("written-by-target", []byte(s), 0o600); err != nil {
			t.Fatal(err)
		}
	})
}

func FuzzContext(f *testing.F) {
	ended := 0
	started := 0
	each(f, func(t *testing.T, s string) {
		if started != ended {
			t.Fatalf("%d goroutines waited for the end of their input, and %d saw it", started, ended)
		}
		ctx := t.Context()
		if ctx.Err() != nil {
			t.Fatal("an input begins with a context that has ended")
		}
		done := make(chan bool)
		go func() {
			<-ctx.Done()
			ended++
			close(done)
		}()
		started++
		t.Cleanup(func() { <-done })
	})
}

func FuzzRecovers(f *testing.F) {
	each(f, func(t *testing.T, s string) {
		defer func() {
			if r := recover(); r != nil && r != "mine" {
				t.Error("another's panic: ", r)
			}
		}()
		if len(s) > 2 {
			panic("mine")
		}
		t.Skip()
	})
}

func FuzzMutates(f *testing.F) {
	f.Add([]byte("seed"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for i := range data {
			data[i] = 'x'
		}
		_ = append(data, "more"...)
	})
}

var retained [][]byte

func FuzzRetains(f *testing.F) {
	f.Add([]byte("seed"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(retained) < 100 {
			retained = append(retained, data, []byte(string(data)))
		}
		for i := 0; i < len(retained); i += 2 {
			if string(retained[i]) != string(retained[i+1]) {
				t.Fatal("what was kept of an earlier input has changed")
			}
		}
	})
}

var runs int

// FuzzFlaky fails in processes that have executed many inputs.
func FuzzFlaky(f *testing.F) {
	each(f, func(t *testing.T, s string) {
		if runs++; runs > 100 && runs%50 == 0 {
			t.Fatal("every now and then")
		}
	})
}

// FuzzLate reports a failure when its input is long done.
func FuzzLate(f *testing.F) {
	each(f, func(t *testing.T, s string) {
		if strings.HasPrefix(s, "s") {
			go func() {
				for range 10 {
					t.Log("still here")
				}
			}()
		}
	})
}

func FuzzSubtestNames(f *testing.F) {
	each(f, func(t *testing.T, s string) {
		for range 3 {
			t.Run("same", func(t *testing.T) {
				if strings.Contains(t.Name(), "#03") {
					t.Fatal("names are not forgotten: ", t.Name())
				}
			})
		}
	})
}

func FuzzT(f *testing.F) {
	f.Cleanup(func() {})
	each(f, func(t *testing.T, s string) {
		if t.Name() == "" || t.Failed() || t.Skipped() {
			t.Fatal("an input begins with a T that is used: ", t.Name(), t.Failed(), t.Skipped())
		}
		if _, ok := t.Deadline(); ok {
			t.Fatal("there is a deadline")
		}
		if !testing.Testing() {
			t.Fatal("not testing")
		}
		if len(s)%3 == 0 {
			t.SkipNow()
		}
	})
}
