package campaign

import (
	"time"

	"parallax/cmd/internal/finding/state"
	"parallax/internal/wire"
)

// totals are the counts of a campaign over its folder's whole life.
type totals struct {
	inputs, executions, discrepant, restarts, flaky uint64
	repaired, unrepaired                            uint64 // of this invocation: calls of the repair function, and those in vain
	compared, triaged                               uint64 // runs of the cmplog build, and of triage and minimizing
	bytes, blocks                                   uint64 // of the inputs, and that the programs entered on them

	startInputs, startExecutions uint64        // of earlier invocations
	before                       time.Duration // fuzzing time of earlier invocations
	elapsed                      time.Duration // of this one, once it has stopped
	stopped                      bool
	cpuBefore, cpu               time.Duration // of the fuzzing workers: in earlier invocations, in this one
	counters                     map[string]uint64
	seedList                     string // the counter of this invocation's list of seeds
	tried, kept, refused         map[string]uint64
}

const (
	triedPrefix = "tried/"
	armPrefix   = "arm " // of the names of arms, among those of operators
	comparedKey = "compared"
	triagedKey  = "judged"
	bytesKey    = "input bytes"
	blocksKey   = "blocks entered"
)

func (t *totals) load(counters map[string]uint64, clock state.Clock) {
	t.counters = counters
	if t.counters == nil {
		t.counters = map[string]uint64{}
	}
	t.inputs, t.executions = t.counters[state.Inputs], t.counters[state.Executions]
	t.discrepant = t.counters[state.Discrepant]
	t.compared, t.triaged = t.counters[comparedKey], t.counters[triagedKey]
	t.bytes, t.blocks = t.counters[bytesKey], t.counters[blocksKey]
	t.restarts, t.flaky = t.counters[state.Restarts], t.counters[state.Flaky]
	t.before, t.cpuBefore = time.Duration(clock.ElapsedMS)*time.Millisecond, time.Duration(clock.CPUMS)*time.Millisecond
	t.startInputs, t.startExecutions = t.inputs, t.executions
	t.tried, t.kept, t.refused = map[string]uint64{}, map[string]uint64{}, map[string]uint64{}
	for k, v := range t.counters {
		if name, ok := cutPrefix(k, triedPrefix); ok {
			t.tried[name] = v
		}
		if name, ok := cutPrefix(k, state.Refused); ok {
			t.refused[name] = v
		}
		if name, ok := cutPrefix(k, state.Yield("")); ok {
			t.kept[name] = v
		}
	}
}

func cutPrefix(s, prefix string) (string, bool) {
	if len(s) > len(prefix) && s[:len(prefix)] == prefix {
		return s[len(prefix):], true
	}
	return "", false
}

// add takes the growth of a worker's counter.
func (t *totals) add(s wire.Stat, n, programs uint64) {
	switch s {
	case wire.Inputs:
		t.inputs += n
		t.executions += n * programs
	case wire.Skipped:
		t.executions -= min(n, t.executions)
	case wire.Discrepant:
		t.discrepant += n
	case wire.Compared:
		t.compared += n * programs
	case wire.Bytes:
		t.bytes += n
	case wire.Blocks:
		t.blocks += n
	case wire.Repaired:
		t.repaired += n
	case wire.Unrepaired:
		t.unrepaired += n
	}
}

// operators takes the growth of a worker's operator yields.
func (t *totals) operators(had, now *wire.Counts, names []string) {
	for i, name := range names[:min(len(names), wire.MaxOps)] {
		t.tried[name] += now.Tried[i] - had.Tried[i]
		t.kept[name] += now.Kept[i] - had.Kept[i]
	}
}

// inputsAt converts a process's count of inputs into the campaign's, as well as several workers allow. The count may lie
// before what was taken last, for a worker counts while its events are being read.
func (t *totals) inputsAt(m *instance, count uint64) uint64 {
	if delta := int64(count - m.counts.Stats[wire.Inputs]); -1<<40 < delta && delta < 1<<40 {
		return t.inputs + uint64(delta)
	}
	return t.inputs
}

func (t *totals) stop(elapsed time.Duration) {
	if !t.stopped {
		t.stopped, t.elapsed = true, elapsed
	}
}

// fuzzing is the fuzzing time of this invocation.
func (t *totals) fuzzing(sinceStart time.Duration) time.Duration {
	if t.stopped {
		return t.elapsed
	}
	return sinceStart
}

// save returns the counters to be kept.
func (t *totals) save() map[string]uint64 {
	m := t.counters
	m[state.Inputs], m[state.Executions] = t.inputs, t.executions
	m[state.Discrepant] = t.discrepant
	m[comparedKey], m[triagedKey] = t.compared, t.triaged
	m[bytesKey], m[blocksKey] = t.bytes, t.blocks
	m[state.Restarts], m[state.Flaky] = t.restarts, t.flaky
	for name, v := range t.tried {
		m[triedPrefix+name] = v
	}
	for name, v := range t.refused {
		m[state.Refused+name] = v
	}
	for name, v := range t.kept {
		m[state.Yield(name)] = v
	}
	return m
}

// clock is the time to be kept.
func (t *totals) clock(fuzzing time.Duration) state.Clock {
	return state.Clock{ElapsedMS: uint64((t.before + fuzzing).Milliseconds()), CPUMS: uint64((t.cpuBefore + t.cpu).Milliseconds())}
}

// rate is executions a second since the last look.
type rate struct {
	at    time.Time
	count uint64
	value float64
}

func (r *rate) start(now time.Time, count uint64) { r.at, r.count = now, count }

func (r *rate) update(now time.Time, count uint64) float64 {
	if d := now.Sub(r.at).Seconds(); d >= 0.4 {
		r.value = float64(count-r.count) / d
		r.at, r.count = now, count
	}
	return r.value
}
