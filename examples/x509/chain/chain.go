// Package chain owns the common parts of the programs of the X.509 experiment. It defines how a
// list of certificates is written as one input, and the time at which chains are verified. It holds
// the trusted roots and the keys of the test chains. harness/chain.h and harness/roots.h are the
// same for the harnesses in C.
//
// An input is a list of certificates, the leaf first, each as in a Certificate message of TLS 1.2
// (RFC 5246, section 7.4.2). A certificate has three bytes of length, big endian, and that many
// bytes of DER. A list may be empty. At most Max certificates make an input. Every program rejects
// other framing.
package chain

import (
	"errors"
	"time"
)

// Max is the largest number of certificates in a list.
const Max = 8

// Time is when chains are verified. Generated certificates are valid from 2023 to 2033 unless they
// are meant not to be; those of NIST PKITS from 2010 to 2030.
var Time = time.Date(2024, 6, 15, 12, 0, 0, 0, time.UTC)

// ErrFrame is the error of an input that is no list of certificates.
var ErrFrame = errors.New("framing")

// Split returns the certificates of an input. They share its memory.
func Split(input []byte) ([][]byte, error) {
	var list [][]byte
	for len(input) > 0 {
		n, ok := frame(input)
		if !ok || 3+n > len(input) || len(list) == Max {
			return nil, ErrFrame
		}
		list = append(list, input[3:3+n:3+n])
		input = input[3+n:]
	}
	return list, nil
}

// Join writes a list of certificates as an input.
func Join(list [][]byte) []byte {
	var input []byte
	for _, cert := range list {
		input = append(input, byte(len(cert)>>16), byte(len(cert)>>8), byte(len(cert)))
		input = append(input, cert...)
	}
	return input
}

// Loose is Split for inputs whose bytes a mutation moved, so that lengths do not lead from one
// certificate to the next. Such a frame ends where the next one seems to begin. Split divides the
// result of Join in the same way.
func Loose(input []byte) [][]byte {
	if list, err := Split(input); err == nil {
		return list
	}
	var list [][]byte
	for len(input) > 3 && len(list) < Max {
		end := len(input)
		if len(list) < Max-1 {
			end = frameEnd(input)
		}
		list = append(list, input[3:end:end])
		input = input[end:]
	}
	return list
}

// frame reads a length.
func frame(b []byte) (n int, ok bool) {
	if len(b) < 3 {
		return 0, false
	}
	return int(b[0])<<16 | int(b[1])<<8 | int(b[2]), true
}

// slack is how far mutations are assumed to move the end of a certificate.
const slack = 64

// frameEnd returns the end of the first frame. It is the end by its length, if the input ends or a
// frame begins there. Otherwise it is the nearest place where a frame begins, if it is near.
func frameEnd(b []byte) int {
	n, _ := frame(b)
	for d := range slack + 1 {
		for _, end := range [2]int{3 + n + d, 3 + n - d} {
			if end > 3 && (end == len(b) || end < len(b) && begins(b[end:])) {
				return end
			}
		}
	}
	return len(b)
}

// begins reports whether b looks like a frame: a length, a SEQUENCE, and the SEQUENCE's own length
// in two bytes that is nearly the same.
func begins(b []byte) bool {
	if len(b) < 7 || b[0] != 0 || b[3] != 0x30 || b[4] != 0x82 {
		return false
	}
	n, _ := frame(b)
	inner := int(b[5])<<8 | int(b[6])
	return n >= inner+4-slack && n <= inner+4+slack
}
