package campaign

import (
	"strings"
	"time"

	"parallax/cmd/internal/finding/state"
	"parallax/internal/wire"
)

// totals holds the counts of a campaign over its folder's whole life.
type totals struct {
	inputs, executions, discrepant, restarts, flaky uint64
	repaired, unrepaired                            uint64 // mutants of this invocation, and those that repair could not change
	compared, triaged                               uint64 // runs of the cmplog build, and of triage
	bytes, blocks                                   uint64 // bytes of inputs, and blocks that they entered

	startInputs, startExecutions uint64        // of earlier invocations
	before                       time.Duration // fuzzing time of earlier invocations
	elapsed                      time.Duration // fuzzing time of this one, once it has stopped
	stopped                      bool
	cpuBefore, cpu               time.Duration // CPU time of fuzzing workers: earlier invocations, this one
	counters                     map[string]uint64
	seedList                     string // the counter of this invocation's list of seeds
	tried, kept, refused         map[string]uint64
}

const (
	triedPrefix = "tried/"
	armPrefix   = "arm " // prefix of arms among the names of operators
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
	name, ok := strings.CutPrefix(s, prefix)
	return name, ok && name != ""
}

// add adds the growth of a worker's counter.
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

// operators adds the growth of a worker's operator yields.
func (t *totals) operators(had, now *wire.Counts, names []string) {
	for i, name := range names[:min(len(names), wire.MaxOps)] {
		t.tried[name] += now.Tried[i] - had.Tried[i]
		t.kept[name] += now.Kept[i] - had.Kept[i]
	}
}

// inputsAt converts a process's count of inputs into the campaign's, approximately if there are
// several workers. The count may be older than the last one.
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

// fuzzing returns the fuzzing time of this invocation.
func (t *totals) fuzzing(sinceStart time.Duration) time.Duration {
	if t.stopped {
		return t.elapsed
	}
	return sinceStart
}

// save returns the counters for the folder.
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

// clock returns the times for the folder.
func (t *totals) clock(fuzzing time.Duration) state.Clock {
	return state.Clock{ElapsedMS: uint64((t.before + fuzzing).Milliseconds()), CPUMS: uint64((t.cpuBefore + t.cpu).Milliseconds())}
}

// rate measures executions per second since the last update.
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
