package campaign

import (
	"context"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"parallax/cmd/internal/campaign/diagnosis"
	"parallax/cmd/internal/campaign/findings/findingstest"
	"parallax/cmd/internal/campaign/queue"
	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/finding/sample"
	"parallax/cmd/internal/finding/state"
	"parallax/cmd/internal/process/execute"
	"parallax/cmd/internal/subject"
	"parallax/internal/input"
	"parallax/internal/oracle"
	"parallax/internal/policy"
	"parallax/internal/wire"
)

// Fake processes take the place of workers: nothing is built or started.

// fakes holds the fake processes of a campaign.
type fakes struct {
	refuse func(n int) error                 // the error of the n-th start; nil means that all succeed
	fuzz   func(p *fake, quota uint64) error // the behavior of a process that fuzzes; nil means that it uses its quota
	// alone decides whether inputs fail in a process of their own. Nil means that none does.
	alone func(ctx context.Context, inputs []string) (fails bool, err error)

	// run returns the results of all programs, except for a set of them. Nil means that all accept.
	run func(input string, skip uint64) ([]wire.RunResult, error)

	unkept bool          // seeds are executed, and none is kept
	replay time.Duration // time per input of the corpus

	mu      sync.Mutex
	started []*fake
}

// fake is a fake process.
type fake struct {
	n     int // its number
	fakes *fakes
	mem   *wire.Memory
	quota uint64 // its quota, without seeds

	mu                      sync.Mutex
	replayed, seeds, mailed []string
	owed                    []uint64 // classes of failures
	offers                  []wire.Offer
	domains                 []string // the domains of replayed inputs
	cpu                     time.Duration
	killed                  chan struct{}
	once                    sync.Once
	closed                  bool
}

func (f *fakes) start(spec execute.Spec) (*worker, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	p := &fake{n: len(f.started), fakes: f, killed: make(chan struct{})}
	f.started = append(f.started, p)
	if f.refuse != nil {
		if err := f.refuse(p.n); err != nil {
			return nil, err
		}
	}
	// The memory is as large as a worker's. Unused parts cost nothing.
	shared, err := syscall.Mmap(-1, 0, wire.MemorySize(spec.MaxFlat), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return nil, err
	}
	p.mem = wire.NewMemory(shared, spec.MaxFlat)
	return &worker{process: p, mem: p.mem, operators: []string{"flip"}}, nil
}

// processes returns the processes that were started.
func (f *fakes) processes() []*fake {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]*fake(nil), f.started...)
}

// Run returns the results of fakes.run. By default, all programs accept an input.
func (p *fake) Run(flat []byte, flags uint64) ([]wire.RunResult, error) {
	if p.fakes.run != nil {
		return p.fakes.run(string(flat), flags>>wire.SkipShift)
	}
	return []wire.RunResult{{Outcome: uint64(oracle.Accepted)}, {Outcome: uint64(oracle.Accepted)}}, nil
}

func (p *fake) Send(kind byte, payload []byte) error { return nil }

// Call keeps the seeds, as a worker keeps new inputs.
func (p *fake) Call(order byte, payload []byte, answer byte) ([]byte, error) {
	r := wire.NewReader(payload)
	if order == wire.Fuzz {
		p.quota = r.Uint()
		if p.fakes.fuzz == nil {
			p.execute(p.quota)
			return nil, nil
		}
		return nil, p.fakes.fuzz(p, p.quota)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for replay := r.Bool(); r.More(); {
		flat := r.Bytes()
		if replay {
			p.replayed, p.domains = append(p.replayed, string(flat)), append(p.domains, string(r.Bytes()))
			p.cpu += p.fakes.replay
			continue
		}
		p.seeds = append(p.seeds, string(flat))
		if !p.fakes.unkept {
			p.keep(string(flat))
		}
		p.execute(1)
	}
	return nil, r.Err()
}

func (p *fake) Mail(m wire.Letter) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.owed, p.offers = append(p.owed, m.Owed...), append(p.offers, m.Offers...)
	for _, flat := range m.Flats {
		p.mailed = append(p.mailed, string(flat))
	}
	return nil
}

// Wait returns when the process was killed.
func (p *fake) Wait() *execute.Death {
	<-p.killed
	return &execute.Death{Outcome: oracle.Crashed, Status: "signal: killed"}
}

func (p *fake) CPU() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return time.Millisecond + p.cpu
}

func (p *fake) Kill()  { p.once.Do(func() { close(p.killed) }) }
func (p *fake) Close() { p.closed = true }

// execute counts inputs.
func (p *fake) execute(n uint64) { p.mem.Add(wire.Inputs, n) }

// keep announces an input of the corpus.
func (p *fake) keep(text string) {
	e := wire.InputEvent{Flat: []byte(text), New: []string{"coverage"}}
	p.mem.TryPut(wire.EventKept, e.Append(nil))
}

// mail waits for an input that another process has found.
func (p *fake) mail(text string) bool {
	return eventually(func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, got := range p.mailed {
			if got == text {
				return true
			}
		}
		return false
	})
}

// stopped waits for the request to stop.
func (p *fake) stopped() bool {
	return eventually(func() bool { return p.mem.StopRequested() })
}

// eventually waits for the work of another goroutine, at most a minute, for busy machines.
func eventually(is func() bool) bool {
	for range 60000 {
		if is() {
			return true
		}
		time.Sleep(time.Millisecond)
	}
	return false
}

// silent is a View that shows nothing.
type silent struct{}

func (silent) Step(string)          {}
func (silent) Update(sample.Status) {}
func (silent) Message(string)       {}

// live returns a campaign on fakes, with ten inputs, one instance and no triage.
func live(t *testing.T, f *fakes, edit func(*Options)) *Campaign {
	t.Helper()
	dir := t.TempDir()
	o := Options{
		Options: subject.Options{
			Mode: subject.Diff, Out: filepath.Join(dir, "out"), Dir: dir, Timeout: time.Second, Memory: 1 << 30,
			Policy: policy.Policy{Guidance: []string{"coverage"}, Layers: oracle.VerdictLayer, MaxBytes: 64, Seed: 1},
		},
		Budget: Budget{Inputs: 10}, Parallel: 1, NoCmpLog: true, NoTriage: true,
	}
	if edit != nil {
		edit(&o)
	}
	programs := findingstest.Target()
	programs.Name, programs.Mode, programs.BuildID = "a-b", subject.Diff, "0123456789abcdef"
	c := newCampaign(programs, o, silent{}, time.Now)
	c.fleet.start = f.start
	c.diagnosing.open = func(ctx context.Context) diagnosis.Runner {
		if f.alone == nil {
			return &alone{ctx: ctx, run: func(context.Context, []string) (bool, error) { return false, nil }}
		}
		return &alone{ctx: ctx, run: f.alone}
	}
	return c
}

// alone executes inputs in place of a replayer. run gets the inputs of one process, the last one in
// flight, and reports whether it fails.
type alone struct {
	ctx   context.Context
	run   func(ctx context.Context, inputs []string) (bool, error)
	since []string
}

func (a *alone) Fresh() { a.since = nil }
func (a *alone) Close() {}

func (a *alone) Run(flat []byte, flags uint64) ([]wire.RunResult, error) {
	if err := a.ctx.Err(); err != nil {
		return nil, err
	}
	a.since = append(a.since, string(flat))
	fails, err := a.run(a.ctx, a.since)
	if err != nil {
		return nil, err
	}
	results := []wire.RunResult{{Outcome: uint64(oracle.Accepted)}, {Outcome: uint64(oracle.Accepted)}}
	if fails {
		results[1].Outcome = uint64(oracle.Crashed)
	}
	return results, nil
}

// newQueue returns a queue whose verdicts are immediate errors, since there are no programs.
func newQueue(t *testing.T, f *state.Folder) *queue.Queue {
	t.Helper()
	q, _, err := queue.New(f, func() *triage.Triager {
		return &triage.Triager{Spec: execute.Spec{Binary: "/nonexistent/worker"}, Shape: input.Shape{input.String}, Names: []string{"a", "b"}}
	}, true, nil)
	if err != nil {
		t.Fatal(err)
	}
	return q
}
