// Package codes4 checks URLs as package url does, without values and with 4 codes, acceptance among
// them.
package codes4

import (
	"delta/codes"
	"delta/url"
)

// Std is url.Std with 4 codes.
func Std(s string) error {
	_, err := url.Std(s)
	return codes.One(err, 4)
}

// Whatwg is url.Whatwg with 4 codes.
func Whatwg(s string) error {
	_, err := url.Whatwg(s)
	return codes.One(err, 4)
}

// Fasthttp is url.Fasthttp with 4 codes.
func Fasthttp(s string) error {
	_, err := url.Fasthttp(s)
	return codes.One(err, 4)
}
