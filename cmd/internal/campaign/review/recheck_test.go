package review

import (
	"context"
	"testing"
	"time"
)

// TestOutlasting checks that a second ^C ends the work after the first at once, also if both came
// before.
func TestOutlasting(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	interrupt()
	kill := make(chan struct{})
	patient, stop := outlasting(ctx, time.Hour, kill)
	defer stop()
	if patient.Err() != nil {
		t.Error("there is no patience")
	}
	close(kill)
	<-patient.Done()
	if at, stop := outlasting(ctx, time.Hour, kill); at.Err() == nil {
		stop()
		t.Error("it goes on after the second ^C")
	}
	short, stop := outlasting(ctx, 1, nil)
	defer stop()
	<-short.Done()
}
