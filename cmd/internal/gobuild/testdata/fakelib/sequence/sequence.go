// Package sequence is there for what builds of sequences import. Tests with the library itself run
// them.
package sequence
