// Package codesall checks URLs as package url does, without values: guidance by outputs sees all
// error messages.
package codesall

import (
	"delta/url"
)

// Std is url.Std without the value.
func Std(s string) error {
	_, err := url.Std(s)
	return err
}

// Whatwg is url.Whatwg without the value.
func Whatwg(s string) error {
	_, err := url.Whatwg(s)
	return err
}

// Fasthttp is url.Fasthttp without the value.
func Fasthttp(s string) error {
	_, err := url.Fasthttp(s)
	return err
}
