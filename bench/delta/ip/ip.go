// Package ip reads an IP address or, if there is a slash, a network in CIDR notation. It uses three
// libraries and two of them in turn, behind one signature. An address is returned as text. IPv4
// addresses inside of IPv6 ones are IPv4, since package net knows no difference. The bits behind
// the prefix of a network are cleared.
package ip

import (
	"errors"
	"net"
	"net/netip"
	"strings"

	"go4.org/netipx"
	k8s "k8s.io/utils/net"

	"delta/codes"
)

var (
	errAddress = errors.New("not an IP address")
	errBack    = errors.New("not a prefix on the way back")
)

// Net reads with package net.
func Net(s string) (string, error) {
	return read(s, net.ParseIP, net.ParseCIDR)
}

// Sloppy reads with k8s.io/utils/net, which keeps the parser that package net had before Go 1.17
// and so is lenient about zeros in front.
func Sloppy(s string) (string, error) {
	return read(s, k8s.ParseIPSloppy, k8s.ParseCIDRSloppy)
}

func read(s string, address func(string) net.IP, network func(string) (net.IP, *net.IPNet, error)) (string, error) {
	if strings.Contains(s, "/") {
		_, n, err := network(s)
		if err != nil {
			return "", codes.Before(err, ":") // the message repeats the input, without quotes
		}
		return n.String(), nil
	}
	a := address(s)
	if a == nil {
		return "", errAddress
	}
	return a.String(), nil
}

// Netip reads with package net/netip.
func Netip(s string) (string, error) {
	if strings.Contains(s, "/") {
		p, err := netip.ParsePrefix(s)
		if err != nil {
			return "", err
		}
		return p.Masked().String(), nil
	}
	a, err := netip.ParseAddr(s)
	if err != nil {
		return "", err
	}
	return a.Unmap().String(), nil
}

// Netipx reads with package net/netip and converts the result to package net and back with
// go4.org/netipx. Code between old and new interfaces does the same.
func Netipx(s string) (string, error) {
	if strings.Contains(s, "/") {
		p, err := netip.ParsePrefix(s)
		if err != nil {
			return "", err
		}
		q, ok := netipx.FromStdIPNet(netipx.PrefixIPNet(p.Masked()))
		if !ok {
			return "", errBack
		}
		return q.String(), nil
	}
	a, err := netip.ParseAddr(s)
	if err != nil {
		return "", err
	}
	b, ok := netipx.FromStdIP(net.IP(a.AsSlice()))
	if !ok {
		return "", errAddress
	}
	return b.String(), nil
}
