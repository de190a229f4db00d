// Package types has a fuzz test for each type of argument that go test knows, and for mixes of them. All fail on some
// inputs.
package types
