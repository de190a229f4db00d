package flow

// Branching returns the blocks of a run that branch, by the blocks to which they lead.
func (s *Space) Branching(hits []uint32) map[int][]int {
	before := map[int][]int{}
	for _, id := range hits {
		if succs := s.Succs(int(id)); len(succs) > 1 {
			for _, to := range succs {
				before[to] = append(before[to], int(id))
			}
		}
	}
	return before
}

// Parting returns the block with which a run leaves the path that it shares with the run of another
// version. It follows the first executions of both, from the first versions of one block to the
// first difference. It reports false without a recorded order, and if nothing follows.
func (s *Space) Parting(own, other []uint32) (block int, parts bool) {
	at := map[int]int{}
	for j, id := range other {
		at[s.Counterpart(int(id))] = j
	}
	i, j := 0, 0
	for ; i < len(own); i++ {
		if k, ok := at[s.Counterpart(int(own[i]))]; ok && other[k] != own[i] {
			j = k
			break
		}
	}
	for i < len(own) && j < len(other) && s.Counterpart(int(own[i])) == s.Counterpart(int(other[j])) {
		i, j = i+1, j+1
	}
	if i == len(own) {
		return None, false
	}
	return int(own[i]), true
}

// FunctionOf returns the name of a block's function, with its package.
func (s *Space) FunctionOf(id int) string {
	t, b := s.Block(id)
	if t == nil {
		return ""
	}
	return t.Package + "." + t.Funcs[b.Func].Name
}

// Entered returns the names of the functions that have one of the blocks.
func (s *Space) Entered(blocks []uint32) map[string]bool {
	entered := map[string]bool{}
	for _, id := range blocks {
		entered[s.FunctionOf(int(id))] = true
	}
	return entered
}
