// Package eventlog writes the events of campaigns as JSON lines while they run. A line is written
// after the folder has the event (package event), so a reader of the log finds on disk whatever it
// names.
//
// Features and traces have no lines: a campaign has many thousands per second. The samples count
// them.
package eventlog

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/event"
	"parallax/cmd/internal/finding/sample"
	"parallax/internal/input"
)

// Version is the version of newly written lines.
const Version = 1

// Line is an event of a campaign.
type Line struct {
	Version int              `json:"version"`
	Time    string           `json:"time"`              // RFC 3339
	Target  string           `json:"target"`            // its name in the summary
	Event   string           `json:"event"`             // kept, finding, sample or end
	Input   *Input           `json:"input,omitempty"`   // of kept: an input of the corpus
	Bucket  *finding.Bucket  `json:"bucket,omitempty"`  // of finding: its bucket, with this finding
	New     bool             `json:"new,omitempty"`     // of finding: it is the first of its bucket
	Quoted  string           `json:"quoted,omitempty"`  // of finding: the bucket's smallest input as Go text, cut
	Sample  *sample.Sample   `json:"sample,omitempty"`  // of sample: a line of stats.jsonl
	Summary *finding.Summary `json:"summary,omitempty"` // of end: the folder's summary
}

// Input is an input of the corpus, without its bytes. Its file in the folder has them.
type Input struct {
	Hash  string `json:"hash"`  // the name of its file
	Bytes int    `json:"bytes"` // its size
	corpus.Meta
}

// mostQuoted bounds the quoted input of a line.
const mostQuoted = 200

// Log is the output of the lines of all targets of a command.
type Log struct {
	name string
	now  func() time.Time

	mu sync.Mutex
	to io.Writer
}

// Create returns a log that replaces the file. The name - means standard output.
func Create(name string, now func() time.Time) (*Log, error) {
	if name == "-" {
		return &Log{name: "standard output", now: now, to: os.Stdout}, nil
	}
	f, err := os.Create(name)
	if err != nil {
		return nil, exit.Infra("--events: %w", err)
	}
	return &Log{name: name, now: now, to: f}, nil
}

func (l *Log) failed(err error) error {
	return exit.Infra("--events: writing to %s: %w: make room, or leave the flag out", l.name, err)
}

// Of returns the subscriber that writes the events of one target.
func (l *Log) Of(target string, shape input.Shape) event.Subscriber {
	return subscriber{log: l, target: target, shape: shape}
}

type subscriber struct {
	log    *Log
	target string
	shape  input.Shape
}

// Handle implements event.Subscriber.
func (s subscriber) Handle(e event.Event) error {
	switch e := e.(type) {
	case event.Kept:
		data := s.shape.Encode(e.Flat)
		return s.write(Line{Event: "kept", Input: &Input{Hash: corpus.Hash(data), Bytes: len(data), Meta: e.Meta}})
	case event.Found:
		return s.write(Line{Event: "finding", Bucket: &e.Bucket, New: e.New, Quoted: e.Best.Quote(mostQuoted)})
	case event.Sampled:
		for i := range e.Samples {
			if err := s.write(Line{Event: "sample", Sample: &e.Samples[i]}); err != nil {
				return err
			}
		}
		if e.End && e.Summary != nil {
			return s.write(Line{Event: "end", Summary: e.Summary.Filled()})
		}
	}
	return nil
}

func (s subscriber) write(line Line) error {
	line.Version, line.Time, line.Target = Version, s.log.now().UTC().Format(time.RFC3339Nano), s.target
	data, err := finding.Line(line)
	if err != nil {
		return fmt.Errorf("--events: %w", err)
	}
	s.log.mu.Lock()
	defer s.log.mu.Unlock()
	if _, err := io.Copy(s.log.to, bytes.NewReader(data)); err != nil {
		return s.log.failed(err)
	}
	return nil
}
