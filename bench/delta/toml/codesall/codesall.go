// Package codesall checks TOML as package toml does, without values: guidance by outputs sees all
// error messages.
package codesall

import (
	"delta/toml"
)

// BurntSushi is toml.BurntSushi without the value.
func BurntSushi(data []byte) error {
	_, err := toml.BurntSushi(data)
	return err
}

// Pelletier2 is toml.Pelletier2 without the value.
func Pelletier2(data []byte) error {
	_, err := toml.Pelletier2(data)
	return err
}

// Pelletier1 is toml.Pelletier1 without the value.
func Pelletier1(data []byte) error {
	_, err := toml.Pelletier1(data)
	return err
}
