package extract

// Side is what runs a call of values: the engine's model, or the language itself.
type Side string

// The sides.
const (
	OfModel    Side = "model"
	OfOriginal Side = "original"
)

// Parameter is a parameter of a function that takes values.
type Parameter struct {
	Name string `json:"name"`
	// Kinds are the kinds of values that it takes: str, bytes, int, float, bool, none, "list:str", "list:bytes", and "=x" for the string x.
	Kinds    []string `json:"kinds"`
	Optional bool     `json:"optional,omitempty"`
	Default  string   `json:"default,omitempty"` // as source, of a language whose functions are called beside formulas
}

// How a call of values ended.
type How string

// The ways. Unknown is an engine that gives up, or a result that cannot be compared; Failed is an adapter or a process that did. Drops is a model that
// has no path for the call.
const (
	Returns How = "returns"
	Raises  How = "raises"
	Unknown How = "unknown"
	Failed  How = "failed"
	Drops   How = "drops"
)

// Said is what one side says of a call.
type Said struct {
	How    How    `json:"how"`
	Kind   string `json:"kind,omitempty"`   // type of the result, or of what is raised
	Value  string `json:"value,omitempty"`  // as source; of what is raised its type; else why there is none
	Unique bool   `json:"unique,omitempty"` // of a model: its answer is one, and not a choice of several
}

// Values reports whether an engine's models are code that takes values: it is asked by Takes and Calls.
func Values(name string) bool {
	r, err := engine(name)
	return err == nil && r.values
}
