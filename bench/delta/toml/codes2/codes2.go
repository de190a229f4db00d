// Package codes2 checks TOML as package toml does, without values and with 2 codes, acceptance
// among them.
package codes2

import (
	"delta/codes"
	"delta/toml"
)

// BurntSushi is toml.BurntSushi with 2 codes.
func BurntSushi(data []byte) error {
	_, err := toml.BurntSushi(data)
	return codes.One(err, 2)
}

// Pelletier2 is toml.Pelletier2 with 2 codes.
func Pelletier2(data []byte) error {
	_, err := toml.Pelletier2(data)
	return codes.One(err, 2)
}

// Pelletier1 is toml.Pelletier1 with 2 codes.
func Pelletier1(data []byte) error {
	_, err := toml.Pelletier1(data)
	return codes.One(err, 2)
}
