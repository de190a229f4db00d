package feature

import "parallax/internal/oracle"

// deviation has a feature per path and kind of disagreement. It is the feedback of SEDiff's checker
// (Li, Meng, Lu, ESEC/FSE 2022, section 3.3.1). The paper keeps every input with a deviation. Here
// an input is kept if no earlier input showed such a deviation on its path.
var deviation = Domain{
	Name: Deviation, Text: "new ways to disagree on a path", Number: Unstored, Programs: 2, Needs: Sets,
	Measure: func(s Setting) Measure {
		return func(j *Joint, out []uint64) []uint64 {
			layer := oracle.DisagreeLayer(s.Layers, j.Obs)
			if layer == 0 {
				return out
			}
			h := Chain(FineTuple(j), uint64(layer))
			for i := range j.Obs {
				h = Chain(h, uint64(j.Obs[i].Outcome))
			}
			return append(out, h)
		}
	},
}
