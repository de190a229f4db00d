// Package codes2 checks URLs as package url does, without values and with 2 codes, acceptance among
// them.
package codes2

import (
	"delta/codes"
	"delta/url"
)

// Std is url.Std with 2 codes.
func Std(s string) error {
	_, err := url.Std(s)
	return codes.One(err, 2)
}

// Whatwg is url.Whatwg with 2 codes.
func Whatwg(s string) error {
	_, err := url.Whatwg(s)
	return codes.One(err, 2)
}

// Fasthttp is url.Fasthttp with 2 codes.
func Fasthttp(s string) error {
	_, err := url.Fasthttp(s)
	return codes.One(err, 2)
}
