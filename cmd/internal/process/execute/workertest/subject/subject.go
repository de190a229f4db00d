// Package subject has two programs that follow instructions in their input. "a:panic" makes A
// panic, "b:exit" makes B end its process, "ab:..." applies to both. Any other input is a number: A
// accepts all, B only those up to 255.
package subject

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// A accepts every number.
func A(data []byte) ([]byte, error) { return program('a', data, lenient) }

// B accepts numbers of one byte.
func B(data []byte) ([]byte, error) { return program('b', data, strict) }

func program(who byte, data []byte, number func([]byte) ([]byte, error)) ([]byte, error) {
	whom, what, ok := bytes.Cut(data, []byte(":"))
	if !ok {
		return number(data)
	}
	if bytes.IndexByte(whom, who) < 0 {
		return nil, nil
	}
	return misbehave(string(what), data)
}

var errEmpty = errors.New("no number")

func lenient(data []byte) ([]byte, error) {
	if len(data) == 0 {
		return nil, errEmpty
	}
	for _, c := range data {
		if c < '0' || c > '9' {
			return nil, fmt.Errorf("%q is no number", data)
		}
	}
	return nil, nil
}

func strict(data []byte) ([]byte, error) {
	n := 0
	for _, c := range data {
		if c < '0' || c > '9' {
			return nil, fmt.Errorf("%q is no number", data)
		}
		if n = 10*n + int(c-'0'); n > 255 {
			return nil, tooLarge()
		}
	}
	if len(data) == 0 {
		return nil, errEmpty
	}
	return nil, nil
}

func tooLarge() error { return errors.New("too large for a byte") }

// count is the number of inputs with instructions in this process.
var count int

func misbehave(what string, data []byte) ([]byte, error) {
	count++
	what, rest, _ := strings.Cut(what, " ")
	switch what {
	case "panic":
		panic("as told: " + rest)
	case "nil":
		var p *int
		*p = len(rest)
	case "goexit":
		runtime.Goexit()
	case "exit":
		code, _ := strconv.Atoi(rest)
		os.Exit(code)
	case "overflow":
		return nil, errors.New(overflow(rest))
	case "maps":
		maps()
	case "deadlock":
		select {}
	case "loop":
		loop()
	case "hog":
		hog()
	case "later":
		go fail(rest)
	case "noise":
		for range 5000 {
			fmt.Println("noise on standard output, noise on standard output")
			fmt.Fprintln(os.Stderr, "panic: noise on standard error")
		}
	case "mutate":
		for i := range data {
			data[i] = 'X'
		}
	case "echo":
		return data, nil
	case "count": // depends on earlier inputs
		return []byte(strconv.Itoa(count)), nil
	case "process": // depends on the process
		return []byte(strconv.Itoa(os.Getpid())), nil
	case "child":
		return start(&syscall.SysProcAttr{})
	case "daemon":
		return start(&syscall.SysProcAttr{Setsid: true})
	case "shell":
		return exec.Command("sh", "-c", rest).CombinedOutput()
	case "error":
		return nil, panics{}
	case "work": // in so many steps
		work(rest)
	case "hang": // without using a processor
		time.Sleep(time.Hour) // without using a processor
	case "compute": // for so much CPU time
		d, _, _ := strings.Cut(rest, " ")
		long, _ := time.ParseDuration(d)
		for began := computed(); computed()-began < long; {
			work("100000")
		}
	case "once": // only the first time in a process
		if count == 1 {
			work(rest)
		}
	}
	return nil, nil
}

// panics is an error that cannot be printed.
type panics struct{}

func (panics) Error() string { panic("in Error") }

func overflow(s string) string { return overflow(s) + s[:1] } //lint:ignore SA5007 the stack has to be full

func maps() {
	m := map[int]int{}
	for range 4 {
		go func() {
			for i := 0; ; i++ {
				m[i&7] = i
			}
		}()
	}
	select {}
}

//go:noinline
func loop() {
	for {
		count++
	}
}

var kept [][]byte

func hog() {
	for {
		chunk := make([]byte, 1<<20)
		for i := range chunk {
			chunk[i] = byte(i)
		}
		kept = append(kept, chunk)
		time.Sleep(time.Millisecond)
	}
}

// fail panics long after its program has returned.
func fail(words string) {
	time.Sleep(20 * time.Millisecond)
	panic("later: " + words)
}

// work takes the given number of steps.
func work(steps string) {
	n, _ := strconv.Atoi(steps)
	for i := 0; i < n; i++ {
		kept = kept[:0]
	}
}

// computed returns the CPU time of the process.
func computed() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// start leaves a process behind and returns its number.
func start(attr *syscall.SysProcAttr) ([]byte, error) {
	cmd := exec.Command("sleep", "300")
	cmd.SysProcAttr = attr
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return []byte(strconv.Itoa(cmd.Process.Pid)), nil
}
