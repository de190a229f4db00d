// Package gen stands for the library's own, which only targets with a generator import.
package gen
