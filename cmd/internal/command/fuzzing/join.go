package fuzzing

import (
	"parallax/cmd/internal/exchange"
)

// TokenVariable is the environment variable with the token of --join.
const TokenVariable = exchange.TokenVariable

// join connects to the hub, before anything is built, and has the campaigns join there.
func (f *Options) join() error {
	if f.Join == "" {
		return nil
	}
	address, err := exchange.ParseAddress(f.Join)
	if err != nil {
		return err
	}
	hub, err := exchange.Dial(address) // until the end of the process
	if err != nil {
		return err
	}
	f.Campaign.Join = hub.Join
	return nil
}
