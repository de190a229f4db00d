package formula

import (
	"context"

	"parallax/cmd/internal/model/smt/solver"
)

// Contradicts reports whether a solver proves that no call and no result satisfy any path of the
// model. A path with an unknown answer counts as satisfiable.
func (m *Model) Contradicts(ctx context.Context, s *solver.Solver) (bool, error) {
	for _, p := range m.Paths {
		r, err := s.Check(ctx, solver.Query{Assertions: p.Assertions})
		if err != nil {
			return false, err
		}
		if r.Answer != solver.Unsat {
			return false, nil
		}
	}
	return len(m.Paths) > 0, nil
}
