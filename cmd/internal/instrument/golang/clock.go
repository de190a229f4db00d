package golang

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A pinned clock is put into package time while it compiles, as the hook is into package testing: time.Now gives the time of an
// environment variable, where there is one. Timers and the runtime go on as ever. What is built so serves any time.

const clockFlag = "-plxclock="

// ClockVariable holds the time that programs built with ClockFlag see, in seconds since 1970.
const ClockVariable = "PARALLAX_CLOCK"

// ClockFlag returns the compiler flag that marks package time, for -gcflags=time=FLAG.
func ClockFlag() string {
	h := sha256.Sum256([]byte(clockPatch.anchor + clockPatch.after + clockText))
	return fmt.Sprintf("%s%x", clockFlag, h[:8])
}

// clockPatch stays on its line, so that stack traces keep their lines.
var clockPatch = testingPatch{file: "time.go", anchor: "func Now() Time {\n", after: " if plxClock != 0 { return Unix(plxClock, 0) };"}

// clockText is added to the package. It has no more to itself than package time has: syscall.
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

// runClock compiles package time with the pinned clock.
func (c compilation) runClock() (code int, err error) {
	if c.pkg != "time" {
		return 0, fmt.Errorf("%s is for package time only", clockFlag)
	}
	files := slices.Clone(c.files)
	at := slices.IndexFunc(files, func(path string) bool { return filepath.Base(path) == clockPatch.file })
	if at < 0 {
		return 0, c.unfitClock(errors.New("there is no " + clockPatch.file))
	}
	text, err := os.ReadFile(files[at])
	if err != nil {
		return 0, err
	}
	patched, err := clockPatch.apply(string(text))
	if err != nil {
		return 0, c.unfitClock(err)
	}
	temp, err := c.tempDir()
	if err != nil {
		return 0, err
	}
	defer func() {
		if e := os.RemoveAll(temp); e != nil && err == nil {
			err = e
		}
	}()
	patched = fmt.Sprintf("//line %s:1:1\n%s", files[at], patched)
	files[at] = filepath.Join(temp, clockPatch.file)
	added := filepath.Join(temp, "plx_clock.go")
	for path, text := range map[string]string{files[at]: patched, added: "//line plx_clock.go:1:1\n" + clockText} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			return 0, err
		}
	}
	return c.compile(append(files, added))
}

func (c compilation) unfitClock(err error) error {
	return fmt.Errorf("the clock of Go functions cannot be pinned with this Go release, whose package time has changed: %w", err)
}

func isClock(arg string) bool { return strings.HasPrefix(arg, clockFlag) }
