package faults

import (
	"fmt"
	"os"
	"strings"
	"time"
	"unsafe"
)

// Offsets of words in the header of the memory that a worker shares with parallax:
// internal/wire/memory.go has them, and its test these numbers.
const (
	offState   = 264
	offProgram = 272
	offInputs  = 320
	headerSize = 4096
)

// shared calls write with the beginning of the memory that the process shares with parallax.
func shared(write func(word func(off uintptr) *uint64)) {
	maps, _ := os.ReadFile("/proc/self/maps")
	for _, line := range strings.Split(string(maps), "\n") {
		var from, to uintptr
		if _, err := fmt.Sscanf(line, "%x-%x rw-s", &from, &to); err == nil && strings.Contains(line, "parallax") {
			write(func(off uintptr) *uint64 {
				at := from + off // the kernel says that it is mapped; that is no address that vet could know
				return *(**uint64)(unsafe.Pointer(&at))
			})
		}
	}
}

// hang waits for ever, which costs no processor time; Loops never rests.
func hang() {
	for {
		time.Sleep(time.Hour)
	}
}

// NumberExits writes over the number of the program that runs, and ends its process.
func NumberExits(data []byte) error {
	if Boom(data) {
		shared(func(word func(uintptr) *uint64) { *word(offProgram) = 1<<63 | 1 })
		os.Exit(3)
	}
	return Harmless(data)
}

// CountExits writes over the number of inputs, and ends its process.
func CountExits(data []byte) error {
	if Boom(data) {
		shared(func(word func(uintptr) *uint64) { *word(offInputs) = 1 << 39 })
		os.Exit(3)
	}
	return Harmless(data)
}

// CountHangs writes over the number of inputs, and never returns.
func CountHangs(data []byte) error {
	if Boom(data) {
		shared(func(word func(uintptr) *uint64) { *word(offInputs) = 1 << 39 })
		hang()
	}
	return Harmless(data)
}

// StateHangs writes that no program runs, as far as a zero says that, and never returns.
func StateHangs(data []byte) error {
	if Boom(data) {
		shared(func(word func(uintptr) *uint64) { *word(offState) = 0 })
		hang()
	}
	return Harmless(data)
}

// IdleHangs writes what the worker itself writes when no program runs, and never returns.
func IdleHangs(data []byte) error {
	if Boom(data) {
		shared(func(word func(uintptr) *uint64) { *word(offState) = 0x5ad1e1d1e0ff10ad })
		hang()
	}
	return Harmless(data)
}

// ZeroHangs writes zeros over the whole header, and never returns.
func ZeroHangs(data []byte) error {
	if Boom(data) {
		shared(zero)
		hang()
	}
	return Harmless(data)
}

// ZeroExits writes zeros over the whole header, and ends its process.
func ZeroExits(data []byte) error {
	if Boom(data) {
		shared(zero)
		os.Exit(3)
	}
	return Harmless(data)
}

func zero(word func(uintptr) *uint64) {
	for off := uintptr(0); off < headerSize; off += 8 {
		*word(off) = 0
	}
}

// Pair takes bytes and a number, so that not all bytes are an input. It overwrites the latest
// inputs before it ends its process.
func Pair(data []byte, n int32) error {
	if Boom(data) {
		shared(func(word func(uintptr) *uint64) {
			for off := uintptr(headerSize); off < headerSize+64*1024; off += 8 {
				if *word(off) > 4096 { // the lengths stay
					*word(off) = 0x7777777777777777
				}
			}
		})
		os.Exit(3)
	}
	return Harmless(data)
}

// PairHarmless is Harmless with a number.
func PairHarmless(data []byte, n int32) error { return Harmless(data) }
