// Package subject has programs that do nothing, or work for a fixed time, so that the cost of
// running them is measured.
package subject

import "crypto/sha256"

// Accept accepts everything.
func Accept(b []byte) (string, error) { return "", nil }

// Accept2 is the same.
func Accept2(b []byte) (string, error) { return "", nil }

// rounds of a hash of 64 bytes: some 200 microseconds.
const rounds = 1500

func spin(n int) {
	var block [64]byte
	for i := 0; i < n; i++ {
		sum := sha256.Sum256(block[:])
		copy(block[:], sum[:])
	}
}

// Spin1 to Spin8 accept everything after equal work.
func Spin1(b []byte) (string, error) { spin(rounds); return "", nil }
func Spin2(b []byte) (string, error) { spin(rounds); return "", nil }
func Spin3(b []byte) (string, error) { spin(rounds); return "", nil }
func Spin4(b []byte) (string, error) { spin(rounds); return "", nil }
func Spin5(b []byte) (string, error) { spin(rounds); return "", nil }
func Spin6(b []byte) (string, error) { spin(rounds); return "", nil }
func Spin7(b []byte) (string, error) { spin(rounds); return "", nil }
func Spin8(b []byte) (string, error) { spin(rounds); return "", nil }

// Slow works four times as long.
func Slow(b []byte) (string, error) { spin(4 * rounds); return "", nil }
