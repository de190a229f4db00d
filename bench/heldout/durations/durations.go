// Package durations reads a length of time with three libraries behind one signature. The value is
// in nanoseconds.
package durations

import (
	"time"

	"github.com/prometheus/common/model"
	"github.com/xhit/go-str2duration/v2"
)

// Std reads with package time.
func Std(s string) (int64, error) {
	d, err := time.ParseDuration(s)
	return int64(d), err
}

// Str2duration reads with github.com/xhit/go-str2duration.
func Str2duration(s string) (int64, error) {
	d, err := str2duration.ParseDuration(s)
	return int64(d), err
}

// Prometheus reads with github.com/prometheus/common/model.
func Prometheus(s string) (int64, error) {
	d, err := model.ParseDuration(s)
	return int64(d), err
}
