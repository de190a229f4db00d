// Package codes64 checks URLs as package url does, without values and with 64 codes, acceptance
// among them.
package codes64

import (
	"delta/codes"
	"delta/url"
)

// Std is url.Std with 64 codes.
func Std(s string) error {
	_, err := url.Std(s)
	return codes.One(err, 64)
}

// Whatwg is url.Whatwg with 64 codes.
func Whatwg(s string) error {
	_, err := url.Whatwg(s)
	return codes.One(err, 64)
}

// Fasthttp is url.Fasthttp with 64 codes.
func Fasthttp(s string) error {
	_, err := url.Fasthttp(s)
	return codes.One(err, 64)
}
