package call

import (
	"slices"

	"github.com/pion/stun/v3"
)

func Call(in []byte) (string, error) {
	m := stun.New()
	m.Raw = slices.Clip(slices.Clone(in))
	if err := m.Decode(); err != nil {
		return "", err
	}
	var a stun.XORMappedAddress
	err := a.GetFrom(m)
	return a.String(), err
}
