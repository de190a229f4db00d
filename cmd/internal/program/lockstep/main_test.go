package lockstep

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"testing"
	"time"

	"parallax/cmd/internal/base/limits"
	"parallax/cmd/internal/process/confine"
	"parallax/cmd/internal/process/execute/workertest"
	"parallax/cmd/internal/program"
	"parallax/cmd/internal/program/gofunc"
	"parallax/cmd/internal/subject/kinds"
	"parallax/internal/feature"
	"parallax/internal/oracle"
)

// TestMain lets the test's executable be parallax: it builds workers, and is the sandbox of
// commands.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "sandbox" {
		os.Exit(confine.Main(os.Args[2:]))
	}
	workertest.Main(m)
}

// scripted is a program in the test's own process.
type scripted struct {
	features int
	batch    int
	run      func(ctx context.Context, input []byte, o *program.Observation) error
	sizes    []int // of its batches
	closed   bool
}

func (s *scripted) Execute(ctx context.Context, inputs [][]byte, obs []program.Observation) error {
	s.sizes = append(s.sizes, len(inputs))
	for i, in := range inputs {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := s.run(ctx, in, &obs[i]); err != nil {
			return err
		}
	}
	return nil
}

func (s *scripted) Features() int { return s.features }
func (s *scripted) Batch() int    { return s.batch }
func (s *scripted) Close() error  { s.closed = true; return nil }

// echo accepts every input with itself as value. Its only feature is the first byte.
func echo(_ context.Context, in []byte, o *program.Observation) error {
	o.Outcome, o.Value = oracle.Accepted, append(o.Value, in...)
	if len(in) > 0 {
		o.Features, o.Counts = append(o.Features, uint32(in[0]-'a')), append(o.Counts, byte(len(in)))
	}
	return nil
}

// accept accepts every input.
func accept(_ context.Context, _ []byte, o *program.Observation) error {
	o.Outcome = oracle.Accepted
	return nil
}

// processOf returns a lockstep process of open programs. Go programs in the specification are
// started.
func processOf(t *testing.T, spec *Spec, executors ...program.Executor) *lockstep {
	t.Helper()
	l := &lockstep{spec: spec, kinds: kinds.Table, order: newOrder(len(spec.Programs))}
	l.ctx, l.stop = context.WithCancel(context.Background())
	t.Cleanup(l.close)
	for i := range spec.Programs {
		p := &spec.Programs[i]
		if p.Kind != "" {
			m, err := l.openProgram(p)
			if err != nil {
				t.Fatal(err)
			}
			l.running = append(l.running, m)
			continue
		}
		l.running = append(l.running, newRunning(p.Name, executors[0]))
		executors = executors[1:]
	}
	l.layOut()
	if err := l.followAll(); err != nil {
		t.Fatal(err)
	}
	for i := range spec.Programs {
		d, err := l.newDigest(&spec.Programs[i])
		if err != nil {
			t.Fatal(err)
		}
		l.digests = append(l.digests, d)
	}
	return l
}

// workerOf returns the settings of a function of package workertest in one of its builds.
func workerOf(t *testing.T, program, build int, binary string) json.RawMessage {
	t.Helper()
	return settings(t, gofunc.Worker{Program: program, Build: build, Binary: binary, Dir: t.TempDir()})
}

func settings(t *testing.T, of any) json.RawMessage {
	t.Helper()
	data, err := json.Marshal(of)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// victims returns a specification with programs a and b of package workertest, in processes of
// their own, with limits that they never reach by accident.
func victims(t *testing.T, names ...string) *Spec {
	t.Helper()
	s := &Spec{Values: true, Text: true, MaxFlat: 4096}
	for _, name := range names {
		s.Programs = append(s.Programs, Program{
			Name: name, Kind: "go", Settings: workerOf(t, int(name[0]-'a'), 0, workertest.Build(t, false)),
			Limits: limits.Limits{Timeout: time.Minute, Memory: 2 << 30},
		})
	}
	return s
}

// joints returns buffers for RunAll.
func joints(inputs, programs int) []feature.Joint {
	all := make([]feature.Joint, inputs)
	for i := range all {
		all[i].Obs, all[i].Traces = make([]oracle.Observation, programs), make([]feature.Trace, programs)
	}
	return all
}

func flats(inputs ...string) [][]byte {
	var all [][]byte
	for _, in := range inputs {
		all = append(all, []byte(in))
	}
	return all
}

// runAll runs inputs on all programs and returns the results by input.
func runAll(t *testing.T, c *lockstep, inputs ...string) []feature.Joint {
	t.Helper()
	all := joints(len(inputs), len(c.running))
	if ok, err := c.RunAll(flats(inputs...), all, false); !ok || err != nil {
		t.Fatalf("running %q: %v, %v", inputs, ok, err)
	}
	return all
}

// outcomes returns the outcomes of one program by input.
func outcomes(all []feature.Joint, p int) (list []string) {
	for i := range all {
		list = append(list, all[i].Obs[p].Outcome.String())
	}
	return list
}

func same(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}
