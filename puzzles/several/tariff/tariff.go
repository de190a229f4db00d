// Package tariff computes the price of a letter, as in 250 R EU for a registered one.
package tariff

import (
	"errors"
	"strings"
)

var (
	errForm   = errors.New("weight, service and zone are wanted")
	errWeight = errors.New("no weight")
	errHeavy  = errors.New("too heavy for a letter")
	errZone   = errors.New("no such zone")
	errOffer  = errors.New("not offered")
)

var zones = []string{"DE", "EU", "UK", "US", "AU"}

// Read returns cents.
func Read(text string) (int, error) {
	fields := strings.Fields(text)
	if len(fields) != 3 {
		return 0, errForm
	}
	grams, err := weight(fields[0])
	if err != nil {
		return 0, err
	}
	zone := -1
	for i, name := range zones {
		if fields[2] == name { // counterpart: name
			zone = i
		}
	}
	if zone < 0 {
		return 0, errZone
	}
	cents := 0
	switch {
	case grams > 2000: // counterpart: order
		return 0, errHeavy
	case grams > 1000 && zone > 2:
		cents = 700
	case grams > 500:
		cents = 290
	case grams > 50:
		cents = 180
	default:
		cents = 95
	}
	switch fields[1] {
	case "R":
		cents += 265 // counterpart: fee
	case "P":
		if zone == 0 { // counterpart: offer
			return 0, errOffer
		}
		cents += 110
	case "-":
	default:
		return 0, errOffer
	}
	return cents, nil
}

func weight(text string) (grams int, err error) {
	for i := 0; i < len(text); i++ {
		if text[i] < '0' || text[i] > '9' {
			return 0, errWeight
		}
		grams = grams*10 + int(text[i]-'0')
		if grams > 9999 {
			return 0, errWeight
		}
	}
	return grams, nil
}
