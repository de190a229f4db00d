package persistent

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"parallax/cmd/internal/base/limits"
	"parallax/cmd/internal/process/confine"
	"parallax/cmd/internal/program"
	"parallax/cmd/internal/program/programtest"
)

// TestMain lets the test's executable be the sandbox and the faulty drivers.
func TestMain(m *testing.M) {
	programtest.Sandbox()
	if how, is := os.LookupEnv("PARALLAX_FAKE_DRIVER"); is {
		os.Exit(fakeDriver(how))
	}
	os.Exit(m.Run())
}

// fake is a driver that follows its inputs: "accept TEXT", "exit 3", and so on. "once WHAT" applies
// only the first time in the folder.
type fake struct {
	in  *bufio.Reader
	out *os.File
	all [][]byte // allocated memory

	numbers bool   // answers have numbers
	number  uint32 // of the last request
}

func fakeDriver(how string) int {
	f := &fake{in: bufio.NewReader(os.Stdin), out: os.Stdout}
	if lock, err := os.OpenFile("lock", os.O_CREATE|os.O_RDWR, 0o666); err == nil {
		syscall.Flock(int(lock.Fd()), syscall.LOCK_EX) // held while this process lives
	}
	switch how {
	case "no greeting":
		return 7
	case "hang":
		time.Sleep(time.Hour)
	case "closes":
		f.out.Close()
		time.Sleep(time.Hour)
	case "hog":
		f.hog()
	case "dead":
		fmt.Println("parallax-driver 1")
		fmt.Fprintln(os.Stderr, "cannot do anything")
		f.next()
		return 4
	case "brief":
		fmt.Println("parallax-driver 1")
		return 6
	case "deaf":
		fmt.Println("parallax-driver 1")
		time.Sleep(time.Hour)
	}
	fmt.Fprintln(f.out, how)
	f.numbers, f.number = strings.Contains(how, " numbers"), ^uint32(0)
	for {
		input, more := f.next()
		if !more {
			return 0
		}
		f.do(string(input))
	}
}

func (f *fake) next() ([]byte, bool) {
	var header [4]byte
	if _, err := io.ReadFull(f.in, header[:]); err != nil {
		return nil, false
	}
	input := make([]byte, binary.LittleEndian.Uint32(header[:]))
	_, err := io.ReadFull(f.in, input)
	f.number++
	return input, err == nil
}

func (f *fake) answer(verdict byte, text string, features ...uint32) {
	f.answerTo(f.number, verdict, text, features...)
}

func (f *fake) answerTo(number uint32, verdict byte, text string, features ...uint32) {
	answer := frame(verdict, text, features...)
	if f.numbers {
		answer = numbered(number, answer)
	}
	f.out.Write(answer)
}

// numbered returns an answer with the number of its request.
func numbered(number uint32, answer []byte) []byte {
	b := binary.LittleEndian.AppendUint32(nil, binary.LittleEndian.Uint32(answer)+4)
	return append(binary.LittleEndian.AppendUint32(b, number), answer[4:]...)
}

func frame(verdict byte, text string, features ...uint32) []byte {
	b := binary.LittleEndian.AppendUint32(nil, uint32(5+len(text)+4*len(features)))
	b = binary.LittleEndian.AppendUint32(append(b, verdict), uint32(len(text)))
	b = append(b, text...)
	for _, n := range features {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	return b
}

// once reports whether this is the first call in this folder.
func once() bool {
	_, err := os.OpenFile("once", os.O_CREATE|os.O_EXCL, 0o666)
	return err == nil
}

// hog uses memory until it is killed.
func (f *fake) hog() {
	for range 2048 {
		f.grow(1 << 20)
		time.Sleep(time.Millisecond)
	}
}

func (f *fake) grow(n int) {
	f.all = append(f.all, bytes.Repeat([]byte{1}, n))
}

func (f *fake) do(input string) {
	what, rest, _ := strings.Cut(input, " ")
	number, _ := strconv.Atoi(rest)
	switch what {
	case "once":
		if once() {
			f.do(rest)
		} else {
			f.answer('A', "later")
		}
	case "reject":
		f.answer('R', rest)
	case "decline":
		f.answer('D', rest)
	case "crash":
		f.answer('C', rest+"\nat one place\nat another")
	case "features":
		f.answer('A', "", 9, 3, 3, 0, 9, 9, 4)
	case "many":
		f.answer('A', "", append(make([]uint32, 100000), 7)...)
	case "feature":
		f.answer('A', "", 1, uint32(number))
	case "exit":
		fmt.Fprintln(os.Stderr, "goodbye")
		os.Exit(number)
	case "folder": // a private folder, with a file left in it
		dir := os.Getenv("TMPDIR")
		left, err := os.ReadDir(dir)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, rest), nil, 0o666)
		}
		f.answer('A', fmt.Sprint(len(left), err, os.Getenv("HOME") == dir))
	case "last":
		f.answer('A', "last")
		fmt.Fprintln(os.Stderr, "goodbye")
		os.Exit(number)
	case "abort":
		// In another program, because Go's runtime handles the signal.
		syscall.Exec("/bin/sh", []string{"sh", "-c", "kill -ABRT $$"}, nil)
	case "hang":
		time.Sleep(time.Hour)
	case "late":
		time.Sleep(time.Hour)
		f.answer('A', "late")
	case "hog":
		f.hog()
		f.answer('A', "hog")
	case "leak":
		f.grow(number << 20)
		time.Sleep(20 * time.Millisecond) // the sandbox checks every few milliseconds
		f.answer('A', "leak")
	case "forks":
		for range 40 {
			exec.Command("/bin/sleep", "1000").Start()
		}
		time.Sleep(time.Hour)
	case "stderr":
		line := strings.Repeat("x", 99) + "\n"
		for range number / 100 {
			io.WriteString(os.Stderr, line)
		}
		f.answer('A', "said")
	case "flood":
		f.answer('A', strings.Repeat("f", number))
	case "print":
		fmt.Fprint(f.out, rest+"\n")
		f.answer('A', "printed")
	case "raw":
		fmt.Fprint(f.out, rest)
	case "length":
		f.out.Write(binary.LittleEndian.AppendUint32(nil, uint32(number)))
		time.Sleep(time.Hour)
	case "short":
		f.out.Write(frame('A', strings.Repeat("s", 100))[:number])
		time.Sleep(time.Hour)
	case "half":
		f.out.Write(frame('A', strings.Repeat("s", 100))[:50])
		os.Exit(9)
	case "closes":
		f.out.Close()
		time.Sleep(time.Hour)
	case "twice":
		f.answer('A', "one")
		f.answer('A', "two")
	case "swap": // its answer comes after the next one
		number := f.number
		if next, more := f.next(); more {
			f.answer('A', string(next))
		}
		f.answerTo(number, 'A', input)
	case "nothing": // the answer is left out
	case "ahead": // before the request that it answers
		f.next()
		f.answer('A', "ahead")
		f.answer('A', "ahead")
	case "early":
		f.answer('A', "early")
		time.Sleep(time.Hour)
	default:
		f.answer('A', input)
	}
}

// testLimits returns limits that a driver reaches soon or never.
func testLimits() limits.Limits {
	return limits.Limits{Timeout: 30 * time.Second, Memory: 512 << 20, FileSize: 64 << 20, Processes: 256, Output: 4 << 20}
}

// fakeConfig returns the configuration of a fake driver with this greeting.
func fakeConfig(t *testing.T, greeting string) Config {
	t.Helper()
	c := config(t, programtest.Tool(t))
	c.Env = append(c.Env, "PARALLAX_FAKE_DRIVER="+greeting)
	return c
}

func config(t *testing.T, args ...string) Config {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return Config{Name: "p", Args: args, Env: append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1"), Dir: dir, Limits: testLimits(), Sandbox: confine.Options{Tool: programtest.Tool(t), Dir: dir}}
}

func mustOpen(t *testing.T, c Config) *Executor {
	t.Helper()
	e, err := Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

// show returns an observation in a word or two.
func show(o program.Observation) string {
	text := o.Outcome.String()
	if len(o.Value) > 0 {
		text += " " + string(o.Value)
	}
	if o.Message != "" {
		text += ": " + o.Message
	}
	return text
}
