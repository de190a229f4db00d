package golang

import (
	"crypto/sha256"
	"fmt"
	"strings"
)

// A pinned clock is inserted into package time during its compilation, like the hook into package
// testing. time.Now returns the time of an environment variable, if it is set. Timers and the
// runtime are unchanged. One build serves any time.

const clockFlag = "-plxclock="

// ClockVariable holds the time that programs built with ClockFlag see, in seconds since 1970.
const ClockVariable = "PARALLAX_CLOCK"

// ClockFlag returns the compiler flag that marks package time, for -gcflags=time=FLAG.
func ClockFlag() string {
	h := sha256.Sum256([]byte(fmt.Sprint(clockPatch) + clockText))
	return fmt.Sprintf("%s%x", clockFlag, h[:8])
}

var clockPatch = []patch{{function: "Now", text: "if plxClock != 0 { return Unix(plxClock, 0) };"}}

// clockText is added to the package. It uses only syscall, which package time imports.
const clockText = `package time

import "syscall"

var plxClock = plxReadClock()

func plxReadClock() (n int64) {
	text, _ := syscall.Getenv("` + ClockVariable + `")
	sign := int64(1)
	if len(text) > 0 && text[0] == '-' {
		sign, text = -1, text[1:]
	}
	for i := 0; i < len(text) && '0' <= text[i] && text[i] <= '9'; i++ {
		n = 10*n + int64(text[i]-'0')
	}
	return sign * n
}
`

func patchClock(files map[string]string) (map[string]string, error) {
	out, err := patchFiles(files, clockPatch)
	if err == nil {
		out["plx_clock.go"] = clockText
	}
	return out, err
}

// runClock compiles package time with the pinned clock.
func (c compilation) runClock() (code int, err error) {
	return c.runPatched("time", clockFlag, patchClock, unfitClock)
}

func unfitClock(err error) error {
	return fmt.Errorf("the clock of Go functions cannot be pinned with this Go release, whose package time has changed: %w", err)
}

func isClock(arg string) bool { return strings.HasPrefix(arg, clockFlag) }
