// The module is not part of go.work: parallax builds it alone.
module soak

go 1.22
