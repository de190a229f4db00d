package exchange

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"parallax/cmd/internal/finding/event"
	"parallax/cmd/internal/finding/sample"
)

// follow returns a board of a server's hub.
func (s *server) follow() *Board {
	s.t.Helper()
	conn, err := s.hub.Connect()
	if err != nil {
		s.t.Fatal(err)
	}
	b, err := Follow(conn)
	if err != nil {
		s.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan bool)
	go func() {
		b.Run(ctx)
		close(done)
	}()
	s.t.Cleanup(func() {
		cancel()
		<-done
		conn.Close()
	})
	return b
}

// describe describes the only campaign of a board at a time.
func describe(b *Board, now time.Time) string {
	list, _ := b.Read(now)
	if len(list) != 1 {
		return fmt.Sprintf("%d campaigns", len(list))
	}
	g := list[0]
	var parts []string
	for _, m := range g.Members {
		parts = append(parts, fmt.Sprintf("%d with %d samples", m.State, len(m.Samples)))
	}
	slices.Sort(parts)
	for _, f := range g.Finds {
		parts = append(parts, fmt.Sprintf("%s %s", f.Bucket, f.Input))
	}
	return strings.Join(parts, ", ")
}

// TestBoard checks that a board shows members that come, are lost and leave, and what they
// announce.
func TestBoard(t *testing.T) {
	s := newBriefServer(t)
	b := s.follow()
	is := func(now time.Time, want string) {
		t.Helper()
		got := ""
		eventually(t, "the board has "+want, func() bool { got = describe(b, now); return got == want })
	}
	is(time.Now(), "0 campaigns")
	one := newFolder(t).join(s.address)
	eventually(t, "a member", func() bool { return describe(b, time.Now()) == "0 with 0 samples" })
	one.keep("x", "y")
	one.find("b1", "smallest")
	eventually(t, "a finding", func() bool { return describe(b, time.Now()) == "0 with 0 samples, b1 smallest" })
	if err := one.member.Handle(event.Sampled{Samples: []sample.Sample{{Elapsed: 2, Inputs: 7}}}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "a sample", func() bool { return describe(b, time.Now()) == "0 with 1 samples, b1 smallest" })
	list, _ := b.Read(time.Now())
	if a := list[0].About; list[0].Key != identity.Key() || a.Target != "p" || a.Mode != "fuzz" || len(a.Programs) != 1 || a.Shape != shape.String() || list[0].Members[0].Samples[0].Inputs != 7 {
		t.Errorf("%+v", list[0])
	}
	two := newFolder(t).join(s.address)
	two.keep("z")
	two.find("b1", "small")
	eventually(t, "two members", func() bool { return strings.HasSuffix(describe(b, time.Now()), "b1 small") })
	two.kill()
	eventually(t, "a lost member", func() bool { return strings.Contains(describe(b, time.Now()), "1 with 0") })
	one.close()
	eventually(t, "a member that left", func() bool {
		text := describe(b, time.Now())
		return strings.Contains(text, "2 with 1 samples") && strings.Contains(text, "1 with 0")
	})
	is(time.Now().Add(2*time.Hour), "1 with 0 samples, 2 with 0 samples, b1 small")
	is(time.Now().Add(48*time.Hour), "b1 small")
	eventually(t, "the number of inputs", func() bool { list, _ := b.Read(time.Now()); return list[0].Inputs == 3 })
}

// TestBoardOfGarbage checks that a board ignores messages that no member sends.
func TestBoardOfGarbage(t *testing.T) {
	s := newServer(t)
	b := s.follow()
	one := newFolder(t).join(s.address)
	one.find("b1", "good")
	eventually(t, "a finding", func() bool { return strings.HasSuffix(describe(b, time.Now()), "b1 good") })
	conn, err := nats.Connect("nats://" + s.address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	other, err := json.Marshal(manifest{Version: 1, Bucket: "b2", Kind: "crash", Hash: hashOf([]byte("x")), Input: []byte("y")})
	if err != nil {
		t.Fatal(err)
	}
	key := identity.Key()
	for subject, data := range map[string]string{
		"px." + key + ".find.crash.b2": string(other), "px." + key + ".find.crash.b3": "{", "px." + key + ".find.b4": "{}", "px." + key + ".stats.m": "[]", "px." + key + ".stats.m.n": "{}",
		"px.a$b.stats.m": "{}",
	} {
		if err := conn.Publish(subject, []byte(data)); err != nil {
			t.Fatal(err)
		}
	}
	if err := conn.Flush(); err != nil {
		t.Fatal(err)
	}
	one.find("b5", "last")
	eventually(t, "the last finding", func() bool { return strings.HasSuffix(describe(b, time.Now()), "b5 last") })
	if list, _ := b.Read(time.Now()); len(list) != 1 || len(list[0].Finds) != 2 || len(list[0].Members) != 1 {
		t.Errorf("%+v", list)
	}
}
