package http

import (
	"context"
	"os/exec"
	"strings"
	"testing"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/program/programtest"

	"io"
	"net/http"
	"os"
	"path/filepath"
)

func TestCheck(t *testing.T) {
	const good = "http://127.0.0.1:1/"
	for _, test := range []struct {
		c    Config
		want string // empty means none
	}{
		{Config{URL: good}, ""},
		{Config{URL: good + "{input}?x={input}"}, ""},
		{Config{URL: "http://127.0.0.1:{port}/", Start: []string{"x"}, Ready: "http://127.0.0.1:{port}/ready"}, ""},
		{Config{URL: "http://[::1]/", Method: "PUT", Accepted: []string{"200"}, Rejected: []string{"2xx"}}, ""},
		{Config{URL: "http://127.0.0.1:{port}/"}, "add start"},
		{Config{URL: "ftp://127.0.0.1/"}, "only http and https"},
		{Config{URL: "127.0.0.1:80"}, "url: "},
		{Config{URL: "http:///x"}, "no host"},
		{Config{URL: "http://{input}/"}, "no host"},
		{Config{URL: "http://x{input}/"}, "in the path or the query only"},
		{Config{URL: "http://127.0.0.1:8{input}/"}, "in the path or the query only"},
		{Config{URL: good + "#{input}"}, "never sent"},
		{Config{URL: good, Method: "GET"}, "has no body"},
		{Config{URL: good, Method: "PO ST"}, "no method"},
		{Config{URL: good, Headers: []Header{{"a b", ""}}}, "cannot be a header"},
		{Config{URL: good, Headers: []Header{{"a", "b\r\nc: d"}}}, "cannot be a header"},
		{Config{URL: good, Value: []string{"status", "head"}}, `"head" is not known`},
		{Config{URL: good, Value: []string{"header:"}}, "is not known"},
		{Config{URL: good, Accepted: []string{"20x"}}, "is no status"},
		{Config{URL: good, Accepted: []string{"204"}, Rejected: []string{"204"}}, "both"},
		{Config{URL: good, Retries: -1}, "negative"},
		{Config{URL: good, Ready: "x"}, "ready: "},
		{Config{URL: good, Ready: good + "{input}"}, "belongs into the url"},
	} {
		err := test.c.Check()
		if test.want == "" {
			if err != nil {
				t.Errorf("%+v: %v", test.c, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: error %v, want %q", test.c, err, test.want)
		}
		test.c.Name = "svc"
		_, err = Open(context.Background(), test.c)
		failed(t, err, exit.UsageCode, test.want)
	}
}

// TestScript checks that the script sends the same request as the executor.
func TestScript(t *testing.T) {
	if _, err := exec.LookPath("curl"); err != nil {
		t.Fatal("this test needs curl: apt-get install curl")
	}
	type seen struct{ line, body, headers string }
	var got []seen
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Header.Del("Accept")          // from curl
		r.Header.Del("Accept-Encoding") // from neither
		var b strings.Builder
		r.Header.Write(&b)
		got = append(got, seen{r.Method + " " + r.RequestURI + " " + r.Host, string(body), b.String()})
	})
	input := "it's %41 \x00\xff \n/../x"
	file := filepath.Join(t.TempDir(), "the 'input'")
	if err := os.WriteFile(file, []byte(input), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []Config{
		{URL: s.URL + "/a/../b"},
		{URL: s.URL + "/p/{input}?q={input}"},
		{URL: s.URL, Method: "PUT", Headers: []Header{{"Content-Type", "text/it's"}, {"Host", "elsewhere"}}},
	} {
		got = nil
		c.Limits = testLimits()
		programtest.Execute(t, mustOpen(t, c, newClock()), input)
		script, err := c.Curl([]byte(input), file, 0)
		if err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command("sh", "-c", script).CombinedOutput(); err != nil {
			t.Fatalf("%s\n%v: %s", script, err, out)
		}
		if len(got) != 2 || got[0] != got[1] {
			t.Errorf("%s\nseen %q", script, got)
		}
	}
}
