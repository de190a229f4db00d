// Package aspects holds programs for campaigns of several programs. Some fail on the same inputs,
// and others disagree there. No aspect may hide another.
package aspects

import (
	"errors"
	"fmt"
	"log"
	"math/rand"
	"os"
	"strconv"
)

// Long crashes on inputs longer than 2.
func Long(data []byte) error {
	if len(data) > 2 {
		panic("too long for Long")
	}
	return nil
}

// Zed crashes on inputs that begin with z.
func Zed(data []byte) error {
	if len(data) > 0 && data[0] == 'z' {
		panic("Zed knows no z")
	}
	return nil
}

// Calm accepts all.
func Calm(data []byte) error { return nil }

// Odd rejects inputs of odd length.
func Odd(data []byte) error {
	if len(data)%2 != 0 {
		return errors.New("odd")
	}
	return nil
}

// Gate accepts all.
func Gate(data []byte) error { return nil }

// Strict rejects inputs longer than 3.
func Strict(data []byte) error {
	if len(data) > 3 {
		return errors.New("longer than 3")
	}
	return nil
}

// Exits ends its process where Long crashes.
func Exits(data []byte) error {
	if len(data) > 2 {
		os.Exit(3)
	}
	return nil
}

// Codes ends its process without a message, for one of two causes. Only the exit status
// distinguishes them.
func Codes(data []byte) error {
	if len(data) > 0 && data[0] >= 0x80 {
		os.Exit(3)
	}
	if len(data) > 3 {
		os.Exit(4)
	}
	return nil
}

// Logs ends its process for one of two causes, after a line that it prints when it begins.
func Logs(data []byte) error {
	if len(data) > 0 && data[0] >= 0x80 {
		log.Fatalf("no text: byte %d", data[0])
	}
	if len(data) > 3 {
		log.Fatalf("too long: %q", data)
	}
	return nil
}

// Prints ends its process for one of two causes, which it names on standard output.
func Prints(data []byte) error {
	if len(data) > 0 && data[0] >= 0x80 {
		fmt.Println("error: no text")
		os.Exit(1)
	}
	if len(data) > 3 {
		fmt.Println("error: too long")
		os.Exit(1)
	}
	return nil
}

func init() { fmt.Fprintln(os.Stderr, "aspects, version 1.2") } // a banner

// Choice is the environment variable with a seed of what First to Third do.
const Choice = "ASPECTS"

const (
	programs = 3
	kinds    = 6 // of inputs
)

// The behaviors of a program on a kind of inputs.
const (
	accepts = iota
	rejects
	panics
	exits
	returns // its own name
	behaviors
)

// Table returns the behavior of each program on each kind of inputs, by a seed. All programs accept
// one kind, so that something can be kept.
func Table(seed int64) (t [programs][kinds]int) {
	random := rand.New(rand.NewSource(seed))
	for p := range t {
		for k := 1; k < kinds; k++ {
			if t[p][k] = random.Intn(behaviors); t[p][k] == exits && random.Intn(2) == 0 {
				t[p][k] = accepts
			}
		}
	}
	return t
}

var table = func() [programs][kinds]int {
	seed, _ := strconv.ParseInt(os.Getenv(Choice), 10, 64)
	return Table(seed)
}()

// Words name the kinds of inputs: messages without numbers.
var Words = [kinds]string{"zero", "one", "two", "three", "four", "five"}

func behave(program int, data []byte) (string, error) {
	kind := 0
	if len(data) > 0 {
		kind = int(data[0]) % kinds
	}
	switch table[program][kind] {
	case rejects:
		return "", errors.New("refused " + Words[kind])
	case panics:
		panic("planted " + Words[kind])
	case exits:
		log.Fatal("fatal " + Words[kind])
	case returns:
		return strconv.Itoa(program), nil
	}
	return "", nil
}

// First does what Table says of program 0.
func First(data []byte) (string, error) { return behave(0, data) }

// Second does what Table says of program 1.
func Second(data []byte) (string, error) { return behave(1, data) }

// Third does what Table says of program 2.
func Third(data []byte) (string, error) { return behave(2, data) }
