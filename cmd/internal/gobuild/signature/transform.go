package signature

import (
	"fmt"
	"go/types"
)

// Transforms says why a function cannot turn bytes into others, as one that repairs or normalizes
// does; nil if it can.
func (c *Function) Transforms() error {
	if !c.Shape.Raw() || len(c.Values) != 1 || c.OfReceiver || !isText(c.Values[0]) {
		return fmt.Errorf("%s is %s, and should be func([]byte) []byte, perhaps with an error or a bool behind", c.Name, c.Signature())
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
