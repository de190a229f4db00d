package feature

import "parallax/internal/oracle"

// valid has the blocks that a program executes on inputs that it accepts. It is the validity
// feedback of Zest (Padhye et al., ISSTA 2019, section 3.2) and of BeDivFuzz (ICSE 2022, section
// 3.3). An input on which any program fails does not count. It is a finding, and not a seed.
var valid = Domain{
	Name: Valid, Text: "new blocks of inputs that are accepted", Number: Unstored, Bounded: true,
	Measure: func(s Setting) Measure {
		seen := make([]bool, s.Programs*s.Blocks)
		return func(j *Joint, out []uint64) []uint64 {
			for p := range j.Obs {
				if j.Obs[p].Outcome >= oracle.Crashed {
					return out // its new blocks stay new, for an input that is kept
				}
			}
			for p := range j.Traces {
				if j.Obs[p].Outcome != oracle.Accepted {
					continue
				}
				j.Traces[p].Need()
				for _, id := range j.Traces[p].Hits {
					if i := p*s.Blocks + int(id); !seen[i] {
						seen[i] = true
						out = append(out, Mix(uint64(i)))
					}
				}
			}
			return out
		}
	},
}
