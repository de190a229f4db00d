// Package codes4 checks TOML as package toml does, without values and with 4 codes, acceptance
// among them.
package codes4

import (
	"delta/codes"
	"delta/toml"
)

// BurntSushi is toml.BurntSushi with 4 codes.
func BurntSushi(data []byte) error {
	_, err := toml.BurntSushi(data)
	return codes.One(err, 4)
}

// Pelletier2 is toml.Pelletier2 with 4 codes.
func Pelletier2(data []byte) error {
	_, err := toml.Pelletier2(data)
	return codes.One(err, 4)
}

// Pelletier1 is toml.Pelletier1 with 4 codes.
func Pelletier1(data []byte) error {
	_, err := toml.Pelletier1(data)
	return codes.One(err, 4)
}
