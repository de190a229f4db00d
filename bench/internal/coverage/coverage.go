// Package coverage measures, with the go command's own coverage, which blocks of a module inputs
// reach. It knows nothing of the engine that made them. bench/reach calls it.
//
// It writes inputs into testdata/fuzz of a copy of the module. Then it runs the fuzz test as plain
// go test does, on its own seeds and these inputs. If an input fails, all blocks still count. An
// input that ends the process leaves no profile. Such inputs are found by halving and left out.
package coverage

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"parallax/bench/internal/process"
	"parallax/bench/internal/subject"
)

// Meter measures inputs of one subject.
type Meter struct {
	pkg     subject.Package
	binary  string
	scratch string // folder
	seeds   []bool // covered by the seeds alone
	Blocks  []Block
}

// Measurement holds the blocks that inputs reach, together with the seeds.
type Measurement struct {
	Covered []bool // for each of the meter's blocks
	LeftOut int    // inputs that end the process
}

// New builds the binary in the scratch folder and measures the seeds, which must pass. The package
// must be a copy that nothing else uses.
func New(ctx context.Context, pkg subject.Package, scratch string) (*Meter, Measurement, error) {
	m := &Meter{pkg: pkg, binary: filepath.Join(scratch, "cover.test"), scratch: scratch}
	if err := os.MkdirAll(scratch, 0o755); err != nil {
		return nil, Measurement{}, err
	}
	if err := pkg.BuildCover(ctx, m.binary); err != nil {
		return nil, Measurement{}, err
	}
	profile, exit, err := m.profile(ctx, nil)
	if err == nil && (profile == nil || exit != 0) {
		err = fmt.Errorf("%s fails on its own seeds: see %s", pkg.Fuzz, m.output())
	}
	if err != nil {
		return nil, Measurement{}, err
	}
	m.Blocks = profile.blocks()
	seeds := Measurement{Covered: make([]bool, len(m.Blocks))}
	err = m.merge(&seeds, profile)
	m.seeds = seeds.Covered
	return m, seeds, err
}

// Measure runs inputs, each in the format of testdata/fuzz, in groups by the CPU second in which
// they were kept. The series has the blocks of the groups so far.
func (m *Meter) Measure(ctx context.Context, groups [][][]byte) (r Measurement, s process.Series, err error) {
	r = Measurement{Covered: slices.Clone(m.seeds)}
	s.Add(0, count(r.Covered))
	for second, inputs := range groups {
		if len(inputs) == 0 {
			continue
		}
		if err := m.measure(ctx, inputs, &r); err != nil {
			return r, s, err
		}
		s.Add(second+1, count(r.Covered))
	}
	return r, s, nil
}

func count(covered []bool) (n int) {
	for _, c := range covered {
		if c {
			n++
		}
	}
	return n
}

func (m *Meter) measure(ctx context.Context, inputs [][]byte, r *Measurement) error {
	profile, _, err := m.profile(ctx, inputs)
	switch {
	case err != nil:
		return err
	case profile != nil:
		return m.merge(r, profile)
	case len(inputs) == 0:
		return fmt.Errorf("%s: the seeds alone end the process: see %s", m.pkg.Fuzz, m.output())
	case len(inputs) == 1:
		r.LeftOut++
		return nil
	}
	half := len(inputs) / 2
	if err := m.measure(ctx, inputs[:half], r); err != nil {
		return err
	}
	return m.measure(ctx, inputs[half:], r)
}

func (m *Meter) merge(r *Measurement, p profile) error {
	if len(p) != len(m.Blocks) {
		return fmt.Errorf("%s: a profile of %d blocks after one of %d", m.pkg.Fuzz, len(p), len(m.Blocks))
	}
	for i, b := range m.Blocks {
		hit, known := p[b]
		if !known {
			return fmt.Errorf("%s: block %v was in no profile before", m.pkg.Fuzz, b)
		}
		r.Covered[i] = r.Covered[i] || hit
	}
	return nil
}

func (m *Meter) output() string { return filepath.Join(m.scratch, "output.txt") }

// limit is the time for a run. A run of some ten thousand inputs takes seconds; an input that hangs
// costs this time once for each halving.
const limit = time.Minute

// profile runs the fuzz test on its seeds and on inputs. It is nil when the process ended before it
// wrote one.
func (m *Meter) profile(ctx context.Context, inputs [][]byte) (p profile, exit int, err error) {
	folder := filepath.Join(m.pkg.Dir, "testdata", "fuzz", m.pkg.Fuzz)
	names, err := put(folder, inputs)
	defer func() {
		for _, name := range names {
			err = errors.Join(err, os.Remove(name))
		}
	}()
	if err != nil {
		return nil, 0, err
	}
	file := filepath.Join(m.scratch, "profile.txt")
	if err := os.Remove(file); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, 0, err
	}
	out, err := os.Create(m.output())
	if err != nil {
		return nil, 0, err
	}
	defer out.Close()
	run, err := process.Start(process.Command{
		Path: m.binary, Dir: m.pkg.Dir, Env: subject.Env, Stdout: out, Stderr: out,
		Args: []string{"-test.run=" + m.pkg.Pattern(), "-test.coverprofile=" + file, "-test.timeout=" + limit.String()},
	})
	if err != nil {
		return nil, 0, err
	}
	select {
	case <-run.Ended():
	case <-time.After(2 * limit): // a process that does not get to its own timeout
		run.Kill()
	case <-ctx.Done():
		run.Kill()
		err = ctx.Err()
	}
	u, waitErr := run.Wait(time.Second)
	if err = errors.Join(err, waitErr); err != nil {
		return nil, 0, err
	}
	p, err = read(file)
	return p, u.Exit, err
}

// put writes inputs under names that no other has.
func put(folder string, inputs [][]byte) (names []string, err error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	for i, data := range inputs {
		name := filepath.Join(folder, fmt.Sprintf("bench-%06d", i))
		if err := os.WriteFile(name, data, 0o644); err != nil {
			return names, err
		}
		names = append(names, name)
	}
	return names, nil
}
