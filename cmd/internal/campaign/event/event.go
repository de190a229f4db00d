// Package event is the stream of what happens in a campaign: all that its folder, the status line, a page or another machine need to
// know of it. The live loop publishes; whoever wants to hear subscribes.
//
// Invariant: the first subscriber is the folder. Where it fails, nobody else hears of the event, and the campaign stops.
// Candidates and findings are on disk before others hear of them. Features, inputs of the corpus and samples may be on
// their way there, and arrive in the order in which they happened: none is there without those before it.
package event

import (
	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/campaign/findings"
	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/finding/report"
	"parallax/cmd/internal/finding/sample"
	"parallax/cmd/internal/finding/state"
)

// Event is one of the types below.
type Event interface{ event() }

// Novel is a feature that no run has shown before.
type Novel struct {
	Domain uint8 // its number on disk
	Hash   uint64
}

// Traces are traces of inputs of which something new is known, by their keys (diversity.Key). They are valid during the call.
type Traces struct{ Keys []uint64 }

// Kept is an input that is kept in the corpus. Its subscribers do not change it.
type Kept struct {
	Flat []byte
	Meta corpus.Meta
}

// Candidate is an input that may be a finding and waits to be triaged.
type Candidate struct {
	Name string // of its file
	triage.Candidate
}

// Found is a triaged finding. The folder files it, and says where.
type Found struct {
	Finding   *triage.Finding
	Candidate triage.Candidate

	Bucket *findings.Bucket // in which it was filed
	New    bool             // nothing had been filed there before
}

// Sampled is how far the campaign is, to be recorded.
type Sampled struct {
	Snapshot state.Snapshot  // by which it resumes
	Samples  []sample.Sample // lines of its time series
	Summary  *report.Summary // nil when it is not due
	End      bool            // of the invocation
}

// Progress is how far the campaign is, to be shown.
type Progress struct{ sample.Status }

func (Novel) event()     {}
func (Traces) event()    {}
func (Kept) event()      {}
func (Candidate) event() {}
func (*Found) event()    {}
func (Sampled) event()   {}
func (Progress) event()  {}

// Subscriber is told of every event, in the order in which they happen, by one goroutine. What it does not care for it ignores.
type Subscriber interface{ Take(Event) error }

// Stream is the subscribers in the order in which they are told. The folder comes first.
type Stream []Subscriber

// Publish tells the subscribers of an event, until one fails.
func (s Stream) Publish(e Event) error {
	for _, to := range s {
		if err := to.Take(e); err != nil {
			return err
		}
	}
	return nil
}
