package campaign

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/campaign/intake"
	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/event"
	"parallax/cmd/internal/finding/sample"
	"parallax/internal/oracle"
)

// View shows a campaign to its user. Its methods may be called from any goroutine.
type View interface {
	// Step names the long step that is under way.
	Step(text string)
	// Update replaces the status.
	Update(sample.Status)
	// Message reports an event in one line.
	Message(text string)
}

// announcer is the subscriber that shows findings and progress to the user. It also logs findings.
type announcer struct {
	ui  View
	log *slog.Logger

	announced int // findings reported one by one
}

// announceLimit bounds the findings that are reported one by one. The list at the end has all.
const announceLimit = 12

// Handle implements event.Subscriber.
func (a *announcer) Handle(e event.Event) error {
	switch e := e.(type) {
	case event.Found:
		if e.New && !e.Bucket.Accepted {
			a.announce(e.Best)
		}
		a.log.Info("finding", "bucket", e.Bucket.ID, "kind", e.Bucket.Kind, "new", e.New, "runs", e.Runs)
	case event.Progress:
		a.ui.Update(e.Status)
	}
	return nil
}

// announce reports the finding of a new bucket.
func (a *announcer) announce(f *finding.Finding) {
	if a.announced++; a.announced > announceLimit {
		if a.announced == announceLimit+1 {
			a.ui.Message("further findings are only counted here, and listed at the end")
		}
		return
	}
	text := fmt.Sprintf("%s %s on %s:", f.Kind, f.Bucket, f.Quote(60))
	if p := f.Programs[0]; len(f.Programs) == 1 {
		a.ui.Message(text + " " + escape.Cut(p.Line(), 80))
		return
	}
	for i, p := range f.Programs {
		if i > 0 {
			text += ","
		}
		text += " " + p.Name + " "
		if f.Layer == oracle.ValueLayer.String() && p.Value != "" || f.Layer == oracle.ClassLayer.String() && p.Error != "" {
			text += f.Excerpt(&p, 60)
		} else {
			text += p.Outcome
		}
	}
	a.ui.Message(text)
}

// join joins the campaign to others, and announces the findings on disk.
func (c *Campaign) join() error {
	if c.opt.Join == nil {
		return nil
	}
	x, err := c.opt.Join(intake.Joining{
		Identity: c.folder.Config().Identity, Target: c.facts.Name, Build: c.facts.BuildID, Shape: c.facts.Shape, MaxFlat: c.spec.MaxFlat, Replays: !c.opt.NoFuzz,
		Folder: c.folder, Corpus: c.store, Waiting: c.triage.Held, Report: c.ui.Message, Log: func(text string) { c.log.Info("exchange", "text", text) },
	})
	if err != nil {
		return err
	}
	c.fleet.intake.Exchange, c.stream = x, append(c.stream, intake.Written(c.writer.do, x))
	c.triage.Share(x)
	for _, id := range c.findings.IDs() {
		b := c.findings.Find(id)
		err = errors.Join(err, x.Handle(event.Found{Bucket: b.Bucket, Best: b.Best}))
	}
	return err
}

// conclude executes the findings of others after the fuzzing, unless it was interrupted.
func (c *Campaign) conclude(ctx context.Context) {
	if c.phase.failure != nil || c.phase.stopped == "interrupted" {
		c.fleet.intake.Abandon()
	} else if c.fleet.alive() == 0 {
		c.fleet.intake.Conclude(ctx, c.phase.ends.hurry, func(ctx context.Context) intake.Runner { return c.runner(ctx) })
	}
}

// handleLate handles a finding of others that was executed after the fuzzing.
func (c *Campaign) handleLate(e intake.Executed, more bool) {
	cand := finding.Candidate{Flat: e.Flat, Inputs: c.totals.inputs, Seen: triage.Observations(e.Results), Fresh: true}
	c.offerAspects(cand, triage.Aspects(c.opt.Layers, e.Results))
	if err := c.fleet.intake.Done(e, more); err != nil {
		c.fail(err)
	}
}

// leave announces the rest to the others, and ends the connection.
func (c *Campaign) leave() {
	notes, err := c.fleet.intake.Close()
	if err != nil {
		c.fail(err)
	}
	c.problems = append(c.problems, notes...)
}
