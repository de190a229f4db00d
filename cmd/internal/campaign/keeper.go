package campaign

import (
	"encoding/json"
	"maps"
	"slices"

	"parallax/cmd/internal/campaign/event"
	"parallax/cmd/internal/campaign/findings"
	"parallax/cmd/internal/finding/state"
	"parallax/internal/feature"
)

// keeper is the subscriber that brings the folder up to date. It is the first to hear of an event: candidates and
// findings are on disk when it returns. Inputs, features and samples go to the writer, in the order in which they come,
// and count as kept when it has written them.
type keeper struct {
	folder   *state.Folder
	findings *findings.Buckets
	writer   *writer

	tuples map[uint8][]uint64 // on their way to the writer
	n      int

	log knownLog
}

func newKeeper(folder *state.Folder, findings *findings.Buckets, writer *writer, known *known, branches *behavior) *keeper {
	return &keeper{
		folder: folder, findings: findings, writer: writer,
		log: knownLog{known: known, branches: branches, most: mostLog, size: folder.LogSize(), compacted: folder.Compacted()},
	}
}

// maxTuples is how many features are handed to the writer at once. To hand over each by itself would cost more.
const maxTuples = 1 << 12

// Take implements event.Subscriber.
func (k *keeper) Take(e event.Event) error {
	switch e := e.(type) {
	case event.Novel:
		return k.append(e.Domain, e.Hash)
	case event.Traces:
		return k.append(feature.TraceNumber, e.Keys...)
	case event.Kept:
		return k.writer.put(e.Flat, e.Meta)
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
		if err := k.handOver(); err != nil {
			return err
		}
		all := k.log.due(e.End)
		return k.writer.do(func() error {
			if err := k.record(e); err != nil || all == nil {
				return err
			}
			return k.folder.Compact(all)
		})
	}
	return nil
}

// append gathers features. They may reach the disk later than inputs that came after them, and never sooner than those that
// came before.
func (k *keeper) append(domain uint8, hashes ...uint64) error {
	if k.tuples == nil {
		k.tuples = map[uint8][]uint64{}
	}
	k.tuples[domain] = append(k.tuples[domain], hashes...)
	k.log.size += 8 * int64(len(hashes))
	if k.n += len(hashes); k.n < maxTuples {
		return nil
	}
	return k.handOver()
}

// handOver gives the writer the features that were gathered.
func (k *keeper) handOver() error {
	tuples := k.tuples
	k.tuples, k.n = nil, 0
	if len(tuples) == 0 {
		return nil
	}
	return k.writer.do(func() error {
		for _, domain := range slices.Sorted(maps.Keys(tuples)) {
			err := k.folder.Append(domain, tuples[domain])
			delete(tuples, domain) // the folder has them, whatever it could write
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// record writes the counters, and then a line of stats.jsonl: a line that is there never tells of more than the next run knows.
// Traces are there before what is counted of them, which says with how many it goes: see behavior.restore.
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
