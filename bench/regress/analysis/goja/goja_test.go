package js

import (
	"testing"
	"time"

	"github.com/dop251/goja"
)

// FuzzRun runs a script, not for long.
func FuzzRun(f *testing.F) {
	f.Add("1 + 2")
	f.Add("let s = ''; for (const x of [1, 'a', {b: 2}]) { s += JSON.stringify(x) } s")
	f.Add("/(a|b)+c/.exec('abac')[0].toUpperCase()")
	f.Fuzz(func(t *testing.T, source string) {
		vm := goja.New()
		stop := time.AfterFunc(100*time.Millisecond, func() { vm.Interrupt("too long") })
		defer stop.Stop()
		if v, err := vm.RunString(source); err == nil {
			_ = v.String()
		}
	})
}
