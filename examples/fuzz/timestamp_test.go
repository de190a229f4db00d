package fuzz

import (
	"strings"
	"testing"
	"time"

	"github.com/segmentio/encoding/iso8601"

	"parallax"
)

// FuzzTimestamp says that iso8601.Parse, which is made to be fast, reads what package time reads.
func FuzzTimestamp(f *testing.F) {
	f.Add("2021-03-25T21:36:12Z")
	f.Add("2021-03-25T21:36:12.123+01:00")
	parallax.Diff(f,
		parallax.Impl("time", func(s string) (time.Time, error) { return time.Parse(time.RFC3339Nano, s) }),
		parallax.Impl("iso8601", iso8601.Parse),
		parallax.Accepts("2024-02-29T00:00:00Z"),
		parallax.Rejects("2023-02-29T00:00:00Z"),
		parallax.Ignore("package time is lenient: hours of one digit and a decimal comma, go.dev/issue/54580", func(d parallax.Difference) bool {
			s := d.Args[0].(string)
			return d.Layer == "verdict" && d.Results[1].Outcome == "rejected" &&
				(len(s) > 12 && s[12] == ':' || strings.Contains(s, ","))
		}),
	)
}
