package clang

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"parallax/cmd/internal/base/exit"
)

// makeFlag asks for the variants of programs that were linked before. No clang has an option of
// this name.
const makeFlag = "--make"

// makeAll makes the missing variants of programs: `parallax cc --make PROGRAM...`.
func makeAll(compiler string, programs []string) int {
	only, low := Variant(""), false // for Build.makeWithin
	for ; len(programs) > 0 && (strings.HasPrefix(programs[0], onlyFlag) || programs[0] == lowFlag); programs = programs[1:] {
		if v, ok := strings.CutPrefix(programs[0], onlyFlag); ok {
			only = Variant(v)
		} else {
			low = true
		}
	}
	if len(programs) == 0 {
		fmt.Fprintf(os.Stderr, "parallax %s: --make is followed by programs that parallax has linked: parallax cc --make ./harness\n", compiler)
		return exit.UsageCode
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	code := exit.OK
	for _, path := range programs {
		b, err := Open(path)
		if err != nil {
			fmt.Fprintf(os.Stderr, "parallax %s: %v\n", compiler, err)
			return exit.Code(err)
		}
		if only == "" { // naming the program is consent
			if err := b.Adopt(); err != nil {
				fmt.Fprintf(os.Stderr, "parallax %s: %v\n", compiler, err)
				return exit.InfraCode
			}
		}
		for _, v := range Variants[1:] {
			if only != "" && v != only {
				continue
			}
			_, later := b.Later[v]
			notes, err := b.Make(ctx, v, Making{Low: low, agreed: true, Waiting: func() {
				fmt.Fprintf(os.Stderr, "parallax %s: another process makes the %s build of %s: waiting for it\n", compiler, v, path)
			}})
			if err != nil {
				return 128 + int(syscall.SIGINT)
			}
			for _, n := range notes {
				fmt.Fprintf(os.Stderr, "parallax %s: %s\n", compiler, n)
			}
			if why := b.Missing[v]; why != "" {
				fmt.Fprintf(os.Stderr, "parallax %s: %s has no %s build: %s\n", compiler, path, v, why)
				if later {
					code = exit.BuildCode
				}
			}
		}
	}
	return code
}
