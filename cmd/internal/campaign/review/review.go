// Package review executes inputs with known results, in processes of its own, before and after the
// fuzzing of a campaign. Before it, these are control seeds, accepted differences and the findings
// of earlier runs. After it, these are the new findings.
//
// Invariants: These runs never count. A finding is marked, and never removed. An input that cannot
// run changes nothing.
package review

import (
	"context"
	"log/slog"
	"time"

	"parallax/cmd/internal/campaign/diagnosis"
	"parallax/cmd/internal/campaign/findings"
	"parallax/cmd/internal/campaign/steadiness"
	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/subject"
)

// Runner executes inputs. It is a *triage.Replayer, except in tests.
type Runner interface {
	diagnosis.Runner
	Ended() int // number of processes that inputs have ended
}

// View shows the progress to the user.
type View interface {
	Step(text string)    // names the long step that is under way
	Message(text string) // reports an event in one line
}

// Review examines a campaign by its inputs. probe.go has control seeds and programs that vary,
// stale.go accepted differences, and recheck.go findings.
type Review struct {
	Options  *subject.Options
	Facts    *subject.Facts
	Folder   string // of the campaign
	Findings *findings.Buckets
	Triager  func() *triage.Triager
	Open     func(ctx context.Context) Runner // opens the processes that Verify uses
	Steady   *steadiness.Counts
	Stale    *Stale // collects the notes of several targets; nil means one target
	View     View
	Log      *slog.Logger
	Now      func() time.Time

	Known    bool          // an earlier run had the same programs
	Longest  int           // the longest input that may be executed
	Until    time.Time     // the end of the review; zero means no limit
	Patience time.Duration // of Verify after an interrupt

	Seeds, Inputs [][]byte // seeds that were not executed yet, and the corpus
	AllSeeds      [][]byte // those of this invocation
	Problems      []string // notes for the user at the end
}

// Rerun runs accepted differences and findings again.
func (r *Review) Rerun(ctx context.Context) error {
	if err := r.rerunAccepted(ctx); err != nil {
		return err
	}
	return r.recheck(ctx)
}

// Bounded returns a context that ends with the time of the review.
func (r *Review) Bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	if r.Until.IsZero() {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, r.Until.Sub(r.Now()))
}
