package campaign

import (
	"context"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"parallax/cmd/internal/campaign/findings/findingstest"
	"parallax/cmd/internal/finding/sample"
	"parallax/cmd/internal/process/execute"
	"parallax/cmd/internal/subject"
	"parallax/internal/oracle"
	"parallax/internal/policy"
	"parallax/internal/wire"
)

// Processes that do as tests say, in the place of workers: nothing is built or started.

// fakes are those of a campaign.
type fakes struct {
	refuse func(n int) error                 // why the n-th process does not start; nil: all do
	fuzz   func(p *fake, quota uint64) error // what a process does when it is to fuzz; nil: it uses its quota
	// alone says what inputs do that are executed in a process by themselves; nil: no harm.
	alone func(ctx context.Context, inputs []string) (fails bool, err error)

	// run says what programs do on an input, but for those of a set; nil: they accept it.
	run func(input string, skip uint64) ([]wire.RunResult, error)

	unkept bool          // seeds are executed, and none is kept
	replay time.Duration // that an input of the corpus takes

	mu      sync.Mutex
	started []*fake
}

// fake is one of them.
type fake struct {
	n     int // the how manyth
	fakes *fakes
	mem   *wire.Memory
	quota uint64 // that it was given, seeds not counted

	mu                      sync.Mutex
	replayed, seeds, mailed []string
	owed                    []uint64 // classes of failures
	domains                 []string // with which inputs were replayed
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
	// As large as a worker's, of which little is used: only that takes memory.
	shared, err := syscall.Mmap(-1, 0, wire.MemorySize(spec.MaxFlat), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return nil, err
	}
	p.mem = wire.NewMemory(shared, spec.MaxFlat)
	return &worker{process: p, mem: p.mem, operators: []string{"flip"}}, nil
}

// processes are those that were started.
func (f *fakes) processes() []*fake {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]*fake(nil), f.started...)
}

// Run has all programs accept an input, unless tests say otherwise.
func (p *fake) Run(flat []byte, flags uint64) ([]wire.RunResult, error) {
	if p.fakes.run != nil {
		return p.fakes.run(string(flat), flags>>wire.SkipShift)
	}
	return []wire.RunResult{{Outcome: uint64(oracle.Accepted)}, {Outcome: uint64(oracle.Accepted)}}, nil
}

func (p *fake) Send(kind byte, payload []byte) error { return nil }

// Call keeps the seeds, as a worker does of what is new.
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

func (p *fake) Mail(flats [][]byte, owed []uint64) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.owed = append(p.owed, owed...)
	for _, flat := range flats {
		p.mailed = append(p.mailed, string(flat))
	}
	return nil
}

// Wait returns when the process was killed: nothing else ends one by itself.
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
	e := wire.Event{Flat: []byte(text), New: []string{"coverage"}}
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

// stopped waits for the order to stop.
func (p *fake) stopped() bool {
	return eventually(func() bool { return p.mem.StopRequested() })
}

// eventually waits for what another goroutine does; a minute is for machines that are busy.
func eventually(is func() bool) bool {
	for range 60000 {
		if is() {
			return true
		}
		time.Sleep(time.Millisecond)
	}
	return false
}

// silent is a user who looks away.
type silent struct{}

func (silent) Step(string)          {}
func (silent) Update(sample.Status) {}
func (silent) Message(string)       {}

// live is a campaign on fakes: of ten inputs, with one instance, and nothing is triaged.
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
	c.alone = func(ctx context.Context) loner {
		if f.alone == nil {
			return &alone{ctx: ctx, run: func(context.Context, []string) (bool, error) { return false, nil }}
		}
		return &alone{ctx: ctx, run: f.alone}
	}
	return c
}

// alone executes inputs in the place of a replayer. run is given those of one process, of which the last is under way, and says whether it
// fails.
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
