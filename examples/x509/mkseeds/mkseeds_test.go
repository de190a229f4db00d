package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"examples/x509/chain"
)

// TestOwn checks that the committed files are the output of the command.
func TestOwn(t *testing.T) {
	committed := make(map[string]bool)
	for _, dir := range []string{"../seeds", "../control"} {
		names, err := filepath.Glob(dir + "/*")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			committed[name] = true
		}
	}
	for _, s := range ownSeeds() {
		dir := "../seeds"
		if s.control != "" {
			dir = "../control"
		}
		name := filepath.Join(dir, clean(s.name)+".der")
		got, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, chain.Join(s.list)) {
			t.Error(name, "is another one than mkseeds makes")
		}
		delete(committed, name)
	}
	for name := range committed {
		t.Error(name, "is none that mkseeds makes")
	}
	header, err := os.ReadFile("../harness/roots.h")
	if err != nil || !bytes.Equal(header, rootsHeader()) {
		t.Error("harness/roots.h does not have the roots", err)
	}
}
