package finding

// Flaky counts candidates of one kind that did not repeat, for the same likely reason.
type Flaky struct {
	Kind     string   `json:"kind"`
	Programs []string `json:"programs,omitempty"` // that did otherwise
	Reason   string   `json:"reason"`
	Count    uint64   `json:"count"`
	Inputs   []string `json:"inputs,omitempty"`  // the first of them, as Go text
	Message  string   `json:"message,omitempty"` // the first that a program failed with, on one line and cut
}
