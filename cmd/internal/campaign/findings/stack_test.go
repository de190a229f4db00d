package findings

import (
	"strings"
	"testing"

	"parallax/cmd/internal/flow"
)

func TestWithoutLibrary(t *testing.T) {
	space := &flow.Space{Named: func(name string) string { return strings.Replace(name, "m/internal/parallax/", "parallax/", 1) }}
	for text, want := range map[string]string{
		"panic: x\n\ngoroutine 1 [running]:\nruntime.gopanic(...)\n\tpanic.go:5\nm/internal/parallax/internal/tape.(*Source).Begin(...)\n\ttape.go:1\nm/internal/parallax/gen.Gen[...].Draw(...)\n\tgen.go:7\nm.inner(...)\n\tm.go:3\nm/internal/parallax/gen.Gen[...].Draw(...)\n\tgen.go:7\nm.outer(...)\n\tm.go:4\nm/internal/parallax/gen.(*fuzzer).run(...)\n\tfuzz.go:8\n\ngoroutine 2 [running]:\nm/internal/parallax/gen.x(...)\n\tgen.go:7\ncreated by m.F in goroutine 1\n\tm.go:9\n"://
		"panic: x\n\ngoroutine 1 [running]:\nm.inner(...)\n\tm.go:3\nm/internal/parallax/gen.Gen[...].Draw(...)\n\tgen.go:7\nm.outer(...)\n\tm.go:4\n\ngoroutine 2 [running]:\nm/internal/parallax/gen.x(...)\n\tgen.go:7\ncreated by m.F in goroutine 1\n\tm.go:9\n",
		"m/internal/parallax/gen.x said so\n": "m/internal/parallax/gen.x said so\n",
		"":                                    "",
	} {
		if got := withoutLibrary(text, space); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
