//go:build go1.25

package verdicts

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

func init() {
	for name, run := range map[string]func(t *testing.T){
		"output":         func(t *testing.T) { fmt.Fprint(t.Output(), "part of a line") },
		"output-fatal":   func(t *testing.T) { fmt.Fprint(t.Output(), "part of a line"); t.Fatal("fatal") },
		"attr":           func(t *testing.T) { t.Attr("key", "value") },
		"attr-wrong":     func(t *testing.T) { t.Attr("a key", "value") },
		"synctest":       func(t *testing.T) { synctest.Test(t, func(t *testing.T) { time.Sleep(time.Hour) }) },
		"synctest-error": func(t *testing.T) { synctest.Test(t, func(t *testing.T) { t.Error("error") }) },
		"synctest-fatal": func(t *testing.T) { synctest.Test(t, func(t *testing.T) { t.Fatal("fatal") }) },
		"synctest-skip":  func(t *testing.T) { synctest.Test(t, func(t *testing.T) { t.Skip("skip") }) },
		"synctest-context": func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx := t.Context()
				t.Cleanup(func() { expect(t, ctx.Err() != nil) })
				expect(t, ctx.Err() == nil)
			})
		},
		"synctest-parallel": func(t *testing.T) { synctest.Test(t, func(t *testing.T) { t.Parallel() }) },
	} {
		cases[name] = run
	}
}
