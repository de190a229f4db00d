package main_test

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild/gocommand/moduletest"
)

// fleetKills is the environment variable with the number of kills in TestFleet. Some take a second,
// since a member builds when it starts.
const fleetKills = "PARALLAX_FLEET_KILLS"

// fleetTarget has blocks that all members find, three panics, and an input that ends its worker.
const fleetTarget = `package toy

import (
	"os"
	"testing"
	"time"
)

func one()   { panic("one") }
func two()   { panic("two") }
func three() { panic("three") }

func FuzzToy(f *testing.F) {
	f.Add([]byte("seed"))
	f.Fuzz(func(t *testing.T, b []byte) {
		time.Sleep(100 * time.Microsecond)
		n := 0
		for _, c := range b[:min(len(b), 3)] {
			%s
		}
		switch {
		case n >= 20 && b[0] == 'A':
			one()
		case n >= 20 && b[0] == 'B':
			two()
		case n >= 20 && b[0] == 'C':
			three()
		case n >= 20 && b[0] == 'D':
			os.Exit(3)
		}
	})
}
`

// fleet is a hub and members as processes.
type fleet struct {
	t       *testing.T
	tool    *tool
	module  string
	dir     string
	address string
	hub     *running
	members []*running
	env     []string // of members
}

// running is a process that is killed and started again.
type running struct {
	name   string
	within []string // the command that starts it elsewhere; may be empty
	path   string   // of the executable; empty means that of the test
	env    []string
	args   []string
	log    *safeBuffer
	cmd    *exec.Cmd
	done   chan error
}

// safeBuffer holds the output of a process.
type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *safeBuffer) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(b)
}

func (s *safeBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// newFleet starts a hub and members.
func newFleet(t *testing.T, members int) *fleet {
	f := emptyFleet(t)
	f.startHub("127.0.0.1:0")
	for range members {
		f.startMember()
	}
	return f
}

// emptyFleet returns a fleet without processes. Their output will be in their logs.
func emptyFleet(t *testing.T) *fleet {
	f := &fleet{t: t, tool: newTool(t).marked(t), module: moduletest.Dir(t), dir: t.TempDir()}
	var cases strings.Builder
	cases.WriteString("switch {\n")
	for i := range 24 {
		fmt.Fprintf(&cases, "case c < %d:\n\tn += %d\n", 10*(i+1), i%8)
	}
	cases.WriteString("}")
	for name, text := range map[string]string{"go.mod": "module toy\n\ngo 1.24\n", "toy_test.go": fmt.Sprintf(fleetTarget, cases.String())} {
		if err := os.WriteFile(filepath.Join(f.module, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	f.hub = &running{name: "hub"}
	t.Cleanup(f.end)
	return f
}

// startHub starts the hub.
func (f *fleet) startHub(listen string, flags ...string) {
	f.t.Helper()
	f.hub.args = append([]string{"serve", "--hub", listen, "--dir", filepath.Join(f.dir, "hub")}, flags...)
	f.start(f.hub)
	pattern := regexp.MustCompile(`nats://([0-9.]+:[0-9]+)`)
	f.eventually("the hub listens", func() bool {
		m := pattern.FindStringSubmatch(f.hub.log.String())
		if m != nil {
			f.address = m[1]
		}
		return m != nil
	})
	f.hub.args[2] = f.address
}

// startMember starts one more member.
func (f *fleet) startMember(within ...string) *running {
	f.t.Helper()
	n := len(f.members)
	name := "member" + strconv.Itoa(n)
	m := &running{name: name, within: within, env: f.env, args: []string{
		"fuzz", ".", "--fuzztime", "0", "-p", "1", "--no-cmplog", "--ui", "none", "--seed", strconv.Itoa(n + 1), "--out", filepath.Join(f.dir, name), "--join", "nats://" + f.address,
	}}
	f.members = append(f.members, m)
	f.start(m)
	return m
}

func (f *fleet) start(r *running) {
	f.t.Helper()
	r.log = &safeBuffer{}
	words := slices.Concat(r.within, []string{cmp.Or(r.path, f.tool.path)}, r.args)
	r.cmd = exec.Command(words[0], words[1:]...)
	r.cmd.Dir, r.cmd.Env, r.cmd.Stderr, r.cmd.Stdout = f.module, slices.Concat(f.tool.env, r.env), r.log, r.log
	r.cmd.WaitDelay = patience
	if err := r.cmd.Start(); err != nil {
		f.t.Fatal(err)
	}
	r.done = make(chan error, 1)
	go func(c *exec.Cmd, done chan<- error) { done <- c.Wait() }(r.cmd, r.done)
}

// kill kills a process. It fails if the process had ended by itself, unless there was no hub when a
// member started.
func (f *fleet) kill(r *running) {
	f.t.Helper()
	_ = r.cmd.Process.Kill()
	<-r.done
	if status := r.cmd.ProcessState; status.Exited() && !f.alone(r) {
		f.t.Fatalf("%s has ended: %v\n%s", r.name, status, r.log)
	}
}

// alone reports whether an ended member found no hub when it started.
func (f *fleet) alone(r *running) bool {
	return r.cmd.ProcessState.ExitCode() == exit.InfraCode && strings.Contains(r.log.String(), "no hub answers there")
}

// revive starts members again that found no hub.
func (f *fleet) revive() {
	f.t.Helper()
	for _, m := range f.members {
		select {
		case err := <-m.done:
			if !f.alone(m) {
				f.t.Fatalf("%s has ended: %v\n%s", m.name, err, m.log)
			}
			f.start(m)
		default:
		}
	}
}

// end ends all processes that still run.
func (f *fleet) end() {
	for _, r := range append([]*running{f.hub}, f.members...) {
		if r.cmd != nil && r.cmd.ProcessState == nil {
			_ = r.cmd.Process.Kill()
			<-r.done
		}
	}
}

func (f *fleet) eventually(what string, is func() bool) {
	f.t.Helper()
	for end := time.Now().Add(3 * patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if is() {
			return
		}
	}
	for _, r := range append([]*running{f.hub}, f.members...) {
		f.t.Logf("%s: %s", r.name, r.log)
	}
	f.t.Fatalf("still not: %s", what)
}

// inputs returns the hashes of the inputs in a part of a member's folder.
func (f *fleet) inputs(r *running, patterns ...string) map[string]bool {
	set := map[string]bool{}
	for _, pattern := range patterns {
		paths, _ := filepath.Glob(filepath.Join(f.dir, r.name, pattern))
		for _, path := range paths {
			hash, _, _ := strings.Cut(filepath.Base(path), "-")
			if corpus.IsHash(hash) {
				set[hash] = true
			}
		}
	}
	return set
}

// lacks returns the number of inputs that a member does not have.
func (f *fleet) lacks(r *running, inputs map[string]bool) (n int) {
	have := f.inputs(r, "corpus/*", "peers/*/*")
	for hash := range inputs {
		if !have[hash] {
			n++
		}
	}
	return n
}

// buckets returns the ids of the findings in a member's folder.
func (f *fleet) buckets(r *running) map[string]bool {
	set := map[string]bool{}
	paths, _ := filepath.Glob(filepath.Join(f.dir, r.name, "findings", "*", "bucket.json"))
	for _, path := range paths {
		set[filepath.Base(filepath.Dir(path))] = true
	}
	return set
}

// owns reports whether a member has locked its folder. It handles signals by then.
func (f *fleet) owns(r *running) bool {
	text, _ := os.ReadFile(filepath.Join(f.dir, r.name, "lock"))
	return strings.TrimSpace(string(text)) == strconv.Itoa(r.cmd.Process.Pid)
}

// TestFleet kills members and their hub at random. Afterwards each member has all inputs and
// findings that any had before, and no finding twice.
func TestFleet(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs campaigns")
	}
	kills := 20
	if text := os.Getenv(fleetKills); text != "" {
		var err error
		if kills, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	f := newFleet(t, 4)
	inputs, buckets := map[string]bool{}, map[string]bool{}
	look := func() {
		for _, m := range f.members {
			maps.Copy(inputs, f.inputs(m, "corpus/*"))
			maps.Copy(buckets, f.buckets(m))
		}
	}
	f.eventually("a first input is kept", func() bool { look(); return len(inputs) > 0 })
	for range kills {
		time.Sleep(time.Duration(r.IntN(1500)) * time.Millisecond)
		look()
		victim := append([]*running{f.hub}, f.members...)[r.IntN(1+len(f.members))]
		f.kill(victim)
		time.Sleep(time.Duration(r.IntN(300)) * time.Millisecond)
		f.start(victim)
	}
	const causes = 4
	f.eventually("all members have all inputs and findings", func() bool {
		f.revive()
		look()
		for _, m := range f.members {
			if f.lacks(m, inputs) > 0 || !maps.Equal(f.buckets(m), buckets) || len(buckets) < causes {
				return false
			}
		}
		return true
	})
	if len(buckets) != causes {
		t.Errorf("%d findings of %d causes: %q", len(buckets), causes, slices.Sorted(maps.Keys(buckets)))
	}
	f.interrupt()
	look()
	t.Logf("%d inputs, %d findings, %d kills", len(inputs), len(buckets), kills)
}

// interrupt ends the members by ^C, and checks that they have findings.
func (f *fleet) interrupt() {
	f.t.Helper()
	for _, m := range f.members {
		f.eventually(m.name+" has started", func() bool { f.revive(); return f.owns(m) })
		if err := m.cmd.Process.Signal(os.Interrupt); err != nil {
			f.t.Fatal(err)
		}
		var err error
		f.eventually(m.name+" ends", func() bool {
			select {
			case err = <-m.done:
				return true
			default:
				return false
			}
		})
		var status *exec.ExitError
		if !errors.As(err, &status) || status.ExitCode() != 1 {
			f.t.Errorf("%s: %v\n%s", m.name, err, m.log)
		}
	}
}
