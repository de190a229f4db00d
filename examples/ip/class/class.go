// Package class returns the kind of an IP address. It uses the common methods of net.IP and
// netip.Addr, so that parallax can compare them.
package class

import (
	"errors"
	"net"
	"net/netip"
	"strings"
)

var errInvalid = errors.New("not an IP address")

// Net says what kind of address it is, with the methods of net.IP.
func Net(s string) (string, error) {
	ip := net.ParseIP(s)
	if ip == nil {
		return "", errInvalid
	}
	return words(ip), nil
}

// Netip says what kind of address it is, with the methods of netip.Addr.
func Netip(s string) (string, error) {
	ip, err := netip.ParseAddr(s)
	if err != nil {
		return "", err
	}
	return words(ip), nil
}

// classifier has the common methods of net.IP and netip.Addr.
type classifier interface {
	IsUnspecified() bool
	IsLoopback() bool
	IsPrivate() bool
	IsMulticast() bool
	IsInterfaceLocalMulticast() bool
	IsLinkLocalMulticast() bool
	IsLinkLocalUnicast() bool
	IsGlobalUnicast() bool
}

func words(ip classifier) string {
	var words []string
	for _, c := range []struct {
		is   bool
		word string
	}{
		{ip.IsUnspecified(), "unspecified"},
		{ip.IsLoopback(), "loopback"},
		{ip.IsPrivate(), "private"},
		{ip.IsMulticast(), "multicast"},
		{ip.IsInterfaceLocalMulticast(), "interface-local-multicast"},
		{ip.IsLinkLocalMulticast(), "link-local-multicast"},
		{ip.IsLinkLocalUnicast(), "link-local-unicast"},
		{ip.IsGlobalUnicast(), "global-unicast"},
	} {
		if c.is {
			words = append(words, c.word)
		}
	}
	return strings.Join(words, " ")
}
