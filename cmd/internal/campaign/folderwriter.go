package campaign

import (
	"maps"
	"slices"

	"parallax/cmd/internal/finding/event"
	"parallax/cmd/internal/finding/state"
	"parallax/internal/feature"
)

// folderWriter is the subscriber that updates the folder. It is the first to get an event. Inputs,
// features and samples go to the writer in order, and count as kept once it has written them.
type folderWriter struct {
	folder *state.Folder
	writer *writer

	tuples map[uint8][]uint64 // features not yet given to the writer
	n      int

	log knownLog
}

func newFolderWriter(folder *state.Folder, writer *writer, known *knowledge, branches *behavior) *folderWriter {
	return &folderWriter{
		folder: folder, writer: writer,
		log: knownLog{known: known, branches: branches, most: mostLog, size: folder.LogSize(), compacted: folder.Compacted()},
	}
}

// maxTuples is the number of features that the writer gets in one call, to save calls.
const maxTuples = 1 << 12

// Handle implements event.Subscriber.
func (k *folderWriter) Handle(e event.Event) error {
	switch e := e.(type) {
	case event.Novel:
		return k.append(e.Domain, e.Hash)
	case event.Traces:
		return k.append(feature.TraceNumber, e.Keys...)
	case event.Kept:
		return k.writer.put(e.Flat, e.Meta)
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

// append gathers features. They never reach the disk before earlier inputs.
func (k *folderWriter) append(domain uint8, hashes ...uint64) error {
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

// handOver gives the gathered features to the writer.
func (k *folderWriter) handOver() error {
	tuples := k.tuples
	k.tuples, k.n = nil, 0
	if len(tuples) == 0 {
		return nil
	}
	return k.writer.do(func() error {
		for _, domain := range slices.Sorted(maps.Keys(tuples)) {
			err := k.folder.Append(domain, tuples[domain])
			delete(tuples, domain) // the folder keeps those that it could not write
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// record writes the counters, then a line of stats.jsonl, which never exceeds the next run's state.
// Traces are on disk before their counts: see behavior.restore.
func (k *folderWriter) record(e event.Sampled) error {
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
