package units

import (
	"testing"
	"time"
)

func TestUnits(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-1: "0s", 800 * time.Millisecond: "0.8s", 3 * time.Second: "3s", 12*time.Second + 1: "12s",
		185 * time.Second: "3m05s", 2*time.Hour + 10*time.Minute: "2h10m", 76 * time.Hour: "3d04h",
	} {
		if got := Duration(d); got != want {
			t.Errorf("Duration(%d) = %s, want %s", d, got, want)
		}
	}
	for n, want := range map[int64]string{0: "0 B", 1023: "1023 B", 1536: "1.5 KiB", 3 << 20: "3.0 MiB", 5 << 30: "5.0 GiB"} {
		if got := Bytes(n); got != want {
			t.Errorf("Bytes(%d) = %s, want %s", n, got, want)
		}
	}
	for n, want := range map[uint64]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567"} {
		if got := Thousands(n); got != want {
			t.Errorf("Thousands(%d) = %s, want %s", n, got, want)
		}
	}
}

// TestBoundedList checks lists below, at and above their bound.
func TestBoundedList(t *testing.T) {
	for n, want := range []string{"", "a", "a, b", "a, b, and 1 more", "a, b, and 2 more"} {
		if got := Some([]string{"a", "b", "c", "d"}[:n], 2); got != want {
			t.Errorf("%d names: %q, want %q", n, got, want)
		}
	}
}
