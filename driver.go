package parallax

import (
	"testing"

	"parallax/internal/implementation"
)

// Version is that of the contract between this package and the tool. A copy of the library that has another version than
// the tool is brought up to date with parallax init; the tool knows the version before still. It is raised when Harness or Driver change.
const Version = 3

// Harness is what a call of Diff says, in types of the standard library only, since the tool brings a copy of its own of
// everything else.
type Harness = implementation.Config

// Driver is set by the parallax tool, in a file that it adds to the test binaries that it builds, and by nobody else. Diff
// then hands over to it instead of calling f.Fuzz; control seeds have been given to f.Add.
var Driver func(f *testing.F, h *Harness)
