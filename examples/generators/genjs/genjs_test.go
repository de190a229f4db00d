package genjs

import (
	"flag"
	"strings"
	"testing"

	"github.com/dop251/goja"
	"github.com/dop251/goja/parser"

	"parallax/gen"
)

// TestProgram checks that every script is read.
func TestProgram(t *testing.T) {
	gen.Check(t, func(t *gen.T) {
		if _, err := parser.ParseFile(nil, "", Program().Draw(t, "text"), 0); err != nil {
			t.Errorf("%v", err)
		}
	})
}

// TestDrawn checks that the generator draws everything that it should. Otherwise the test above
// proves nothing.
func TestDrawn(t *testing.T) {
	flag.Set("gen.checks", "100")
	flag.Set("gen.seed", "1")
	seen := map[string]int{}
	size := 0
	parts := []string{
		"let ", "const ", "if (", "else", "for (let", " of [", " in [", "while (", "do {", "switch (", "try {", "finally", "function", "async function", "function*",
		"class ", "=>", "return ", "break;", "continue;", "throw ", "await (", "yield (", "?.", "...", "'use strict'", "/gi", "get ",
	}
	gen.Check(t, func(t *gen.T) {
		text := Program().Draw(t, "text")
		size += len(text)
		for _, part := range parts {
			if strings.Contains(text, part) {
				seen[part]++
			}
		}
	})
	for _, part := range parts {
		if seen[part] == 0 {
			t.Errorf("no %q in 100 scripts of %d bytes", part, size)
		}
	}
}

// FuzzCompile finds what goja's compiler does not take, such as for (;;) { break; let b }, and what
// it panics on: faults of goja's.
func FuzzCompile(f *testing.F) {
	gen.Fuzz(f, func(t *gen.T) {
		text := Program().Draw(t, "text")
		if _, err := goja.Compile("", text, false); err != nil {
			t.Errorf("%v", err)
		}
	})
}
