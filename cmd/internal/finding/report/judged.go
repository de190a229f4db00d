package report

// mostlySteady is one over the share of inputs on which a program may do otherwise when it runs again, and still be compared.
const mostlySteady = 10

// NotJudged says why nothing follows from a run without findings, "" if something does: nothing ran, or a program does not always do the same.
func (s *Summary) NotJudged() string {
	for i := range s.Findings.Buckets {
		if b := &s.Findings.Buckets[i]; !b.Gone && !b.Flaky {
			return ""
		}
	}
	if s.Inputs == 0 {
		return "no input was executed"
	}
	if c := s.Change; c != nil && c.Calls == 0 && len(c.LeftOut) > 0 {
		return "the results of its calls differ from run to run"
	}
	compared := s.Inputs
	if len(s.Programs) == 2 && s.Executions > s.Inputs { // the old version does not run on all
		compared = min(compared, s.Executions-s.Inputs)
	}
	differ := s.DiscrepantInputs*mostlySteady >= compared // and none of them became a finding
	for _, w := range s.Wavering {
		if w.Inputs > 0 && w.Inputs*mostlySteady >= w.Of || w.Candidates > 0 && differ {
			return w.Program + " does not always do the same"
		}
	}
	return ""
}
