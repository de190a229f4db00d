package clang

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestSymbolizer checks that every place of the line tables is found, in the function of the line.
func TestSymbolizer(t *testing.T) {
	for _, flags := range [][]string{{"-O0", "-no-pie"}, {"-O1", "-no-pie"}, {"-O2", "-pie"}, {"-O1", "-no-pie", "-g"}} {
		program := tableProgram(t, append(append(slices.Clone(flags[:2]), Fast.compileFlags()...), flags[2:]...), languages["c"]...)
		s, err := OpenSymbolizer(program)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if s.Relocated != (flags[1] == "-pie") {
			t.Errorf("%v: relocated is %v", flags, s.Relocated)
		}
		chains := map[string]bool{}
		for _, symbol := range s.image.symbols {
			for pc := symbol.start; pc < symbol.end; pc++ {
				var chain []string
				for _, f := range s.Frames(pc) {
					chain = append(chain, fmt.Sprintf("%s %s:%d", f.Func, filepath.Base(f.File), f.Line))
				}
				chains[strings.Join(chain, " < ")] = true
			}
		}
		two, body, call := lineOf(t, "shared.h", "doubled++"), lineOf(t, "other.c", "return twice(x) +"), lineOf(t, "flow.c", "exit(0)")
		want := []string{
			fmt.Sprintf("twice shared.h:%d < shared other.c:%d", two, body),
			fmt.Sprintf("give_up flow.c:%d", call),
			fmt.Sprintf("shared other.c:%d", body),
		}
		if flags[0] == "-O0" {
			want[0] = fmt.Sprintf("twice shared.h:%d", two)
		}
		for _, w := range want {
			if !chains[w] {
				t.Errorf("%v: nothing is at %q", flags, w)
			}
		}
	}
}

func TestSymbolizerOfLittle(t *testing.T) {
	flags := append(Fast.compileFlags(), "-O1", "-no-pie")
	for name, more := range map[string]string{"no debug information": "-g0", "stripped": "-s"} {
		s, err := OpenSymbolizer(tableProgram(t, append(flags, more), languages["c"]...))
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		f := s.file.Section(".text")
		frames := s.Frames(f.Addr + f.Size/2)
		switch {
		case more == "-s" && len(frames) > 1, more == "-g0" && (len(frames) != 1 || frames[0].Func == "" || frames[0].File != ""):
			t.Errorf("%s: %+v", name, frames)
		}
		for _, pc := range []uint64{0, 1, ^uint64(0)} {
			if frames := s.Frames(pc); frames != nil {
				t.Errorf("%s: at %#x is %+v", name, pc, frames)
			}
		}
	}
	if _, err := OpenSymbolizer("testdata/table/flow.c"); err == nil || !strings.Contains(err.Error(), "flow.c") {
		t.Errorf("a text is opened: %v", err)
	}
}
