package llvmir

import "fmt"

// step is one summand of getelementptr: a fixed offset, or an index times a scale.
type step struct {
	offset int64
	index  *Value // nil for a fixed offset
	scale  int64
}

// steps takes the indices of a getelementptr apart. Fixed offsets are summed up in the first step.
func (in *Instr) steps() ([]step, error) {
	fixed := step{}
	var others []step
	t := in.Source
	for i, v := range in.Args[1:] {
		if i > 0 {
			switch t.Kind {
			case StructType:
				if v.Kind != IntValue || !v.Int.IsInt64() || v.Int.Int64() >= int64(len(t.Fields)) {
					return nil, fmt.Errorf("%v has no such field", t)
				}
				n := int(v.Int.Int64())
				fixed.offset += int64(t.Offset(n))
				t = t.Fields[n]
				continue
			case ArrayType:
				t = t.Elem
			default:
				return nil, fmt.Errorf("%v has no elements", t)
			}
		}
		scale := int64(t.Size())
		if v.Kind == IntValue && v.Type.Bits <= 64 {
			fixed.offset += signed(v.bits(), v.Type.Bits) * scale
			continue
		}
		others = append(others, step{index: v, scale: scale})
	}
	return append([]step{fixed}, others...), nil
}

// signed interprets a number of some bits as signed.
func signed(n uint64, bits int) int64 { return int64(n<<(64-bits)) >> (64 - bits) }
