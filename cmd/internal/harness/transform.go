package harness

import (
	"fmt"
	"go/types"
)

// Transforms says why a function cannot turn bytes into others, as one that repairs or normalises does; nil if it can.
func (p *Plan) Transforms(program int) error {
	c := p.calls[program]
	if !c.shape.Raw() || len(c.values) != 1 || c.ofReceiver || !isText(c.values[0]) {
		return fmt.Errorf("%s is %s, and should be func([]byte) []byte, perhaps with an error or a bool behind", c.name, c.signature())
	}
	return nil
}

// isText reports whether values of a type are bytes as they are.
func isText(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&types.IsString != 0
	case *types.Slice:
		b, ok := u.Elem().Underlying().(*types.Basic)
		return ok && b.Kind() == types.Uint8
	}
	return false
}
