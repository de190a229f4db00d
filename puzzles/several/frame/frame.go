// Package frame reads frames of tagged fields: a byte with a tag, a length of one or two bytes, and
// the field.
package frame

import "errors"

var (
	errShort    = errors.New("frame ends early")
	errReserved = errors.New("reserved bit is set")
	errLong     = errors.New("length in two bytes where one will do")
	errTag      = errors.New("tags must rise")
	errEmpty    = errors.New("no field")
)

// Read returns tag, size and checksum of each field.
func Read(data []byte) ([][3]int, error) {
	var fields [][3]int
	last := 0
	for len(data) > 0 {
		if len(data) < 2 {
			return nil, errShort
		}
		tag := int(data[0])
		if tag&0x80 != 0 { // counterpart: reserved
			return nil, errReserved
		}
		if tag <= last { // counterpart: rise
			return nil, errTag
		}
		last = tag
		size, rest, err := length(data[1:])
		if err != nil {
			return nil, err
		}
		if size > len(rest) {
			return nil, errShort
		}
		sum := byte(0)
		for _, b := range rest[:size] {
			sum ^= b // counterpart: sum
		}
		fields = append(fields, [3]int{tag, size, int(sum)})
		data = rest[size:]
	}
	if fields == nil {
		return nil, errEmpty
	}
	return fields, nil
}

// length reads one byte, or two if the first has its highest bit set.
func length(data []byte) (n int, rest []byte, err error) {
	n = int(data[0])
	if n < 0x80 {
		return n, data[1:], nil
	}
	if len(data) < 2 {
		return 0, nil, errShort
	}
	n = n&0x7f<<8 | int(data[1])
	if n < 0x80 { // counterpart: minimal
		return 0, nil, errLong
	}
	return n, data[2:], nil
}
