package campaign

import (
	"time"

	"parallax/cmd/internal/process/execute"
	"parallax/internal/wire"
)

// process is a worker's process, as the live loop needs it: a *execute.Worker, but in tests.
type process interface {
	Send(kind byte, payload []byte) error
	Run(flat []byte, flags uint64) ([]wire.RunResult, error)
	Call(order byte, payload []byte, answer byte) ([]byte, error)
	Mail(flats [][]byte, owed []uint64) error
	Wait() *execute.Death // returns when the process has ended
	CPU() time.Duration
	Kill()
	Close()
}

// worker is a process with the memory that it shares, and what it said of itself.
type worker struct {
	process
	mem       *wire.Memory // not to be used after Close
	operators []string     // names of mutation operators
}

// share makes what several workers share.
func (c *Campaign) share() (err error) {
	if len(c.fleet.instances) > 1 {
		c.claims, err = execute.NewClaims()
	}
	return err
}

// startWorker starts a process of the target, and makes sure that it is what it was.
func (c *Campaign) startWorker(spec execute.Spec) (*worker, error) {
	w, err := execute.StartContext(c.doubting, spec)
	if err != nil {
		return nil, err
	}
	if err := c.target.Check(w); err != nil {
		w.Close()
		return nil, err
	}
	return &worker{process: w, mem: w.Mem, operators: w.Hello.Operators}, nil
}
