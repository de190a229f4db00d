package call

import (
	"fmt"
	"net/netip"
)

func Call(in []byte) (string, error) {
	a, err := netip.ParseAddr(string(in))
	if err != nil {
		return "", err
	}
	return fmt.Sprint(a.IsLoopback(), a.IsMulticast(), a.IsInterfaceLocalMulticast(), a.IsLinkLocalMulticast(), a.IsGlobalUnicast(), a.IsPrivate()), nil
}
