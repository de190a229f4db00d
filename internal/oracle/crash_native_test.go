package oracle

import "testing"

// TestRecursionSharesCause checks that a parser's line has one cause, whatever nesting of lists and
// objects leads to it. A path through other parts of the grammar may be another cause.
func TestRecursionSharesCause(t *testing.T) {
	crash := func(names ...string) string {
		c := Crash{Kind: KindCrash, Message: "AddressSanitizer: heap-buffer-overflow", Class: "AddressSanitizer: heap-buffer-overflow", InC: true}
		for _, n := range names {
			c.Frames = append(c.Frames, Frame{Func: n, File: "p.c", Line: 1})
		}
		return c.Key(nil)
	}
	flat := crash("string", "value", "parse", "LLVMFuzzerTestOneInput")
	for _, nested := range []string{
		crash("string", "value", "list", "value", "parse", "LLVMFuzzerTestOneInput"),
		crash("string", "value", "object", "value", "parse", "LLVMFuzzerTestOneInput"),
		crash("string", "value", "object", "value", "list", "value", "list", "value", "parse", "LLVMFuzzerTestOneInput"),
	} {
		if nested != flat {
			t.Errorf("%s is not %s", nested, flat)
		}
	}
	if key := crash("string", "object", "value", "parse", "LLVMFuzzerTestOneInput"); key == flat {
		t.Errorf("a name in an object is a value: %s", key)
	}
}
