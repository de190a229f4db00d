// Package order asks four libraries which of two semantic versions comes first, behind one
// signature, so that parallax can compare them. The answer is -1, 0 or 1. Only versions that the
// grammar of semver.org allows are asked about: what a library reads beyond it is the business of
// package parse.
package order

import (
	"errors"
	"regexp"

	masterminds "github.com/Masterminds/semver/v3"
	blang "github.com/blang/semver/v4"
	hashicorp "github.com/hashicorp/go-version"
	mod "golang.org/x/mod/semver"
)

var errInvalid = errors.New("not a semantic version")

// strict is the grammar of semver.org 2.0.0, with the expression that its FAQ suggests.
var strict = regexp.MustCompile(`^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+([0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?$`)

// both reports an error unless both versions are valid: about those the libraries are asked for the
// order only.
func both(a, b string) error {
	if !strict.MatchString(a) || !strict.MatchString(b) {
		return errInvalid
	}
	return nil
}

// Mod orders two versions with golang.org/x/mod/semver: -1, 0 or 1.
func Mod(a, b string) (int, error) {
	if err := both(a, b); err != nil {
		return 0, err
	}
	return mod.Compare("v"+a, "v"+b), nil
}

// Masterminds orders two versions with github.com/Masterminds/semver.
func Masterminds(a, b string) (int, error) {
	if err := both(a, b); err != nil {
		return 0, err
	}
	v, err := masterminds.StrictNewVersion(a)
	if err != nil {
		return 0, err
	}
	w, err := masterminds.StrictNewVersion(b)
	if err != nil {
		return 0, err
	}
	return v.Compare(w), nil
}

// Blang orders two versions with github.com/blang/semver.
func Blang(a, b string) (int, error) {
	if err := both(a, b); err != nil {
		return 0, err
	}
	v, err := blang.Parse(a)
	if err != nil {
		return 0, err
	}
	w, err := blang.Parse(b)
	if err != nil {
		return 0, err
	}
	return v.Compare(w), nil
}

// Hashicorp orders two versions with github.com/hashicorp/go-version.
func Hashicorp(a, b string) (int, error) {
	if err := both(a, b); err != nil {
		return 0, err
	}
	v, err := hashicorp.NewSemver(a)
	if err != nil {
		return 0, err
	}
	w, err := hashicorp.NewSemver(b)
	if err != nil {
		return 0, err
	}
	return v.Compare(w), nil
}
