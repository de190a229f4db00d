// Package wavering holds programs that do not always do the same on an input. But for that they
// agree: with Steady, or with their twin of the same name and Too, so that no difference between
// them is a finding.
package wavering

import (
	"errors"
	"math/rand/v2"
	"os"
	"runtime"
	"time"
	"unsafe"
)

// Kinds are the pairs of functions, a kind of nondeterminism each.
var Kinds = [][2]string{
	{"Steady", "Half"}, {"Steady", "Fifth"}, {"Steady", "Fiftieth"}, {"Steady", "Some"}, {"Map", "MapToo"},
	{"Steady", "Milliseconds"}, {"Steady", "Seconds"}, {"Goroutines", "GoroutinesToo"}, {"Address", "AddressToo"},
	{"Steady", "Carried"}, {"Steady", "Worn"}, {"Steady", "Seventh"},
	{"Steady", "Dying"}, {"Steady", "Mostly"},
}

var errNo = errors.New("not this time")

// Steady accepts everything, and returns the length.
func Steady(b []byte) (int, error) { return len(b), nil }

// chance rejects one run in n.
func chance(b []byte, n int) (int, error) {
	if rand.IntN(n) == 0 {
		return 0, errNo
	}
	return len(b), nil
}

// Half rejects every second run by chance.
func Half(b []byte) (int, error) { return chance(b, 2) }

// Fifth rejects one run in five by chance.
func Fifth(b []byte) (int, error) { return chance(b, 5) }

// Dying accepts one run in five by chance, so that many a candidate repeats for a while. On inputs
// of some lengths it ends its process now and then. Such inputs occur among the neighbors of an
// input that is located and minimized.
func Dying(b []byte) (int, error) {
	if len(b)%8 == 5 && rand.IntN(16) == 0 {
		os.Exit(1)
	}
	if rand.IntN(5) == 0 {
		return len(b), nil
	}
	return 0, errNo
}

// Fiftieth rejects one run in fifty by chance.
func Fiftieth(b []byte) (int, error) { return chance(b, 50) }

// Mostly rejects 49 runs in 50 by chance, on inputs that begin with two bytes: what it rarely does
// is to agree.
func Mostly(b []byte) (int, error) {
	if len(b) > 1 && b[0] == 'p' && b[1] == 'x' && rand.IntN(50) != 0 {
		return 0, errNo
	}
	return len(b), nil
}

// Some rejects every second run by chance, on inputs that begin with a digit.
func Some(b []byte) (int, error) {
	if len(b) > 0 && '0' <= b[0] && b[0] <= '9' {
		return chance(b, 2)
	}
	return len(b), nil
}

// Map returns what is first in a map.
func Map(b []byte) (int, error) { return first(b) }

// MapToo is Map.
func MapToo(b []byte) (int, error) { return first(b) }

func first(b []byte) (int, error) {
	m := map[int]bool{len(b): true, -1: true, -2: true}
	for k := range m {
		return k, nil
	}
	return 0, errNo
}

// Milliseconds rejects in every second millisecond.
func Milliseconds(b []byte) (int, error) {
	if time.Now().UnixMilli()%2 == 0 {
		return 0, errNo
	}
	return len(b), nil
}

// Seconds rejects in every second second.
func Seconds(b []byte) (int, error) {
	if time.Now().Unix()%2 == 0 {
		return 0, errNo
	}
	return len(b), nil
}

// Goroutines returns which of three goroutines was first.
func Goroutines(b []byte) (int, error) { return race(b) }

// GoroutinesToo is Goroutines.
func GoroutinesToo(b []byte) (int, error) { return race(b) }

func race(b []byte) (int, error) {
	ended := make(chan int, 3)
	for k := range 3 {
		go func() {
			for range len(b) % 5 * k {
				runtime.Gosched()
			}
			ended <- k
		}()
	}
	return <-ended, nil
}

// Address returns a bit of an address.
func Address(b []byte) (int, error) { return address(b) }

// AddressToo is Address.
func AddressToo(b []byte) (int, error) { return address(b) }

var kept []byte

func address(b []byte) (int, error) {
	kept = make([]byte, len(b)+8)
	return int(uintptr(unsafe.Pointer(&kept[0])) >> 6 & 3), nil
}

// Carried rejects what is longer than the input before.
func Carried(b []byte) (int, error) {
	longer := len(b) > before
	before = len(b)
	if longer {
		return 0, errNo
	}
	return len(b), nil
}

var before int

// Worn rejects when it has been called a thousand times.
func Worn(b []byte) (int, error) {
	if calls++; calls > 1000 {
		return 0, errNo
	}
	return len(b), nil
}

var calls int

// Seventh rejects every seventh call.
func Seventh(b []byte) (int, error) {
	if sevenths++; sevenths%7 == 0 {
		return 0, errNo
	}
	return len(b), nil
}

var sevenths int
