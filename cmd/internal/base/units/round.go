package units

import (
	"math"
)

// Round keeps three decimals, so that equal campaigns give equal bytes on every architecture.
func Round(f float64) float64 {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return 0
	}
	return math.Round(f*1000) / 1000
}
