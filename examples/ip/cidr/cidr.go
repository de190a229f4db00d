// Package cidr reads a network with package net, with net/netip, and with netip by way of package
// net and go4.org/netipx. All have one signature, so that parallax can compare them. The value is
// the network with the bits behind its prefix cleared, as the package prints it.
package cidr

import (
	"errors"
	"net"
	"net/netip"

	"go4.org/netipx"
)

// Net reads a network with net.ParseCIDR.
func Net(s string) (string, error) {
	_, n, err := net.ParseCIDR(s)
	if err != nil {
		return "", err
	}
	return n.String(), nil
}

// Netip reads a network with netip.ParsePrefix.
func Netip(s string) (string, error) {
	p, err := netip.ParsePrefix(s)
	if err != nil {
		return "", err
	}
	return p.Masked().String(), nil
}

// Netipx reads a network with netip.ParsePrefix and converts it to package net and back with
// netipx. Code between old and new interfaces does the same.
func Netipx(s string) (string, error) {
	p, err := netip.ParsePrefix(s)
	if err != nil {
		return "", err
	}
	q, ok := netipx.FromStdIPNet(netipx.PrefixIPNet(p.Masked()))
	if !ok {
		return "", errors.New("not a prefix on the way back")
	}
	return q.String(), nil
}
