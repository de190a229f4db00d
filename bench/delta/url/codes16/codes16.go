// Package codes16 checks URLs as package url does, without values and with 16 codes, acceptance
// among them.
package codes16

import (
	"delta/codes"
	"delta/url"
)

// Std is url.Std with 16 codes.
func Std(s string) error {
	_, err := url.Std(s)
	return codes.One(err, 16)
}

// Whatwg is url.Whatwg with 16 codes.
func Whatwg(s string) error {
	_, err := url.Whatwg(s)
	return codes.One(err, 16)
}

// Fasthttp is url.Fasthttp with 16 codes.
func Fasthttp(s string) error {
	_, err := url.Fasthttp(s)
	return codes.One(err, 16)
}
