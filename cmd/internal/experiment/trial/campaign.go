package trial

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/sample"
	"parallax/cmd/internal/finding/state"
	"parallax/internal/atomicfile"
	"parallax/internal/feature"
	"parallax/internal/oracle"
)

// outputsFile is in the folder of a finding; see docs/reference/campaign-folder.md.
const outputsFile = "outputs.json"

// read takes the values of the sample from a campaign.
func (s *Sample) read(summary, folder, keep string) error {
	data, err := os.ReadFile(summary)
	if err != nil {
		return fmt.Errorf("the summary: %w", err)
	}
	switch stopped, err := s.summary(data); {
	case err != nil:
		return err
	case stopped == "error":
		return errStopped
	}
	f, err := state.OpenExisting(atomicfile.OS, folder)
	if err != nil {
		return err
	}
	cfg := f.Config()
	s.Programs = map[string]string{}
	for _, p := range cfg.Identity.Programs {
		// independent of the machine
		s.Programs[p.Name] = strings.ReplaceAll(p.String(), cfg.Dir+string(filepath.Separator), "")
		if p.Version != "" && p.Module != "" {
			if s.Modules == nil {
				s.Modules = map[string]string{}
			}
			s.Modules[p.Module] = p.Version
		}
	}
	snap, problems, err := f.Load()
	if err != nil || len(problems) > 0 {
		return errors.Join(err, fmt.Errorf("the campaign's counters: %q", problems))
	}
	s.Build = snap.BuildID
	s.Tuples = []string{}
	discrepancies := feature.Find(feature.Discrepancy)
	problems, err = f.ReadTuples(func(domain uint8, hash uint64) {
		if int(domain) == discrepancies.Number {
			s.Tuples = append(s.Tuples, fmt.Sprintf("%016x", hash))
		}
	})
	if err != nil || len(problems) > 0 {
		return errors.Join(err, fmt.Errorf("the campaign's tuples: %q", problems))
	}
	slices.Sort(s.Tuples)
	lines, problems, err := f.ReadStats()
	if err != nil || len(problems) > 0 {
		return errors.Join(err, fmt.Errorf("the campaign's time series: %q", problems))
	}
	if s.Series, err = series(lines); err != nil {
		return err
	}
	if n := len(s.Series.CPU); n > 0 {
		s.CPU = s.Series.CPU[n-1]
	}
	if err := s.candidates(f, keep); err != nil {
		return err
	}
	return s.findings(f)
}

// candidates keeps the first input of each untriaged unique discrepancy, by the name of its tuple.
func (s *Sample) candidates(f *state.Folder, keep string) error {
	left, problems, err := f.Pending()
	if err != nil || len(problems) > 0 {
		return errors.Join(err, fmt.Errorf("the campaign's candidates: %q", problems))
	}
	s.Untriaged = len(left)
	if keep == "" {
		return nil
	}
	if err := os.MkdirAll(keep, 0o755); err != nil {
		return err
	}
	for _, name := range left {
		data, err := f.ReadPending(name)
		if err != nil {
			return err
		}
		var c finding.Candidate
		if err := json.Unmarshal(data, &c); err != nil {
			return fmt.Errorf("pending/%s: %w", name, err)
		}
		hash, ok := oracle.UniqueDiscrepancy(c.Seen)
		if !ok {
			continue
		}
		path := filepath.Join(keep, fmt.Sprintf("%016x", hash))
		if _, err := os.Stat(path); err == nil {
			continue
		}
		if err := atomicfile.Write(atomicfile.OS, path, c.Flat); err != nil {
			return err
		}
	}
	return nil
}

// errStopped means that a campaign ended before its budget was used.
var errStopped = errors.New("it ended before its budget was used")

// summary takes the totals from the output of --json, and returns why the campaign stopped.
func (s *Sample) summary(data []byte) (stopped string, err error) {
	var several struct {
		Targets []json.RawMessage `json:"targets"`
	}
	if err := json.Unmarshal(data, &several); err != nil {
		return "", fmt.Errorf("the summary is no JSON: %w", err)
	}
	if len(several.Targets) > 0 {
		return "", fmt.Errorf("%d targets: name one with harness", len(several.Targets))
	}
	sum, err := finding.ParseSummary(data)
	if err != nil {
		return "", err
	}
	s.Inputs, s.Executions, s.Corpus = sum.Inputs, sum.Executions, sum.Corpus.Size
	s.Diversity = sum.Diversity
	for _, c := range sum.Coverage {
		s.Covered += c.Covered
		s.Blocks += c.Blocks
	}
	s.Unique = int(sum.UniqueDiscrepancies)
	return sum.Stopped, nil
}

// findings takes the buckets in the order of discovery.
func (s *Sample) findings(f *state.Folder) error {
	buckets, problems, err := f.ReadFindings()
	if err != nil || len(problems) > 0 {
		return errors.Join(err, fmt.Errorf("the campaign's findings: %q", problems))
	}
	s.Buckets = []Found{}
	for _, b := range buckets {
		found := Found{ID: b.ID, Kind: b.Kind, Count: b.Count, FirstSeen: b.FirstSeen}
		var least []byte
		for _, hash := range b.Hashes {
			data, err := f.ReadFinding(b.ID, hash, outputsFile)
			if err != nil {
				return err
			}
			rep, err := finding.ParseFinding(data)
			if err != nil {
				return fmt.Errorf("%s: %w", f.FindingPath(b.ID, hash, outputsFile), err)
			}
			rep = rep.ProgramInput() // causes match the generated input, not the tape
			var at struct {
				FoundAt uint64 `json:"found_at"`
			}
			if err := json.Unmarshal(data, &at); err != nil {
				return err
			}
			if found.Input != "" && !smaller(rep.Minimized, least) {
				found.Others = append(found.Others, Other{escape.Quote(string(text(rep.Shape, rep.Minimized))), at.FoundAt})
				continue
			}
			if found.Input != "" {
				found.Others = append(found.Others, Other{found.Input, found.FoundAt})
			}
			least, found.FoundAt = rep.Minimized, at.FoundAt
			found.describe(rep)
		}
		found.Others = found.distinct()
		s.Buckets = append(s.Buckets, found)
	}
	slices.SortFunc(s.Buckets, func(a, b Found) int {
		return cmp.Or(cmp.Compare(a.FirstSeen, b.FirstSeen), cmp.Compare(a.ID, b.ID))
	})
	return nil
}

// distinct returns the other inputs, each once with its first discovery.
func (f *Found) distinct() (all []Other) {
	slices.SortStableFunc(f.Others, func(a, b Other) int { return cmp.Compare(a.FoundAt, b.FoundAt) })
	for _, o := range f.Others {
		if o.FoundAt == 0 {
			o.FoundAt = f.FirstSeen
		}
		if o.Input == f.Input {
			f.FoundAt = min(f.FoundAt, o.FoundAt)
		} else if !slices.ContainsFunc(all, func(a Other) bool { return a.Input == o.Input }) {
			all = append(all, o)
		}
	}
	return all
}

func (f *Found) describe(rep *finding.Finding) {
	f.Layer, f.Input = rep.Layer, escape.Quote(string(text(rep.Shape, rep.Minimized)))
	f.Outcomes, f.Classes = map[string]string{}, nil
	for _, p := range rep.Programs {
		f.Outcomes[p.Name] = p.Outcome
		class := p.ErrorClass
		if p.Message != "" {
			class = p.Message
		}
		if class == "" {
			continue
		}
		if f.Classes == nil {
			f.Classes = map[string]string{}
		}
		f.Classes[p.Name] = escape.Cut(class, maxClass)
	}
}

// maxClass limits an error class in a sample.
const maxClass = 200

func smaller(a, b []byte) bool {
	if len(a) != len(b) {
		return len(a) < len(b)
	}
	return bytes.Compare(a, b) < 0
}

// maxPoints limits a series. A budget has 64 lines, and long trials one more every 2 seconds.
const maxPoints = 128

// series reads stats.jsonl. Of too many lines, it takes evenly spaced ones, and the last.
func series(lines []json.RawMessage) (s Series, err error) {
	n := len(lines)
	for i, last := 0, -1; i < n; i++ {
		if at := i * maxPoints / n; n > maxPoints && at == last && i < n-1 {
			continue
		} else {
			last = at
		}
		var l sample.Sample
		if err := json.Unmarshal(lines[i], &l); err != nil {
			return Series{}, fmt.Errorf("the campaign's time series: %w", err)
		}
		covered := 0
		for _, c := range l.Covered {
			covered += c
		}
		s.Inputs, s.CPU = append(s.Inputs, l.Inputs), append(s.CPU, l.CPU)
		s.Unique, s.Buckets, s.Covered = append(s.Unique, l.Unique), append(s.Buckets, l.Buckets), append(s.Covered, covered)
		s.Diversity.Add(l.Diversity)
		s.Behavior.add(len(s.Inputs)-1, l.Behavior)
	}
	return s, s.check()
}
