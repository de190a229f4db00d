package parallax

import (
	"testing"

	"parallax/internal/implementation"
)

// Version numbers the contract between this package and the tool. It increases when Harness or
// Driver change. The tool also supports the version before. parallax init updates copies of the
// library that have another version.
const Version = 3

// Harness holds the configuration of a call of Diff. Its types are those of the standard library
// only, since the tool has its own copy of all other packages.
type Harness = implementation.Config

// Driver replaces f.Fuzz in Diff. Only the parallax tool sets it, in a file that it adds to the
// test binaries that it builds. Before the call, Diff passes control seeds to f.Add.
var Driver func(f *testing.F, h *Harness)
