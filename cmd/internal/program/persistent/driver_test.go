package persistent

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"parallax/cmd/internal/base/limits"
	"parallax/cmd/internal/process/confine"
	"parallax/cmd/internal/program"
	"parallax/cmd/internal/program/programtest"
	"parallax/internal/oracle"
)

func TestAnswers(t *testing.T) {
	for _, ahead := range []int{1, 2, 7, 32, 1000} {
		c := fakeConfig(t, "parallax-driver 1 features=10")
		c.Ahead = ahead
		e := mustOpen(t, c)
		if e.Features() != 10 || e.Batch() != 64 {
			t.Fatalf("features %d, batch %d", e.Features(), e.Batch())
		}
		var inputs []string
		for i := range 300 {
			inputs = append(inputs, fmt.Sprint("text ", i))
		}
		big := strings.Repeat("0123456789abcdef", 1<<16)
		inputs = append(inputs, "", "\x00\xff\n", big, "reject no\nnever", "decline other", "crash here", "features", big)
		var got []string
		obs := make([]program.Observation, 64) // with the rest of the previous batch
		for part := range slices.Chunk(inputs, 64) {
			if err := e.Execute(t.Context(), programtest.Inputs(part...), obs[:len(part)]); err != nil {
				t.Fatal(err)
			}
			for i, o := range obs[:len(part)] {
				got = append(got, show(o))
				switch part[i] {
				case "features":
					if !slices.Equal(o.Features, []uint32{0, 3, 4, 9}) || !bytes.Equal(o.Counts, []byte{1, 2, 1, 3}) {
						t.Errorf("features %v, counts %v", o.Features, o.Counts)
					}
				case "crash here":
					if o.Detail != "at one place\nat another" {
						t.Errorf("detail %q", o.Detail)
					}
				default:
					if len(o.Features)+len(o.Counts)+len(o.Detail) > 0 {
						t.Errorf("%.40q: %v %v %q", part[i], o.Features, o.Counts, o.Detail)
					}
				}
			}
		}
		for i := range 300 {
			inputs[i] = "accepted " + inputs[i]
		}
		copy(inputs[300:], []string{"accepted", "accepted \x00\xff\n", "accepted " + big, "rejected: no\nnever", "declined: other",
			"crashed: here", "accepted", "accepted " + big})
		if !slices.Equal(got, inputs) {
			t.Errorf("ahead %d: %.500q", ahead, got)
		}
	}
}

func TestCountsSaturate(t *testing.T) {
	o := programtest.Execute(t, mustOpen(t, fakeConfig(t, "parallax-driver 1 features=10")), "many")[0]
	if !slices.Equal(o.Features, []uint32{0, 7}) || !bytes.Equal(o.Counts, []byte{255, 1}) {
		t.Errorf("features %v, counts %v", o.Features, o.Counts)
	}
}

// TestFaults checks that a driver's end is the observation of one input, and the others are
// unaffected.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*limits.Limits)
		inputs []string
		want   []string
	}{
		{"exit", nil, []string{"a", "exit 3", "b"}, []string{"accepted a", "crashed: exit status 3", "accepted b"}},
		{"exit 0", nil, []string{"a", "exit 0", "b"}, []string{"accepted a", "crashed: exit status 0", "accepted b"}},
		{"first", nil, []string{"exit 1", "b"}, []string{"crashed: exit status 1", "accepted b"}},
		{"last", nil, []string{"b", "exit 1"}, []string{"accepted b", "crashed: exit status 1"}},
		{"all", nil, []string{"a", "exit 1", "exit 2", "exit 3", "exit 4", "exit 4", "exit 5", "b"}, []string{"accepted a", "crashed: exit status 1",
			"crashed: exit status 2", "crashed: exit status 3", "crashed: exit status 4", "crashed: exit status 4", "crashed: exit status 5", "accepted b"}},
		{"the same ever again", nil, []string{"exit 4", "exit 4", "exit 4"}, []string{"crashed: exit status 4", "crashed: exit status 4", "crashed: exit status 4"}},
		{"bad ones before any answer", nil, []string{"exit 1", "exit 2", "exit 3", "b"},
			[]string{"crashed: exit status 1", "crashed: exit status 2", "crashed: exit status 3", "accepted b"}},
		{"abort", nil, []string{"a", "abort", "b"}, []string{"accepted a", "crashed: signal: aborted", "accepted b"}},
		{"in the middle of an answer", nil, []string{"a", "half", "b"}, []string{"accepted a", "crashed: exit status 9", "accepted b"}},
		{"hang", func(l *limits.Limits) { l.Timeout = 3 * time.Second }, []string{"a", "hang", "b", "late"},
			[]string{"accepted a", "timeout: no answer within 3s", "accepted b", "timeout: no answer within 3s"}},
		{"memory", func(l *limits.Limits) { l.Memory = 128 << 20 }, []string{"a", "hog", "b"},
			[]string{"accepted a", "oom: more than 128 MiB of memory", "accepted b"}},
		{"memory at first", func(l *limits.Limits) { l.Memory = 128 << 20 }, []string{"hog", "b"},
			[]string{"oom: more than 128 MiB of memory", "accepted b"}},
		{"memory that leaks", func(l *limits.Limits) { l.Memory = 128 << 20 }, slices.Repeat([]string{"leak 30"}, 12),
			slices.Repeat([]string{"accepted leak"}, 12)},
		{"processes", func(l *limits.Limits) { l.Processes = 30 }, []string{"a", "forks", "b"},
			[]string{"accepted a", "crashed: more than 30 processes", "accepted b"}},
		{"flood", nil, []string{"a", "flood 5000000", "b", "flood 100"},
			[]string{"accepted a", "crashed: output flood: more than 4194304 bytes", "accepted b", "accepted " + strings.Repeat("f", 100)}},
		{"standard error", nil, []string{"a", "stderr 3000000", "b"}, []string{"accepted a", "accepted said", "accepted b"}},
		{"a violation that does not repeat", nil, []string{"a", "once print hello, I am a library", "b"},
			[]string{"accepted a", "accepted later", "accepted b"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			conf := fakeConfig(t, "parallax-driver 1")
			if c.change != nil {
				c.change(&conf.Limits)
			}
			e := mustOpen(t, conf)
			for range 2 { // the second round uses the process of the first
				var got []string
				for _, o := range programtest.Execute(t, e, c.inputs...) {
					got = append(got, show(o))
				}
				if !slices.Equal(got, c.want) {
					t.Errorf("got  %.300q\nwant %.300q", got, c.want)
				}
			}
		})
	}
}

func TestDetail(t *testing.T) {
	e := mustOpen(t, fakeConfig(t, "parallax-driver 1"))
	obs := programtest.Execute(t, e, "stderr 1000000", "exit 2")
	d := obs[1].Detail
	if !strings.HasPrefix(d, "...\nxxx") || !strings.HasSuffix(d, "x\ngoodbye\n") || len(d) < program.Kept-200 || len(d) > program.Kept+4 {
		t.Errorf("%d bytes: %.20q", len(d), d)
	}
	if d := programtest.Execute(t, e, "exit 2")[0].Detail; d != "goodbye\n" {
		t.Errorf("of a fresh process: %q", d)
	}
}

// TestPrivateFolder checks that TMPDIR is a folder of each process, initially empty, and so is HOME
// if it is not set.
func TestPrivateFolder(t *testing.T) {
	for _, home := range []string{"", "HOME=/h"} {
		c := fakeConfig(t, "parallax-driver 1")
		c.Env = slices.DeleteFunc(c.Env, func(set string) bool { return strings.HasPrefix(set, "TMPDIR=") || strings.HasPrefix(set, "HOME=") })
		if home != "" {
			c.Env = append([]string{home}, c.Env...)
		}
		var got []string
		for _, o := range programtest.Execute(t, mustOpen(t, c), "folder a", "folder b", "exit 1", "folder c") {
			got = append(got, show(o))
		}
		private := home == ""
		want := []string{fmt.Sprintf("accepted 0 <nil> %v", private), fmt.Sprintf("accepted 1 <nil> %v", private), "crashed: exit status 1", fmt.Sprintf("accepted 0 <nil> %v", private)}
		if !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", home, got, want)
		}
	}
}

// failure returns the error of running inputs, which must be one that the user can fix.
func failure(t *testing.T, e *Executor, inputs ...string) string {
	t.Helper()
	_, err := programtest.Try(e, inputs...)
	return userFailure(t, err)
}

func userFailure(t *testing.T, err error) string {
	t.Helper()
	var f *program.Failure
	if !errors.As(err, &f) || f.Code != 2 || f.Program != "p" {
		t.Fatalf("%#v: %v", err, err)
	}
	return err.Error()
}

// TestViolations checks that a violation of the protocol ends the campaign, with the driver's
// output.
func TestViolations(t *testing.T) {
	for _, c := range []struct {
		input string
		want  []string
	}{
		{"print hello, I am a library", []string{"verdict is A, R, D or C, not 'o'", `"hello, I am a library\n`}},
		{"print a", []string{`"a\n`}},
		{"raw ab", []string{`"ab\x06\x00\x00\x00A\x01\x00\x00\x00b"`}},
		{"length 4", []string{"an answer's length is at least 5, not 4", `"\x04\x00\x00\x00"`}},
		{"length 100", []string{"an answer stops in the middle", `"d\x00\x00\x00"`}},
		{"short 20", []string{"an answer stops in the middle", `"i\x00\x00\x00Ad\x00\x00\x00sssssssssss"`}},
		{"raw \x0a\x00\x00\x00A\x06\x00\x00\x00123456", []string{"an answer of 10 bytes cannot have a text of 6"}},
		{"raw \x0a\x00\x00\x00A\x04\x00\x00\x00123456", []string{"come features of 4 bytes each, not 1 bytes"}},
		{"feature 10", []string{"feature 10, and the greeting says features=10"}},
		{"feature 4294967295", []string{"feature 4294967295"}},
		{"closes", []string{"closed its standard output and went on running"}},
	} {
		t.Run(c.input, func(t *testing.T) {
			t.Parallel()
			conf := fakeConfig(t, "parallax-driver 1 features=10")
			conf.Limits.Timeout = 2 * time.Second
			e := mustOpen(t, conf)
			text := failure(t, e, "a", c.input, "b")
			for _, want := range append(c.want, "program p: the driver breaks the protocol: ", "parallax help driver-protocol") {
				if !strings.Contains(text, want) {
					t.Errorf("%q is not in %s", want, text)
				}
			}
			if o := programtest.Execute(t, e, "again")[0]; show(o) != "accepted again" {
				t.Error("afterwards:", show(o))
			}
		})
	}
}

func TestNoFeatures(t *testing.T) {
	e := mustOpen(t, fakeConfig(t, "parallax-driver 1"))
	if text := failure(t, e, "feature 1"); !strings.Contains(text, "the greeting had no features=N") {
		t.Error(text)
	}
}

// TestUnsolicited checks that a second answer is never tolerated. It shifts every later one to
// another input.
func TestUnsolicited(t *testing.T) {
	e := mustOpen(t, fakeConfig(t, "parallax-driver 1"))
	programtest.Execute(t, e, "a", "twice")
	for deadline := time.Now().Add(time.Minute); ; {
		_, err := programtest.Try(e, "b")
		if err != nil {
			if text := userFailure(t, err); !strings.Contains(text, "more answers than it had requests") {
				t.Error(text)
			}
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("nothing noticed")
		}
	}
}

// TestUnread runs a driver that answers before it has read the whole request.
func TestUnread(t *testing.T) {
	c := fakeConfig(t, "parallax-driver 1")
	c.Limits.Timeout = 2 * time.Second
	e := mustOpen(t, c)
	obs := programtest.Execute(t, e, "a", "early", strings.Repeat("x", 1<<20), "b")
	if got := show(obs[2]); got != "timeout: no answer within 2s" || show(obs[3]) != "accepted b" {
		t.Error(got, show(obs[3]))
	}
}

// TestViolationsWithoutEnd runs a driver that violates the protocol in every batch, never twice in
// the same place.
func TestViolationsWithoutEnd(t *testing.T) {
	c := fakeConfig(t, "parallax-driver 1")
	e := mustOpen(t, c)
	for i := range 100 {
		_, err := programtest.Try(e, "a", "once raw hello, I am a library")
		if err != nil {
			if text := userFailure(t, err); i != patience-1 || !strings.Contains(text, "hello") {
				t.Error(i, text)
			}
			return
		}
		os.Remove(filepath.Join(c.Dir, "once"))
	}
	t.Error("it was tolerated")
}

func TestFruitless(t *testing.T) {
	if testing.Short() {
		t.Skip("compares long runs")
	}
	for how, want := range map[string]string{"dead": "with an empty input the driver ended: exit status 4", "deaf": "with an empty input the driver did not answer: no answer in time"} {
		c := fakeConfig(t, how)
		c.Limits.Timeout = time.Second
		e := mustOpen(t, c)
		if how == "deaf" {
			e.startLimit = time.Second
		}
		text := failure(t, e, "a", "b", "c")
		if !strings.Contains(text, "the driver does not answer") || !strings.Contains(text, want) || (how == "dead") != strings.Contains(text, "cannot do anything") {
			t.Error(text)
		}
	}
	// A driver worked once, and does not any more.
	c := fakeConfig(t, "parallax-driver 1")
	e := mustOpen(t, c)
	programtest.Execute(t, e, "a")
	e.c.Env[len(e.c.Env)-1] = "PARALLAX_FAKE_DRIVER=dead"
	if text := failure(t, e, "exit 1", "b", "c"); !strings.Contains(text, "with an input that it had answered before the driver ended: exit status 4") {
		t.Error(text)
	}
}

func TestGreetings(t *testing.T) {
	for greeting, want := range map[string]string{
		"hello":                               `its first line is not the greeting "parallax-driver 1"; what came begins with "hello\n"`,
		"parallax-driver 2":                   `it speaks another version of the protocol, and this parallax version 1; what came begins with "parallax-driver 2\n"`,
		"parallax-driver 10":                  `its first line is not the greeting`,
		"parallax-driver 1 features=many":     `its greeting says "features=many", where features=N, counts, numbers and table=BYTES are possible, N at most 1048576`,
		"parallax-driver 1 features=1048577":  `its greeting says "features=1048577", where features=N, counts, numbers and table=BYTES are possible, N at most 1048576`,
		"parallax-driver 1 features=99999999": `"features=99999999"`,
		"parallax-driver 1 features=-1":       `"features=-1"`,
		"parallax-driver 1 color=red":         `"color=red"`,
		"parallax-driver 1 table=3":           "an answer stops in the middle",
		strings.Repeat("parallax", 10000):     `what came begins with "parallaxparallax`,
		"no greeting":                         "it ended before its greeting: exit status 7",
		"closes":                              "it closed its standard output before its greeting",
		"hog":                                 "it used more than 128 MiB of memory before its greeting",
	} {
		t.Run(fmt.Sprintf("%.30s", greeting), func(t *testing.T) {
			t.Parallel()
			c := fakeConfig(t, greeting)
			c.Limits.Memory = 128 << 20
			if strings.Contains(greeting, "table=") { // a missing table is waited for as briefly as for the start
				c.Limits.Timeout = time.Second
			}
			_, err := Open(t.Context(), c)
			if text := userFailure(t, err); !strings.Contains(text, want) || !strings.HasPrefix(text, "program p: the driver "+c.Args[0]+" does not start: ") {
				t.Error(text)
			}
			unlocked(t, c.Dir)
		})
	}
	e := mustOpen(t, fakeConfig(t, "parallax-driver 1 features=7"))
	e.c.Env[len(e.c.Env)-1] = "PARALLAX_FAKE_DRIVER=parallax-driver 1 features=8"
	if text := failure(t, e, "exit 1", "b"); !strings.Contains(text, "said features=7, and says features=8") {
		t.Error(text)
	}
}

func TestGreetingTooLate(t *testing.T) {
	e := &Executor{c: fakeConfig(t, "hang"), openSandbox: openSandbox, startLimit: time.Second}
	_, err := e.fresh(t.Context())
	if text := userFailure(t, err); !strings.Contains(text, "no greeting came within 1s") {
		t.Error(text)
	}
	e.closeSandbox()
	unlocked(t, e.c.Dir)
}

// unlocked fails if a fake driver still runs in the folder.
func unlocked(t *testing.T, dir string) {
	t.Helper()
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		t.Error("a driver is still running:", err)
	}
}

func TestContext(t *testing.T) {
	c := fakeConfig(t, "parallax-driver 1")
	e := mustOpen(t, c)
	ctx, cancel := context.WithCancel(t.Context())
	obs := make([]program.Observation, 3)
	time.AfterFunc(300*time.Millisecond, cancel)
	if err := e.Execute(ctx, programtest.Inputs("a", "hang", strings.Repeat("x", 1<<20)), obs); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	unlocked(t, c.Dir)
	if err := e.Execute(ctx, programtest.Inputs("a"), obs[:1]); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if o := programtest.Execute(t, e, "later")[0]; show(o) != "accepted later" {
		t.Error(show(o))
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
	unlocked(t, c.Dir)

	ctx, cancel = context.WithCancel(t.Context())
	time.AfterFunc(300*time.Millisecond, cancel)
	c = fakeConfig(t, "hang")
	if _, err := Open(ctx, c); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	unlocked(t, c.Dir)
}

// endingSandbox is a sandbox that ends once.
type endingSandbox struct {
	sandbox
	left *int
}

type goneProcess struct {
	running
	left *int
}

func (b endingSandbox) Start(c confine.Command) (running, error) {
	p, err := b.sandbox.Start(c)
	return goneProcess{p, b.left}, err
}

func (p goneProcess) Wait() confine.Status {
	s := p.running.Wait()
	if *p.left > 0 {
		*p.left--
		s.Err = confine.ErrGone
	}
	return s
}

func TestSandboxGone(t *testing.T) {
	for left, want := range map[int]string{1: "crashed: exit status 3", 2: "waiting for the driver"} {
		e, err := open(t.Context(), fakeConfig(t, "parallax-driver 1"), func(ctx context.Context, c Config) (sandbox, error) {
			b, err := openSandbox(ctx, c)
			return endingSandbox{b, &left}, err
		})
		if err != nil {
			t.Fatal(err)
		}
		obs := make([]program.Observation, 3)
		err = e.Execute(t.Context(), programtest.Inputs("a", "exit 3", "b"), obs)
		if got := show(obs[1]); err != nil {
			got = err.Error()
			if !strings.Contains(got, want) {
				t.Error(got)
			}
		} else if got != want || obs[2].Outcome != oracle.Accepted {
			t.Error(got, show(obs[2]))
		}
		e.Close()
	}
}

func TestAllocations(t *testing.T) {
	e := mustOpen(t, fakeConfig(t, "parallax-driver 1 features=10"))
	inputs := programtest.Inputs(slices.Repeat([]string{"features", "text"}, 32)...)
	obs := make([]program.Observation, len(inputs))
	perBatch := testing.AllocsPerRun(50, func() {
		if err := e.Execute(t.Context(), inputs, obs); err != nil {
			t.Fatal(err)
		}
	})
	// A few per batch, for contexts and timers, and none per input.
	if perBatch > 30 {
		t.Errorf("%v allocations for %d inputs", perBatch, len(inputs))
	}
}

// FuzzAnswers checks that reading a driver's output ends, within the limits, with answers in order
// or with an error.
func FuzzAnswers(f *testing.F) {
	f.Add([]byte("parallax-driver 1 features=10\n" + string(frame('A', "value", 3, 3, 1)) + string(frame('C', "m\nd"))))
	f.Add([]byte("parallax-driver 1 features=2 counts table=" + strconv.Itoa(len(twoBlocks)) + "\n" + twoBlocks + string(frame('A', "v")) + "\x08\x00\x00\x00A\x01\x00\x00\x00v\x00\x03"))
	f.Add([]byte("parallax-driver 1\n" + string(frame('R', "why")) + string(frame('D', ""))))
	f.Add([]byte("parallax-driver 1 numbers features=10\n" + string(numbered(0, frame('A', "v", 3))) + string(numbered(1, frame('R', ""))) + string(numbered(3, frame('R', "")))))
	f.Add([]byte("parallax-driver 1\nTraceback (most recent call last):\n"))
	f.Add([]byte("parallax-driver 1\n\xff\xff\xff\x7fA\xf0\xff\xff\x7f"))
	f.Fuzz(func(t *testing.T, data []byte) {
		a := &answers{in: bufio.NewReader(bytes.NewReader(data))}
		h, err := a.greeting()
		if err != nil {
			return
		}
		var o program.Observation
		for rest := len(data); err == nil; {
			if err = a.next(&o, 1000); err != nil {
				break
			}
			rest -= 9 + len(o.Value) // other parts are not distinguished
			if rest < 0 || len(o.Value) > 1000 || o.Outcome == 0 || len(o.Features) != len(o.Counts) {
				t.Fatalf("%+v", o)
			}
			for i, number := range o.Features {
				if int(number) >= h.features || o.Counts[i] == 0 || i > 0 && number <= o.Features[i-1] {
					t.Fatalf("%+v of %d features", o, h.features)
				}
			}
			o.Reset()
		}
		for _, c := range a.counts {
			if c != 0 && err == errClosed && !h.counts {
				t.Fatal("counts are left from one answer to the next")
			}
		}
	})
}

func TestWarningOfJava(t *testing.T) {
	_, err := Open(t.Context(), fakeConfig(t, "[0.013s][warning][perf,memops] Cannot use file"))
	if text := userFailure(t, err); !strings.Contains(text, "java -XX:-UsePerfData") {
		t.Error(text)
	}
}

// TestLeftOut checks that an omitted answer is missing for its input alone, whatever its position
// and the fate of later inputs. No input gets the answer of another.
func TestLeftOut(t *testing.T) {
	special := map[string]string{
		"nothing":                          "timeout: no answer within 2s",
		"exit 3":                           "crashed: exit status 3",
		"flood 5000000":                    "crashed: output flood: more than 4194304 bytes",
		"once print hello, I am a library": "accepted later",
	}
	for _, second := range []string{"fine", "nothing", "exit 3", "flood 5000000", "once print hello, I am a library"} {
		for _, before := range []int{0, 20} {
			t.Run(fmt.Sprintf("%s after %d", second, before), func(t *testing.T) {
				t.Parallel()
				inputs := slices.Concat(row("before", before), []string{"nothing"}, row("between", 10), []string{second}, row("after", 20))
				var got, want []string
				for _, input := range inputs {
					answer, is := special[input]
					if !is {
						answer = "accepted " + input
					}
					want = append(want, answer)
				}
				c := fakeConfig(t, "parallax-driver 1")
				c.Limits.Timeout = 2 * time.Second
				for _, o := range programtest.Execute(t, mustOpen(t, c), inputs...) {
					got = append(got, show(o))
				}
				if !slices.Equal(got, want) {
					t.Errorf("\ngot  %q\nwant %q", got, want)
				}
			})
		}
	}
}

func row(what string, n int) []string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf("%s-%d", what, i))
	}
	return all
}

// TestInterruptedSandbox checks that an interrupt while the sandbox is made is no failure of it.
func TestInterruptedSandbox(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	e := &Executor{c: fakeConfig(t, "parallax-driver 1")}
	e.openSandbox = func(context.Context, Config) (sandbox, error) {
		cancel()
		return nil, fmt.Errorf("starting it: %w", ctx.Err())
	}
	if _, err := e.fresh(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
