package main

// The comparison by hand: a fuzz test that calls the fixed version itself, and asks a process with
// the old one. So go test -fuzz is guided by the coverage of the fixed version, which has the check
// that the old one lacks. Both versions of a module cannot be in one binary under one path.

// frames has the outcome of a call, and the frames in which it is sent: a length of four bytes
// before each text.
const frames = `package main

import (
	"encoding/binary"
	"io"
	"truth/call"
)

type outcome struct{ verdict, value string }

func run(in []byte) (o outcome) {
	defer func() {
		if recover() != nil {
			o = outcome{"crashed", ""}
		}
	}()
	value, err := call.Call(append([]byte(nil), in...))
	if err != nil {
		return outcome{"rejected", ""}
	}
	return outcome{"accepted", value}
}

func send(w io.Writer, data []byte) error {
	_, err := w.Write(append(binary.BigEndian.AppendUint32(nil, uint32(len(data))), data...))
	return err
}

func receive(r io.Reader) ([]byte, error) {
	var size [4]byte
	if _, err := io.ReadFull(r, size[:]); err != nil {
		return nil, err
	}
	data := make([]byte, binary.BigEndian.Uint32(size[:]))
	_, err := io.ReadFull(r, data)
	return data, err
}
`

// sideProgram answers inputs on standard input with outcomes on standard output.
const sideProgram = `package main

import (
	"bufio"
	"os"
)

func main() {
	in, out := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	for {
		data, err := receive(in)
		if err != nil {
			return
		}
		o := run(data)
		send(out, []byte(o.verdict))
		send(out, []byte(o.value))
		out.Flush()
	}
}
`

// fuzzTest fails at the first input that shows the known difference, and writes how many inputs
// came before it. The variables are set by native.go.
const fuzzTest = `package fuzz

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// other is the process with the old version.
type other struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func (o *other) start() {
	o.cmd = exec.Command(os.Getenv("TRUTH_OLD"))
	in, err := o.cmd.StdinPipe()
	if err != nil {
		panic(err)
	}
	out, err := o.cmd.StdoutPipe()
	if err != nil {
		panic(err)
	}
	if err := o.cmd.Start(); err != nil {
		panic(err)
	}
	o.in, o.out = in, bufio.NewReader(out)
}

// watch kills the process when a call has used a second of processor time.
func (o *other) watch(killed chan<- bool, done <-chan bool) {
	process, begun := o.cmd.Process, spent(o.cmd.Process.Pid)
	for {
		select {
		case <-done:
			return
		case <-time.After(time.Second / 4):
			if spent(process.Pid)-begun > 100 {
				killed <- true
				process.Kill()
				return
			}
		}
	}
}

// spent is the processor time of a process, in hundredths of a second.
func spent(pid int) (ticks int) {
	data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	fields := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
	if len(fields) > 12 {
		user, _ := strconv.Atoi(fields[11])
		system, _ := strconv.Atoi(fields[12])
		ticks = user + system
	}
	return ticks
}

func (o *other) run(data []byte) outcome {
	if o.cmd == nil {
		o.start()
	}
	killed, done := make(chan bool, 1), make(chan bool)
	go o.watch(killed, done)
	err := send(o.in, data)
	var verdict, value []byte
	if err == nil {
		if verdict, err = receive(o.out); err == nil {
			value, err = receive(o.out)
		}
	}
	close(done)
	if err == nil {
		return outcome{string(verdict), string(value)}
	}
	o.in.Close()
	o.cmd.Wait()
	o.cmd = nil
	select {
	case <-killed:
		return outcome{"timeout", ""}
	default:
		return outcome{"crashed", ""}
	}
}

func FuzzSame(f *testing.F) {
	seeds, err := filepath.Glob("../../seeds/*")
	if err != nil || len(seeds) == 0 {
		f.Fatal("no seeds")
	}
	for _, name := range seeds {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	input := regexp.MustCompile(os.Getenv("TRUTH_INPUT"))
	wantOld, wantFixed, wantValue := os.Getenv("TRUTH_OLD_VERDICT"), os.Getenv("TRUTH_FIXED_VERDICT"), os.Getenv("TRUTH_VALUE") != ""
	var old other
	n := 0
	f.Fuzz(func(t *testing.T, data []byte) {
		n++
		a, b := old.run(data), run(data)
		switch {
		case a == b, wantOld != "" && wantOld != a.verdict, wantFixed != "" && wantFixed != b.verdict, !input.Match(data):
			return
		case wantValue && (a.verdict != "accepted" || b.verdict != "accepted"):
			return
		}
		if found, err := os.OpenFile(os.Getenv("TRUTH_FOUND"), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666); err == nil {
			fmt.Fprintf(found, "%d %q\n", n, data)
			found.Close()
		}
		t.Fatalf("%q: %v, %v", data, a, b)
	})
}
`
