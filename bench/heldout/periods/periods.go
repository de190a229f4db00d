// Package periods reads a duration of ISO 8601 with three libraries behind one signature.
package periods

import (
	"math"

	"github.com/rickb777/date/period"
	"github.com/senseyeio/duration"
	sosodev "github.com/sosodev/duration"
)

// Period has the parts that all libraries report. Weeks count as seven days, since Rickb777 does
// not keep them.
type Period struct{ Years, Months, Days, Hours, Minutes, Seconds float64 }

// of makes a Period. It rounds to millionths, as seven times a fraction is not exact, and leaves no
// minus zero.
func of(sign, years, months, weeks, days, hours, minutes, seconds float64) Period {
	round := func(x float64) float64 { return sign*math.Round(x*1e6)/1e6 + 0 }
	return Period{round(years), round(months), round(weeks*7 + days), round(hours), round(minutes), round(seconds)}
}

// Sosodev reads with github.com/sosodev/duration.
func Sosodev(s string) (Period, error) {
	d, err := sosodev.Parse(s)
	if err != nil {
		return Period{}, err
	}
	sign := 1.0
	if d.Negative {
		sign = -1
	}
	return of(sign, d.Years, d.Months, d.Weeks, d.Days, d.Hours, d.Minutes, d.Seconds), nil
}

// Senseyeio reads with github.com/senseyeio/duration.
func Senseyeio(s string) (Period, error) {
	d, err := duration.ParseISO8601(s)
	if err != nil {
		return Period{}, err
	}
	return of(1, float64(d.Y), float64(d.M), float64(d.W), float64(d.D), float64(d.TH), float64(d.TM), float64(d.TS)), nil
}

// Rickb777 reads with github.com/rickb777/date/period, without normalizing. Its fields are in
// tenths, which float32 does not keep.
func Rickb777(s string) (Period, error) {
	p, err := period.Parse(s, false)
	if err != nil {
		return Period{}, err
	}
	tenths := func(x float32) float64 { return math.Round(float64(x)*10) / 10 }
	return of(1, tenths(p.YearsFloat()), tenths(p.MonthsFloat()), 0, tenths(p.DaysFloat()),
		tenths(p.HoursFloat()), tenths(p.MinutesFloat()), tenths(p.SecondsFloat())), nil
}
