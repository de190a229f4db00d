// Package input is a small stand-in for the library's own, for the tests of package gobuild.
package input

import "parallax/internal/kinds"

type Kind = kinds.Kind

const (
	Bytes   Kind = "[]byte"
	String  Kind = "string"
	Bool    Kind = "bool"
	Int     Kind = "int"
	Int8    Kind = "int8"
	Int16   Kind = "int16"
	Int32   Kind = "int32"
	Int64   Kind = "int64"
	Uint    Kind = "uint"
	Uint8   Kind = "uint8"
	Uint16  Kind = "uint16"
	Uint32  Kind = "uint32"
	Uint64  Kind = "uint64"
	Float32 Kind = "float32"
	Float64 Kind = "float64"
)

type Shape []Kind

// Args gives Text to every string, and N to everything else.
type Args struct {
	Text string
	N    int64
}

func (a *Args) Bytes(int) []byte  { return []byte(a.Text) }
func (a *Args) String(int) string { return a.Text }
func (a *Args) Bool(int) bool     { return a.N != 0 }
func (a *Args) Int(int) int64     { return a.N }
func (a *Args) Uint(int) uint64   { return uint64(a.N) }
func (a *Args) Float(int) float64 { return float64(a.N) }
