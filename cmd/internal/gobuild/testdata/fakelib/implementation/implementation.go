// Package implementation is a small stand-in for the library's own.
package implementation

// Config has the fields of a harness.
type Config struct{ Name string }
