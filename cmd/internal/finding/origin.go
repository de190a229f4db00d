package finding

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"parallax/cmd/internal/base/units"
)

// Origins of inputs are in words. If the origin is a seed, the library's own tests may already know
// the finding.

const seedOrigin = "seed: "

// Fuzzed is the origin of an input that was not made from a seed.
const Fuzzed = "found by fuzzing"

// SeedOrigin returns the origin of a seed.
func SeedOrigin(from string) string { return seedOrigin + from }

// IsSeed reports whether an origin is a seed.
func IsSeed(origin string) bool { return strings.HasPrefix(origin, seedOrigin) }

// MutatedOrigin returns the origin of an input that steps mutations made from the seed with the
// origin from. An empty from means a new input.
func MutatedOrigin(from string, steps int) string {
	if from == "" {
		return fmt.Sprintf("%s: a new input, mutated in %s", Fuzzed, units.Plural(uint64(steps), "step"))
	}
	return fmt.Sprintf("mutated from %s in %s", from, units.Plural(uint64(steps), "step"))
}

// MemberOrigin returns the origin of an input that steps mutations made from an input of another
// campaign of a fleet.
func MemberOrigin(member string, steps int) string {
	if steps == 0 {
		return "found by member " + member
	}
	return MutatedOrigin("an input of member "+member, steps)
}

// From returns the origin of the finding's inputs in a line, or "" if it was not recorded.
func (f *Finding) From() string {
	if f.MinimizedOrigin != "" && !IsSeed(f.Origin) && !bytes.Equal(f.Input, f.Minimized) {
		return f.MinimizedOrigin + ", when minimized; as found: " + f.Origin
	}
	return f.Origin
}

// BucketOrigin joins the origins of the first seed that shows a bucket and of its smallest input.
func BucketOrigin(seed, smallest string) string {
	if seed == "" || IsSeed(smallest) || smallest == "" {
		return cmp.Or(smallest, seed)
	}
	return seed + "; the smallest input: " + smallest
}
