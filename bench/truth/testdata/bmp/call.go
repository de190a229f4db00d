package call

import (
	"bytes"
	"errors"
	"fmt"
	"golang.org/x/image/bmp"
	"strings"
)

func Call(in []byte) (string, error) {
	c, err := bmp.DecodeConfig(bytes.NewReader(in))
	if err != nil {
		return "", err
	}
	if c.Width > 1024 || c.Height > 1024 {
		return "", errors.New("too large")
	}
	m, err := bmp.Decode(bytes.NewReader(in))
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for y := m.Bounds().Min.Y; y < m.Bounds().Max.Y && y < 64; y++ {
		for x := m.Bounds().Min.X; x < m.Bounds().Max.X && x < 64; x++ {
			r, g, blue, a := m.At(x, y).RGBA()
			fmt.Fprintln(&b, r, g, blue, a)
		}
	}
	return b.String(), nil
}
