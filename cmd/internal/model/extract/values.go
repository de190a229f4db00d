package extract

// Side is the executor of a call of values: the engine's model, or the language itself.
type Side string

// The sides.
const (
	OfModel    Side = "model"
	OfOriginal Side = "original"
)

// Parameter is a parameter of a function that takes values.
type Parameter struct {
	Name string `json:"name"`
	// Kinds are the kinds of values that it takes: str, bytes, int, float, bool, none, "list:str",
	// "list:bytes", and "=x" for the string x.
	Kinds    []string `json:"kinds"`
	Optional bool     `json:"optional,omitempty"`
	// as source; for languages whose functions are called in addition to formulas
	Default string `json:"default,omitempty"`
}

// How is the end of a call of values.
type How string

// The ends of a call. Unknown means that the engine gave up, or that the result is not comparable.
// Failed means that an adapter or a process failed. Drops means that the model has no path for the
// call.
const (
	Returns How = "returns"
	Raises  How = "raises"
	Unknown How = "unknown"
	Failed  How = "failed"
	Drops   How = "drops"
)

// Said is the result of a call on one side.
type Said struct {
	How  How    `json:"how"`
	Kind string `json:"kind,omitempty"` // type of the result or of the exception
	// as source; the type of an exception; else the reason why there is none
	Value string `json:"value,omitempty"`
	// of a model: its answer is one, and not a choice of several
	Unique bool `json:"unique,omitempty"`
}

// Values reports whether an engine's models are code that takes values: it is asked by Takes and
// Calls.
func Values(name string) bool {
	r, err := engine(name)
	return err == nil && r.values
}
