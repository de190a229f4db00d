package trial

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"parallax/cmd/internal/base/buildcache"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/finding/sample"
	"parallax/internal/atomicfile"
)

// SampleVersion is the version of a line in the file of samples. Keys are added, never renamed.
const SampleVersion = 1

// Sample is the result of one trial.
type Sample struct {
	Version       int      `json:"version"`
	Subject       string   `json:"subject"`
	Configuration string   `json:"configuration"`
	Trial         int      `json:"trial"` // from 0
	Seed          uint64   `json:"seed"`
	Command       []string `json:"command"` // without the seed and the folder
	Cut           bool     `json:"cut,omitempty"`

	Inputs     uint64           `json:"inputs"`
	Executions uint64           `json:"executions"`
	CPU        float64          `json:"cpu_seconds"`     // of the fuzzing worker
	AllCPU     float64          `json:"all_cpu_seconds"` // including building and triage
	Wall       float64          `json:"wall_seconds"`
	Corpus     int              `json:"corpus"`
	Diversity  sample.Diversity `json:"@domains"` // each domain is a member of the sample
	Covered    int              `json:"covered"`  // blocks of all programs
	Blocks     int              `json:"blocks"`
	Unique     int              `json:"unique_discrepancies"`
	// unique discrepancies: hashes of outcomes and error classes
	Tuples    []string          `json:"tuples"`
	Buckets   []Found           `json:"buckets"`
	Untriaged int               `json:"unjudged,omitempty"` // candidates, with --no-triage
	Series    Series            `json:"series"`
	Blackbox  *Blackbox         `json:"blackbox,omitempty"`
	Load      string            `json:"loadavg"` // at the start of the trial
	Build     string            `json:"build"`   // hash of the blocks of the programs
	Programs  map[string]string `json:"programs"`
	Modules   map[string]string `json:"modules,omitempty"` // versions of the programs' modules
	// where it continued after interruptions
	Resumed []Resumption `json:"resumed,omitempty"`
	Origin
}

type plainSample Sample

// MarshalJSON encodes a sample.
func (s Sample) MarshalJSON() ([]byte, error) {
	data, err := json.Marshal(plainSample(s))
	return sample.Inline(data), err
}

// UnmarshalJSON decodes a sample.
func (s *Sample) UnmarshalJSON(data []byte) error {
	if err := json.Unmarshal(data, (*plainSample)(s)); err != nil {
		return err
	}
	var err error
	s.Diversity, err = sample.CollectDiversity(data)
	return err
}

// Found is a bucket of findings, represented by its smallest input.
type Found struct {
	ID       string            `json:"id"`
	Kind     string            `json:"kind"`
	Layer    string            `json:"layer,omitempty"`
	Outcomes map[string]string `json:"outcomes"`
	Classes  map[string]string `json:"classes,omitempty"` // of errors
	// minimized, Go-quoted; several arguments are one per line
	Input     string `json:"input"`
	Count     uint64 `json:"count"`
	FirstSeen uint64 `json:"first_seen"`         // inputs before the first finding
	FoundAt   uint64 `json:"found_at,omitempty"` // inputs before this input
	// further inputs of the bucket, which may have other causes
	Others []Other `json:"others,omitempty"`
	// by the configuration at the time of the trial
	Cause string `json:"cause,omitempty"`
}

// Other is another input of a bucket, with the same outcomes and classes.
type Other struct {
	Input   string `json:"input"`
	FoundAt uint64 `json:"found_at"`
}

// each calls yield for every input of the bucket, with the number of inputs before it.
func (f *Found) each(yield func(one *Found, at uint64)) {
	at := f.FoundAt
	if at == 0 { // not recorded by older versions
		at = f.FirstSeen
	}
	yield(f, at)
	for _, o := range f.Others {
		one := *f
		one.Input = o.Input
		yield(&one, o.FoundAt)
	}
}

// bytes returns the input in the form that causes match.
func (f *Found) bytes() []byte {
	s, err := strconv.Unquote(f.Input)
	if err != nil {
		return []byte(f.Input)
	}
	return []byte(s)
}

// Series records the progress of a trial. Values with the same index belong together.
type Series struct {
	Inputs  []uint64  `json:"inputs"`
	CPU     []float64 `json:"cpu_seconds"`
	Unique  []int     `json:"unique_discrepancies"`
	Buckets []int     `json:"buckets"` // triaged so far, which lags behind discovery
	Covered []int     `json:"covered"`
	// Diversity has a column for each measured domain, as a member of the series.
	Diversity sample.Series `json:"@domains"`
	Behavior  Behavior      `json:"behaviour,omitempty"`
}

type plainSeries Series

// MarshalJSON encodes a series.
func (s Series) MarshalJSON() ([]byte, error) {
	data, err := json.Marshal(plainSeries(s))
	return sample.Inline(data), err
}

// UnmarshalJSON decodes a series.
func (s *Series) UnmarshalJSON(data []byte) (err error) {
	if err := json.Unmarshal(data, (*plainSeries)(s)); err != nil {
		return err
	}
	s.Diversity, err = sample.Collect[[]int](data)
	return err
}

// Origin identifies the tool and the machine of a trial.
type Origin struct {
	Tool     string `json:"tool"`     // first digits of the SHA-256 of the executable
	Revision string `json:"revision"` // recorded in the executable
	Go       string `json:"go"`
	Machine  string `json:"machine"` // number and model of processors
	Kernel   string `json:"kernel,omitempty"`
}

func (o Origin) String() string {
	return fmt.Sprintf("parallax %s (%s), %s, %s", o.Tool, o.Revision, o.Go, o.Machine)
}

// key identifies a trial.
type key struct {
	subject, configuration string
	trial                  int
}

func (k key) String() string {
	return fmt.Sprintf("%s, %s, trial %d", k.subject, k.configuration, k.trial+1)
}

func (s *Sample) key() key { return key{s.Subject, s.Configuration, s.Trial} }

// ReadSamples reads a file of samples. A missing file has none. It skips lines that are not samples
// of this version, duplicate trials, and an incomplete last line of a killed run. Problems reports
// them.
func ReadSamples(path string) (all []*Sample, problems []string, err error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, exit.Infra("reading the samples: %w", err)
	}
	all, problems = parseSamples(data)
	for i := range problems {
		problems[i] = path + ":" + problems[i]
	}
	return all, problems, nil
}

func parseSamples(data []byte) (all []*Sample, problems []string) {
	seen := map[key]int{}
	for n := 1; len(data) > 0; n++ {
		line, rest, whole := bytes.Cut(data, []byte{'\n'})
		data = rest
		if !whole {
			problems = append(problems, fmt.Sprintf("%d: a half line, of a run that was killed: left out", n))
			break
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		s, err := parseSample(line)
		if err != nil {
			problems = append(problems, fmt.Sprintf("%d: no sample: %v: left out", n, err))
			continue
		}
		if first := seen[s.key()]; first > 0 {
			problems = append(problems, fmt.Sprintf("%d: %s, %s, trial %d is in line %d already: left out", n, s.Subject, s.Configuration, s.Trial+1, first))
			continue
		}
		seen[s.key()] = n
		all = append(all, s)
	}
	return all, problems
}

func parseSample(line []byte) (*Sample, error) {
	var s Sample
	if err := json.Unmarshal(line, &s); err != nil {
		return nil, err
	}
	if s.Version < 1 || s.Version > SampleVersion {
		return nil, fmt.Errorf("version %d, and this parallax reads 1 to %d", s.Version, SampleVersion)
	}
	if !nameForm().MatchString(s.Subject) || !nameForm().MatchString(s.Configuration) || s.Trial < 0 {
		return nil, errors.New("it does not say what it is of")
	}
	return &s, s.Series.check()
}

func (s *Series) check() error {
	n := len(s.Inputs)
	lengths := []int{len(s.CPU), len(s.Unique), len(s.Buckets), len(s.Covered)}
	for _, column := range s.Diversity {
		lengths = append(lengths, len(column))
	}
	for _, column := range s.Behavior {
		lengths = append(lengths, len(column))
	}
	for _, m := range lengths {
		if m != n {
			return errors.New("its series has columns of different lengths")
		}
	}
	if !slices.IsSorted(s.Inputs) || !slices.IsSorted(s.CPU) {
		return errors.New("its series goes back in time")
	}
	return nil
}

// Log is a file of samples, open for appending. Only one process can open it.
type Log struct {
	path    string
	file    *os.File
	size    int64 // of the complete lines
	partial bool  // the last line is incomplete
}

// OpenLog opens or creates a file of samples, and removes an incomplete last line.
func OpenLog(path string) (*Log, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, exit.Infra("%w", atomicfile.Explain("open", path, err))
	}
	l := &Log{path: path, file: file}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		file.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, exit.Usage("%s: another parallax bench adds samples to this file: wait for it, or name another file with --samples-file", path)
		}
		return nil, exit.Infra("locking %s: %w", path, err)
	}
	data, err := os.ReadFile(path)
	if err == nil {
		l.size = int64(bytes.LastIndexByte(data, '\n') + 1)
		err = l.restore()
	}
	if err != nil {
		file.Close()
		return nil, exit.Infra("%w", atomicfile.Explain("open", path, err))
	}
	return l, nil
}

// LockFolder makes the folder in which trials run, and locks it until the file is closed. The lock
// of the file of samples does not suffice, since the file may be removed while a bench runs.
func LockFolder(path string) (*os.File, error) {
	if err := buildcache.MkdirAll(path); err != nil {
		return nil, exit.Infra("%w", atomicfile.Explain("create", path, err))
	}
	dir, err := os.Open(path)
	if err != nil {
		return nil, exit.Infra("%w", atomicfile.Explain("open", path, err))
	}
	if err := syscall.Flock(int(dir.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		dir.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, exit.Usage("another parallax bench runs the trials of this file of samples, in %s: end it first", path)
		}
		return nil, exit.Infra("locking %s: %w", path, err)
	}
	return dir, nil
}

// Append adds a sample completely or not at all. Afterwards, the sample survives a power failure.
func (l *Log) Append(s *Sample) error {
	s.Version = SampleVersion
	line, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("encoding a sample: %w", err)
	}
	line = append(line, '\n')
	if l.partial {
		err = l.restore()
	}
	if err == nil {
		_, err = l.file.Write(line)
	}
	if err == nil {
		err = l.file.Sync()
	}
	if err != nil {
		// on failure, the next reader skips an incomplete line, and the next append tries again
		l.partial = l.restore() != nil
		return exit.Infra("%w", atomicfile.Explain("write", l.path, err))
	}
	l.size += int64(len(line))
	l.partial = false
	return nil
}

func (l *Log) restore() error { return l.file.Truncate(l.size) }

// Close releases the file.
func (l *Log) Close() error { return l.file.Close() }

// suits returns an error if a sample's trial contradicts the configuration. Samples of unknown
// subjects and configurations are fine.
func (c *Config) suits(s *Sample) error {
	subject, one := c.subject(s.Subject), c.configuration(s.Configuration)
	if subject == nil || one == nil {
		return nil
	}
	if want := c.command(subject, one); !slices.Equal(want, s.Command) {
		return fmt.Errorf("%s, %s was run as\n  parallax %s\nand the configuration says\n  parallax %s",
			s.Subject, s.Configuration, strings.Join(s.Command, " "), strings.Join(want, " "))
	}
	if one.Blackbox != (s.Blackbox != nil) {
		return fmt.Errorf("%s, %s: blackbox = %v in the configuration, and the sample was run otherwise", s.Subject, s.Configuration, one.Blackbox)
	}
	if want := c.Seed + uint64(s.Trial); want != s.Seed {
		return fmt.Errorf("%s, %s, trial %d had seed %d, and the configuration says %d", s.Subject, s.Configuration, s.Trial+1, s.Seed, want)
	}
	return nil
}

// Select returns the samples that the configuration asks for, and the number of others. It returns
// an error if some were made differently.
func (c *Config) Select(file string, all []*Sample) (own []*Sample, others int, err error) {
	for _, s := range all {
		if err := c.suits(s); err != nil {
			return nil, 0, exit.Usage("%s has samples of another measurement: %w\nName another file with --samples-file, or remove this file", file, err)
		}
		if c.subject(s.Subject) == nil || c.configuration(s.Configuration) == nil || s.Trial >= c.Trials {
			others++
			continue
		}
		own = append(own, s)
	}
	return own, others, nil
}
