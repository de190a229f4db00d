// Package semver reads a semantic version with four libraries behind one signature, so that
// parallax can compare them. Every function returns the version as its library prints it.
package semver

import (
	"errors"

	masterminds "github.com/Masterminds/semver/v3"
	blang "github.com/blang/semver/v4"
	hashicorp "github.com/hashicorp/go-version"
	mod "golang.org/x/mod/semver"
)

var errInvalid = errors.New("not a semantic version")

// Mod reads a version with golang.org/x/mod/semver. That package requires a v in front and allows
// v1 and v1.2, both as documented. These differences are not compared here.
func Mod(s string) (canonical string, err error) {
	v := "v" + s
	if !mod.IsValid(v) || mod.Canonical(v)+mod.Build(v) != v {
		return "", errInvalid
	}
	return s, nil
}

// Masterminds reads a version with the strict parser of github.com/Masterminds/semver.
func Masterminds(s string) (canonical string, err error) {
	v, err := masterminds.StrictNewVersion(s)
	if err != nil {
		return "", err
	}
	return v.String(), nil
}

// Blang reads a version with github.com/blang/semver.
func Blang(s string) (canonical string, err error) {
	v, err := blang.Parse(s)
	if err != nil {
		return "", err
	}
	return v.String(), nil
}

// Hashicorp reads a version with the stricter parser of github.com/hashicorp/go-version.
func Hashicorp(s string) (canonical string, err error) {
	v, err := hashicorp.NewSemver(s)
	if err != nil {
		return "", err
	}
	return v.String(), nil
}
