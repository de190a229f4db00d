// Package addr reads an IP address with package net and with package net/netip, behind one
// signature, so that parallax can compare them. The value is the address as the package prints it.
package addr

import (
	"errors"
	"net"
	"net/netip"
)

var errInvalid = errors.New("not an IP address")

// Net reads an address with net.ParseIP.
func Net(s string) (string, error) {
	ip := net.ParseIP(s)
	if ip == nil {
		return "", errInvalid
	}
	return ip.String(), nil
}

// Netip reads an address with netip.ParseAddr.
func Netip(s string) (string, error) {
	ip, err := netip.ParseAddr(s)
	if err != nil {
		return "", err
	}
	return ip.String(), nil
}
