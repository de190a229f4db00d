package campaign

import (
	"encoding/json"

	"parallax/cmd/internal/event"
	"parallax/cmd/internal/findings"
	"parallax/cmd/internal/state"
	"parallax/internal/feature"
)

// keeper is the subscriber that brings the folder up to date. It is the first to hear of an event: what is announced is on disk
// before. Inputs of the corpus go to the writer, and count as kept when the store has them.
type keeper struct {
	folder   *state.Folder
	findings *findings.Buckets
	writer   *writer
}

// Take implements event.Subscriber.
func (k *keeper) Take(e event.Event) error {
	switch e := e.(type) {
	case event.Novel:
		return k.folder.Append(e.Domain, []uint64{e.Hash})
	case event.Traces:
		return k.folder.Append(feature.TraceNumber, e.Keys)
	case event.Kept:
		k.writer.put(e.Flat, e.Meta)
	case event.Candidate:
		data, err := json.Marshal(e.Candidate)
		if err != nil {
			return err
		}
		return k.folder.PutPending(e.Name, data)
	case *event.Found:
		var err error
		e.Bucket, e.New, err = k.findings.Add(e.Finding, e.Candidate)
		return err
	case event.Sampled:
		return k.record(e)
	}
	return nil
}

// record writes the counters, and then a line of stats.jsonl: a line that is there never tells of more than the next run knows.
// Traces are there before what is counted of them, which says with how many it goes: see behaviour.restore.
func (k *keeper) record(e event.Sampled) error {
	if err := k.folder.Flush(); err != nil {
		return err
	}
	if err := k.folder.Save(e.Snapshot); err != nil {
		return err
	}
	for _, line := range e.Samples {
		if err := k.folder.AppendStats(line); err != nil {
			return err
		}
	}
	if e.Summary == nil {
		return nil
	}
	data, err := e.Summary.Below(k.folder.Dir()).Encode()
	if err != nil {
		return err
	}
	return k.folder.WriteSummary(data)
}
