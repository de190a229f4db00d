package serve

import (
	"net/http"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"parallax/cmd/internal/finding/history"
)

// metrics returns the handler of /metrics, in the format of Prometheus.
func (s *Server) metrics() http.Handler {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collector{s})
	return promhttp.HandlerFor(registry, promhttp.HandlerOpts{ErrorHandling: promhttp.ContinueOnError})
}

// collector computes the metrics from the campaigns when they are asked for.
type collector struct{ server *Server }

func metric(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("parallax_"+name, help, append([]string{"campaign"}, labels...), nil)
}

var (
	metricUp       = metric("campaign_readable", "1 if the folder of the campaign can be read.")
	metricRunning  = metric("campaign_running", "1 if a process runs the campaign.")
	metricInputs   = metric("inputs_total", "Inputs that the campaign has run.")
	metricRuns     = metric("executions_total", "Runs of programs.")
	metricSeconds  = metric("fuzzing_seconds_total", "Time of fuzzing.")
	metricCorpus   = metric("corpus_inputs", "Inputs kept.")
	metricWaiting  = metric("waiting_candidates", "Candidates that wait for triage.")
	metricWorkers  = metric("workers", "Workers of the last invocation.")
	metricRestarts = metric("worker_restarts_total", "Restarts of workers.")
	metricFindings = metric("findings", "Findings by state.", "state")
	metricOpen     = metric("open_findings", "Findings that show and are not accepted, also changes of behavior.")
	metricBlocks   = metric("blocks", "Blocks by program.", "program")
	metricCovered  = metric("covered_blocks", "Covered blocks by program.", "program")
)

// Describe implements prometheus.Collector.
func (c collector) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{
		metricUp, metricRunning, metricInputs, metricRuns, metricSeconds, metricCorpus, metricWaiting, metricWorkers, metricRestarts, metricFindings, metricOpen, metricBlocks, metricCovered,
	} {
		to <- d
	}
}

// Collect implements prometheus.Collector.
func (c collector) Collect(to chan<- prometheus.Metric) {
	list, _, _ := c.server.state()
	for _, m := range list {
		id := valid(m.ID)
		put := func(d *prometheus.Desc, kind prometheus.ValueType, v float64, labels ...string) {
			to <- prometheus.MustNewConstMetric(d, kind, v, append([]string{id}, labels...)...)
		}
		put(metricUp, prometheus.GaugeValue, number(m.Problem == ""))
		put(metricRunning, prometheus.GaugeValue, number(m.Running))
		if m.Campaign == nil {
			continue
		}
		s := m.Campaign.Summary
		inputs, runs, seconds, corpus := s.Inputs, s.Executions, s.ElapsedSeconds, s.Corpus.Size
		if n := len(m.Campaign.Samples); n > 0 { // newer than the summary
			last := &m.Campaign.Samples[n-1]
			inputs, runs, seconds, corpus = max(inputs, last.Inputs), max(runs, last.Executions), max(seconds, last.Elapsed), max(corpus, last.Corpus)
		}
		put(metricInputs, prometheus.CounterValue, float64(inputs))
		put(metricRuns, prometheus.CounterValue, float64(runs))
		put(metricSeconds, prometheus.CounterValue, seconds)
		put(metricCorpus, prometheus.GaugeValue, float64(corpus))
		put(metricWaiting, prometheus.GaugeValue, float64(m.Waiting))
		put(metricWorkers, prometheus.GaugeValue, float64(m.Workers))
		put(metricRestarts, prometheus.CounterValue, float64(s.Restarts))
		put(metricOpen, prometheus.GaugeValue, float64(s.Undecided()))
		states := map[string]int{}
		for i := range s.Findings.Buckets {
			states[s.Findings.Buckets[i].State]++
		}
		for _, state := range history.States {
			put(metricFindings, prometheus.GaugeValue, float64(states[string(state)]), string(state))
		}
		seen := map[string]bool{} // two metrics with one label would be an error
		for _, cov := range s.Coverage {
			if program := valid(cov.Program); !seen[program] {
				seen[program] = true
				covered, blocks := cov.Own()
				put(metricBlocks, prometheus.GaugeValue, float64(blocks), program)
				put(metricCovered, prometheus.GaugeValue, float64(covered), program)
			}
		}
	}
}

// valid returns a label: Prometheus takes only UTF-8.
func valid(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

func number(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
