// Package quota reads sizes as people write them. The program in server serves it over HTTP, and
// does not quite.
package quota

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

var units = []struct {
	name string
	size float64
}{{"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"B", 1}, {"", 1}}

// Parse returns the bytes that a text like 10MB or 1.5 GB says.
func Parse(text string) (int64, error) {
	text = strings.ToUpper(text)
	for _, unit := range units {
		number, ok := strings.CutSuffix(text, unit.name)
		if !ok {
			continue
		}
		number = strings.TrimSuffix(number, " ")
		if strings.Trim(number, "0123456789.") != "" {
			return 0, fmt.Errorf("%q is no number", number)
		}
		n, err := strconv.ParseFloat(number, 64)
		if err != nil {
			return 0, err
		}
		if n *= unit.size; n >= math.MaxInt64 {
			return 0, errors.New("more than 8 EiB")
		}
		return int64(n), nil
	}
	panic("the last unit fits")
}
