package intake

import (
	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/finding/state"
	"parallax/internal/input"
)

// Join connects a campaign with others of its identity.
type Join func(Joining) (Exchange, error)

// Joining describes a campaign that joins others.
type Joining struct {
	Identity state.Identity
	Target   string
	Build    string // of the programs
	Shape    input.Shape
	Replays  bool // event.Resumed follows
	MaxFlat  int  // size of the largest input that a worker can execute
	Folder   *state.Folder
	Corpus   *corpus.Store
	Waiting  func(most int) [][]byte // inputs of candidates on disk, from any goroutine
	Report   func(text string)       // informs the user
	Log      func(text string)
}
