package gencheck

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild/fuzztest"
	"parallax/cmd/internal/gobuild/library"
	"parallax/cmd/internal/process/confine"
)

// The variable and the lines of gen/examine.go, which documents them.
const (
	variable    = "PARALLAX_GEN_CHECK"
	lineVersion = 1
)

// line is a line that the library prints.
type line struct {
	Version  int              `json:"version"`
	Property int              `json:"property"`
	Name     string           `json:"name"`
	Input    int              `json:"input"`
	Choices  int              `json:"choices"`
	Runs     int              `json:"runs"`
	Invalid  bool             `json:"invalid"`
	Reason   string           `json:"reason"`
	File     string           `json:"file"`
	Line     int              `json:"line"`
	Failed   bool             `json:"failed"`
	Sites    []observedSite   `json:"sites"`
	Lines    []place          `json:"lines"`
	Mistakes []libraryMistake `json:"mistakes"`
	Done     bool             `json:"done"`
}

// observedSite is a site with the observations of one input.
type observedSite struct {
	where
	Override bool   `json:"override"`
	Draws    int    `json:"draws"`
	Bound    uint64 `json:"bound"`
	Reruns   int    `json:"reruns"`
	Changed  int    `json:"changed"`
	Unclear  int    `json:"unclear"`
}

// where names a site.
type where struct {
	File  string `json:"file"`
	Line  int    `json:"line"`
	Label string `json:"label"`
	By    string `json:"by"`
	Kind  string `json:"kind"`
}

type place struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

// libraryMistake is a mistake that the library reports.
type libraryMistake struct {
	Kind  string `json:"kind"`
	File  string `json:"file"`
	Line  int    `json:"line"`
	Label string `json:"label"`
	By    string `json:"by"`
	Text  string `json:"text"`
	Other int    `json:"other"`
	Draws bool   `json:"draws"`

	Unmade bool `json:"-"` // Of, Grammar or a similar function panics outside of properties
}

// mostDeaths limits the restarts of a test that ends its process.
const mostDeaths = 3

// test is an examined test. Each of its properties is a target.
type test struct {
	o      *Options
	box    *confine.Sandbox
	pkg    *fuzztest.Package
	fn     fuzztest.Func
	binary string

	targets []*Target
	names   map[string]int  // number of targets per name
	now     *Target         // the current target
	unmade  *libraryMistake // a failed construction of a generator, outside of properties
	last    processEnd
}

// processEnd describes the end of a process.
type processEnd struct {
	status   confine.Status
	silent   bool // it gave no sign of life and was killed
	hung     bool // it reported a hang itself
	property int  // the last examined one
	input    int
	stderr   string
}

// run examines the test. If an input ends the process, run continues with the next input in another
// process.
func (t *test) run(ctx context.Context) error {
	property, input := 0, 0
	for deaths := 0; ; deaths++ {
		if err := t.process(ctx, property, input); err != nil {
			return err
		}
		if t.now == nil {
			if t.last.status.Exit != 0 {
				t.unmade = unmade(t.last.stderr, t.pkg.Env.GOROOT)
			}
			return nil
		}
		t.recordDeath()
		if deaths == mostDeaths {
			t.now.Notes = append(t.now.Notes, fmt.Sprintf("it ended its process %d times: %s was not examined further", deaths+1, t.fn.Name))
			return nil
		}
		property, input = t.last.property, t.last.input+1
	}
}

// settings holds the parameters of the library's examination.
type settings struct {
	Key     string `json:"key"`
	Seed    uint64 `json:"seed"`
	Inputs  int    `json:"inputs"`
	Reruns  int    `json:"reruns"`
	From    int    `json:"from"`
	Skip    int    `json:"skip"`
	Timeout int64  `json:"timeout"`
}

// process runs the test in a process, starting with an input of a property. Afterwards, now is the
// unfinished target.
func (t *test) process(ctx context.Context, property, input int) error {
	t.now, t.last = nil, processEnd{property: property, input: input}
	s := settings{Key: fmt.Sprintf("parallax-%016x", rand.Uint64()), Seed: t.o.Seed, Inputs: t.o.Inputs, Reruns: t.o.Reruns, From: input, Skip: property, Timeout: t.o.Timeout.Milliseconds()}
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	outRead, outWrite, err := os.Pipe()
	if err != nil {
		return exit.Infra("%w", err)
	}
	errRead, errWrite, err := os.Pipe()
	if err != nil {
		return exit.Infra("%w", err)
	}
	defer outRead.Close()
	defer errRead.Close()
	p, err := t.box.Start(confine.Command{
		Path: t.binary, Args: []string{t.binary, "-test.run=^" + t.fn.Name + "$", "-test.paniconexit0", "-test.timeout=0"}, Dir: t.pkg.Dir,
		Env: t.box.Environ(append(os.Environ(), "GOTRACEBACK=all", "PWD="+t.pkg.Dir, variable+"="+string(text))), Stdout: outWrite, Stderr: errWrite,
	})
	outWrite.Close()
	errWrite.Close()
	if err != nil {
		return exit.Infra("starting the tests of %s: %w", t.pkg.ImportPath, err)
	}
	stop := context.AfterFunc(ctx, p.Kill)
	defer stop()
	var silent atomic.Bool
	patience := 10*t.o.Timeout + time.Minute // more than the library allows a run, plus the start of a test
	alarm := time.AfterFunc(patience, func() {
		silent.Store(true)
		p.Kill()
	})
	defer alarm.Stop()
	var readers sync.WaitGroup
	var stderr tail
	readers.Add(2)
	go func() {
		defer readers.Done()
		io.Copy(&stderr, errRead)
	}()
	var bad error
	go func() {
		defer readers.Done()
		bad = t.read(outRead, s.Key, func() { alarm.Reset(patience) })
	}()
	t.last.status = p.Wait()
	readers.Wait()
	t.last.silent, t.last.stderr = silent.Load(), stderr.String()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case t.last.status.Err != nil:
		return exit.Infra("%w", t.last.status.Err)
	}
	return bad
}

// longest limits the length of a line.
const longest = 64 << 20

// read reads the output of the test, and parses the lines that begin with the key.
func (t *test) read(from io.Reader, key string, heard func()) (bad error) {
	r := bufio.NewReaderSize(from, 1<<16)
	prefix := []byte(key + " ")
	var long []byte
	for {
		part, err := r.ReadSlice('\n')
		if len(long)+len(part) < longest {
			long = append(long, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			if !bytes.HasPrefix(long, prefix) { // a line of the user, of any length
				long = long[:0]
			}
			continue
		}
		if text, ours := bytes.CutPrefix(bytes.TrimSpace(long), prefix); ours && err == nil && bad == nil {
			heard()
			bad = t.parse(text)
		}
		if long = long[:0]; err != nil {
			return bad
		}
	}
}

// parse parses a line.
func (t *test) parse(text []byte) error {
	if at, ok := strings.CutPrefix(string(text), "@"); ok {
		property, input, _ := strings.Cut(at, " ")
		t.last.property, _ = strconv.Atoi(property)
		t.last.input, _ = strconv.Atoi(input)
		return nil
	}
	var l line
	if err := json.Unmarshal(text, &l); err != nil {
		return exit.Infra("the tests of %s print what cannot be read: %w", t.pkg.ImportPath, err)
	}
	switch {
	case l.Version > 0:
		if l.Version != lineVersion {
			return exit.Usage("the copy of the library that %s uses is of another version than this parallax: write it again with parallax init", t.pkg.ImportPath)
		}
		t.last.property, t.last.input = l.Property, -1
		t.now = t.target(l.Property, l.Name)
	case t.now == nil:
	case l.Done:
		t.now = nil
	default:
		t.now.add(&l)
		for _, m := range l.Mistakes {
			t.last.hung = t.last.hung || m.Kind == hangs
		}
	}
	return nil
}

// target returns the target of a property of the test, by its number.
func (t *test) target(property int, name string) *Target {
	for len(t.targets) <= property {
		t.names[name]++
		if n := t.names[name]; n > 1 {
			name = fmt.Sprintf("%s (%d)", name, n)
		}
		t.targets = append(t.targets, &Target{Package: t.pkg.ImportPath, Name: name})
	}
	return t.targets[property]
}

// recordDeath records the end of an unfinished process.
func (t *test) recordDeath() {
	l := &t.last
	m := libraryMistake{Kind: crashes, Draws: true}
	switch at, within, message := fatal(l.stderr, t.pkg.Env.GOROOT); {
	case l.hung:
		return // it was reported
	case l.status.OOM:
		m.Kind = memory
	case l.silent:
		m.Kind = hangs
	case message != "" && strings.Contains(message, "out of memory"):
		m.Kind, m.File, m.Line = memory, at.File, at.Line
	case message != "" && within:
		m.Text, m.File, m.Line = message, at.File, at.Line
	default:
		how := message
		if how == "" {
			how = fmt.Sprintf("exit status %d", l.status.Exit)
			if l.status.Signal != 0 {
				how = "signal: " + l.status.Signal.String()
			}
		}
		where := "" // os.Exit leaves no stack
		if message != "" {
			where = ", in what is no generator"
		}
		t.now.Notes = append(t.now.Notes, fmt.Sprintf("input %d ends the process%s (%s): it is left out", l.input+1, where, how))
		return
	}
	t.now.said = append(t.now.said, m)
}

// unmade finds the failed construction of a generator in the output of a process. The library
// panics in the user's call, for instance on an invalid tag of Of or an invalid grammar.
func unmade(text, goroot string) *libraryMistake {
	const begin, made = "panic: gen: ", "\n\ngoroutine "
	_, text, ok := strings.Cut("\n"+text, "\n"+begin)
	if !ok {
		return nil
	}
	message, stack, ok := strings.Cut(text, made)
	if !ok {
		return nil
	}
	message, _, _ = strings.Cut(message, "\n\tpanic: ") // package testing panics again
	message = strings.TrimSpace(strings.NewReplacer(" [recovered]", "", " [recovered, repanicked]", "").Replace(message))
	stack, _, _ = strings.Cut(stack, "\n\n")
	if _, below, ok := strings.Cut(stack, "\npanic("); ok {
		stack = below
	}
	m := &libraryMistake{Kind: panics, Text: message, Unmade: true}
	lines := strings.Split(stack, "\n")
	within := false
	for i := 0; i+1 < len(lines); i++ {
		path, number, ok := strings.Cut(strings.TrimSpace(lines[i+1]), ".go:")
		if !ok || !strings.HasPrefix(lines[i+1], "\t") || goroot != "" && strings.HasPrefix(path, goroot+"/") {
			continue
		}
		if strings.Contains(lines[i], "/gen.") && !within || within && ofLibrary(lines[i]) {
			within = true
			continue
		}
		if !within { // another function panics with such a text
			return nil
		}
		m.File = path + ".go"
		fmt.Sscanf(number, "%d", &m.Line)
		return m
	}
	return nil
}

// ofLibrary reports whether a line of a stack names a function of the library.
func ofLibrary(function string) bool {
	slash := strings.LastIndexByte(strings.SplitN(function, "(", 2)[0], '/')
	dot := strings.IndexByte(function[slash+1:], '.')
	if dot < 0 {
		return false
	}
	root, ok := library.Root(function[:slash+1+dot])
	return ok && root != ""
}

// unreached explains why a test has no target.
func (t *test) unreached() error {
	name := t.pkg.ImportPath + "." + t.fn.Name
	if t.last.status.Exit == 0 {
		return exit.Usage("%s reaches no gen.Check or gen.Fuzz: it skips before, or the copy of the library is of an earlier parallax, and parallax init writes it again", name)
	}
	text := strings.TrimSpace(t.last.stderr)
	if len(text) > 2000 {
		text = text[:2000] + "..."
	}
	return exit.Baseline("%s fails before it reaches gen.Check or gen.Fuzz (exit status %d)\n%s", name, t.last.status.Exit, text)
}

// fatal finds the runtime's reason for the end of a process in its output, and the place of the
// property. The place is the innermost line outside of the library and of goroot.
func fatal(text, goroot string) (at place, within bool, message string) {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, "fatal error: ") || strings.HasPrefix(l, "panic: ") || strings.HasPrefix(l, "runtime: out of memory") {
			message, lines = l, lines[i:]
			break
		}
	}
	if message == "" {
		return place{}, false, ""
	}
	const running = "gen.(*checker).once("
	for _, stack := range strings.Split(strings.Join(lines, "\n"), "\n\n") {
		if !strings.Contains(stack, running) {
			continue
		}
		_, file, _ := strings.Cut(stack, running)
		_, file, _ = strings.Cut(file, "\n\t")
		dir := file[:max(0, strings.LastIndex(file, "/check.go:"))]
		lines := strings.Split(stack, "\n")
		for i := 0; i+1 < len(lines); i++ {
			path, number, ok := strings.Cut(strings.TrimSpace(lines[i+1]), ".go:")
			if !ok || !strings.HasPrefix(lines[i+1], "\t") {
				continue
			}
			within = within || strings.Contains(lines[i], "gen.Gen[") && strings.Contains(lines[i], "].Draw(")
			if at.File == "" && !strings.HasPrefix(lines[i], "runtime.") && (goroot == "" || !strings.HasPrefix(path, goroot+"/")) && !strings.HasPrefix(path, dir+"/") && !strings.Contains(lines[i], "/internal/tape.") {
				at.File = path + ".go"
				fmt.Sscanf(number, "%d", &at.Line)
			}
		}
		break
	}
	return at, within, message
}

// tail keeps the end of the written data.
type tail struct{ buf []byte }

const kept = 1 << 20

func (t *tail) Write(b []byte) (int, error) {
	if t.buf = append(t.buf, b...); len(t.buf) > 2*kept {
		t.buf = append(t.buf[:0], t.buf[len(t.buf)-kept:]...)
	}
	return len(b), nil
}

func (t *tail) String() string { return string(t.buf) }
