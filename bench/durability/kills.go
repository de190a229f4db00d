package main

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// longest is the longest time from the start of a campaign to its kill. Each begins with a build
// that is in the cache, and with the corpus and the findings of the runs before.
const longest = 4 * time.Second

// patience is how long to wait for a campaign to fuzz.
const patience = time.Minute

// said collects the output of a campaign. It may be read meanwhile.
type said struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *said) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *said) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

func (s *said) has(text string) bool { return strings.Contains(s.String(), text) }

// Between the kills of two workers passes at most workerGap, and in one campaign die at most
// mostWorkers by it.
const (
	workerGap   = 600 * time.Millisecond
	mostWorkers = 6
)

// kills ends n processes of all subjects, side by side: a few workers of a campaign, and then the
// campaign itself.
func (t *trial) kills(n int) {
	if n == 0 {
		return
	}
	var group sync.WaitGroup
	supervisors, workers := make([]int, len(t.subjects)), make([]int, len(t.subjects))
	for i, s := range t.subjects {
		group.Add(1)
		go func() {
			defer group.Done()
			for round := 0; supervisors[i]+workers[i] < (n+len(t.subjects)-1)/len(t.subjects); round++ {
				w, killed := t.killed(s)
				if workers[i] += w; killed {
					supervisors[i]++
				}
				now, problems := look(s.out())
				for _, what := range append(problems, s.ledger.lost(&now)...) {
					t.fail(s, "round %d: lost after a kill: %s", round, what)
				}
				s.ledger.take(now)
				if round%16 == 15 {
					t.resumes(s, round)
				}
			}
			t.resumes(s, -1)
		}()
	}
	group.Wait()
	for i, s := range t.subjects {
		fmt.Printf("%s: killed %d supervisors and %d workers; %d buckets, %d inputs in the corpus, %d executed\n",
			s.name, supervisors[i], workers[i], len(s.ledger.buckets), len(s.ledger.inputs), s.ledger.inputsN)
	}
}

// killed runs a campaign and kills workers of it, and then it. It reports how many it killed.
func (t *trial) killed(s *subject) (workers int, supervisor bool) {
	cmd := t.command(s, s.out(), "--fuzztime", "1h")
	var stderr said
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.fail(s, "%v", err)
		return 0, false
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	if s.rand.Intn(4) > 0 { // else it may be killed before it fuzzes
		for begun := time.Now(); time.Since(begun) < patience && len(ended) == 0 && !stderr.has("fuzz: "); {
			time.Sleep(10 * time.Millisecond)
		}
	}
	for range s.rand.Intn(mostWorkers + 1) {
		time.Sleep(time.Duration(s.rand.Int63n(int64(workerGap))))
		if children := childrenOf(cmd.Process.Pid); len(children) > 0 {
			if syscall.Kill(children[s.rand.Intn(len(children))], syscall.SIGKILL) == nil {
				workers++
			}
		}
	}
	select {
	case <-ended: // a compiler may have been killed, or too many workers in a row
		s.ledger.hear(stderr.String())
		t.complains(s, stderr.String())
		return workers, false
	case <-time.After(time.Duration(s.rand.Int63n(int64(longest)))):
	}
	supervisor = cmd.Process.Kill() == nil
	<-ended
	s.ledger.hear(stderr.String())
	t.complains(s, stderr.String())
	return workers, supervisor
}

// resumes runs a campaign to its end, and checks that it has all.
func (t *trial) resumes(s *subject, round int) {
	r, err := t.run(s, s.out(), "--fuzztime", "300x")
	if err != nil {
		t.fail(s, "%v", err)
		return
	}
	if r.code != 0 && r.code != 1 {
		t.fail(s, "round %d: it ends with %d: %s", round, r.code, r.stderr)
	}
	t.complains(s, r.text())
	s.ledger.hear(r.stderr)
	now, problems := look(s.out())
	for _, what := range append(problems, s.ledger.lost(&now)...) {
		t.fail(s, "round %d: lost at the end of a run: %s", round, what)
	}
	if s.name != "regress" && r.sum.Inputs < s.ledger.inputsN {
		t.fail(s, "round %d: the summary counts %d inputs after %d", round, r.sum.Inputs, s.ledger.inputsN)
	}
	s.ledger.take(now)
}

// complains fails if a campaign finds its folder damaged: no kill does that.
func (t *trial) complains(s *subject, text string) {
	for _, line := range strings.Split(text, "\n") {
		for _, word := range []string{"damaged", "corrupt", "half-written", "not a file", "starts anew", "start at zero", "goroutine ", "mistake of parallax"} {
			if strings.Contains(line, word) {
				t.fail(s, "it says %s", strings.TrimSpace(line))
				break
			}
		}
	}
}

// childrenOf are the processes that a process has started.
func childrenOf(pid int) (list []int) {
	tasks, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	for _, task := range tasks {
		data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/children", pid, task.Name()))
		for _, word := range strings.Fields(string(data)) {
			if child, err := strconv.Atoi(word); err == nil {
				list = append(list, child)
			}
		}
	}
	return list
}
