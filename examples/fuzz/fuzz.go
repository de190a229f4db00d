// Package fuzz has fuzz tests of third-party libraries: two that any FuzzXxx could be, and one that
// compares two implementations by parallax.Diff. README.md says what they find.
package fuzz
