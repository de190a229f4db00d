package clang

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"parallax/cmd/internal/exit"
)

// makeFlag asks for the variants of programs that were linked before. No clang has an option of this name.
const makeFlag = "--make"

// makeAll makes what is still to be made of programs: `parallax cc --make PROGRAM...`.
func makeAll(compiler string, programs []string) int {
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
		if err := b.Adopt(); err != nil { // whoever names the program here agrees
			fmt.Fprintf(os.Stderr, "parallax %s: %v\n", compiler, err)
			return exit.InfraCode
		}
		for _, v := range Variants[1:] {
			_, later := b.Later[v]
			notes, err := b.Make(ctx, v, Making{Waiting: func() {
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
