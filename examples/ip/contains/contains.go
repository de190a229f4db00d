// Package contains reports whether a network holds an address. It uses package net, net/netip, and
// an IP set of go4.org/netipx, with one signature, so that parallax can compare them.
package contains

import (
	"errors"
	"net"
	"net/netip"

	"go4.org/netipx"
)

var errInvalid = errors.New("not an IP address")

// Net reports whether the network holds the address, with package net.
func Net(cidr, addr string) (bool, error) {
	_, n, err := net.ParseCIDR(cidr)
	if err != nil {
		return false, err
	}
	ip := net.ParseIP(addr)
	if ip == nil {
		return false, errInvalid
	}
	return n.Contains(ip), nil
}

// Netip reports whether the network holds the address, with package net/netip.
func Netip(cidr, addr string) (bool, error) {
	p, err := netip.ParsePrefix(cidr)
	if err != nil {
		return false, err
	}
	ip, err := netip.ParseAddr(addr)
	if err != nil {
		return false, err
	}
	return p.Contains(ip), nil
}

// Netipx reports whether the network holds the address, with an IP set of go4.org/netipx.
func Netipx(cidr, addr string) (bool, error) {
	p, err := netip.ParsePrefix(cidr)
	if err != nil {
		return false, err
	}
	ip, err := netip.ParseAddr(addr)
	if err != nil {
		return false, err
	}
	var b netipx.IPSetBuilder
	b.AddPrefix(p)
	set, err := b.IPSet()
	if err != nil {
		return false, err
	}
	return set.Contains(ip), nil
}
