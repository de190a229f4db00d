// Package event holds the events of a live campaign as plain records, and the stream that passes
// them to subscribers. Subscribers import these records and nothing of the campaign: the folder,
// the status line and the log are some.
//
// Invariant: the first subscriber is the folder. If the folder fails, no other subscriber gets the
// event, and the campaign stops. A finding is on disk before its event exists (Found). Features,
// inputs of the corpus and samples may still be on their way to disk. They arrive there in the
// order in which they happened.
package event

import (
	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/finding"
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

// Traces are the keys (diversity.Key) of new traces. The slice is valid during the call.
type Traces struct{ Keys []uint64 }

// Kept is an input that is kept in the corpus. Subscribers do not change it.
type Kept struct {
	Flat []byte
	Meta corpus.Meta
}

// Shown are the features of an input that joins the corpus or is in it. They precede Kept. The
// slices are valid during the call.
type Shown struct {
	Flat     []byte
	Features []uint64
}

// Resumed means that the first worker has replayed the corpus of earlier invocations.
type Resumed struct{}

// Found is a finding that was filed in a bucket.
type Found struct {
	Bucket finding.Bucket
	Best   *finding.Finding // the bucket's smallest finding
	New    bool             // it is the first of its bucket
	Runs   int              // inputs that its triage executed
}

// Sampled is the campaign's progress, to be recorded.
type Sampled struct {
	Snapshot state.Snapshot   // the state from which the campaign resumes
	Samples  []sample.Sample  // lines of the time series
	Summary  *finding.Summary // nil means that no summary is due
	End      bool             // the invocation ends
}

// Progress is the campaign's progress, to be shown.
type Progress struct{ sample.Status }

func (Novel) event()    {}
func (Traces) event()   {}
func (Kept) event()     {}
func (Shown) event()    {}
func (Resumed) event()  {}
func (Found) event()    {}
func (Sampled) event()  {}
func (Progress) event() {}

// Subscriber takes the events of a campaign. One goroutine calls Handle, with every event in order.
// A subscriber ignores the events that it does not need.
type Subscriber interface{ Handle(Event) error }

// Stream is the list of subscribers in the order of their calls. The folder comes first.
type Stream []Subscriber

// Publish passes an event to the subscribers until one fails.
func (s Stream) Publish(e Event) error {
	for _, to := range s {
		if err := to.Handle(e); err != nil {
			return err
		}
	}
	return nil
}
