package campaign

import (
	"time"

	"parallax/cmd/internal/process/execute"
	"parallax/internal/mutate"
	"parallax/internal/policy"
	"parallax/internal/wire"
)

// process is a worker's process as the loop uses it: a *execute.Worker, except in tests.
type process interface {
	Send(kind byte, payload []byte) error
	Run(flat []byte, flags uint64) ([]wire.RunResult, error)
	Call(order byte, payload []byte, answer byte) ([]byte, error)
	Mail(wire.Letter) error
	Wait() *execute.Death // returns when the process has ended
	CPU() time.Duration
	Kill()
	Close()
}

// worker is a process with its shared memory and the contents of its hello.
type worker struct {
	process
	mem       *wire.Memory // invalid after Close
	operators []string     // names of mutation operators
}

// share makes the memory that several workers share.
func (c *Campaign) share() (err error) {
	if len(c.fleet.instances) > 1 {
		c.fleet.claims, err = execute.NewClaims()
	}
	return err
}

// startWorker starts a process of the target and checks that the target has not changed.
func (c *Campaign) startWorker(spec execute.Spec) (*worker, error) {
	w, err := execute.StartContext(c.diagnosing.ctx, spec)
	if err != nil {
		return nil, err
	}
	if err := c.target.Check(w); err != nil {
		w.Close()
		return nil, err
	}
	return &worker{process: w, mem: w.Mem, operators: w.Hello.Operators}, nil
}

// setup returns a worker's configuration.
func (c *Campaign) setup(m *instance) []byte {
	msg := policy.Setup{
		Policy: c.opt.Policy, Dict: c.seeds.dict, Changed: c.known.changed && m.before == 0, DeterminedDeaths: m.determinedDeaths, Deadly: c.known.deadly,
		Shows: c.opt.Join != nil, ShowsReplayed: m.index == 0,
		// A process that replaces another must not repeat its random numbers.
		Stream:      mutate.Stream(uint64(m.index), c.totals.startInputs, m.before),
		BudgetNanos: uint64(c.opt.Budget.Time), BudgetInputs: c.opt.Budget.Inputs / uint64(max(1, c.opt.Parallel)),
	}
	if c.opt.Impact != nil {
		msg.Impact = *c.opt.Impact
	}
	if c.opt.Repeats() {
		msg.Marks = every(c.opt.Budget.Inputs)
		msg.Marked = m.before % msg.Marks
	}
	return msg.Append(nil)
}
