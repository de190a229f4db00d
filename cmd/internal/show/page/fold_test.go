package page

import (
	"fmt"
	"math/rand/v2"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/show/text"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// TestSimilarFold checks that the page lists the findings of a terminal's list, in the same order
// and with as many folded ones. Each folded finding is shown in full inside the one that it folds
// under.
func TestSimilarFold(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		d := document("", 12)
		c := d.Campaigns[0]
		want := map[string][]string{}
		for leader := 0; leader < len(c.Findings); {
			of := c.Findings[leader].Row.ID
			c.Findings[leader].Row.Accepted = false
			n := min(r.IntN(4), len(c.Findings)-leader-1)
			for i := range n {
				f := &c.Findings[leader+1+i]
				f.Row.Under, f.Row.Accepted = of, false
				want[of] = append(want[of], f.Row.ID)
			}
			leader += 1 + n
		}
		var rows []finding.Row
		for i := range c.Findings {
			rows = append(rows, c.Findings[i].Row)
		}
		var words strings.Builder
		if err := text.Table(&words, rows, text.TableOptions{Width: 160, Limit: 100}); err != nil {
			t.Fatal(err)
		}
		page := write(t, d)
		table := page[strings.Index(page, `id="c1-table"`):]
		table = table[:strings.Index(table, "</table>")]
		terminal := regexp.MustCompile(`\b0000[0-9a-f]{8}\b|\+ \d+ similar`).FindAllString(words.String(), -1)
		inner := regexp.MustCompile(`(?s)<ul class="similar">.*?</ul>`)
		if got := regexp.MustCompile(`\b0000[0-9a-f]{8}\b|\+ \d+ similar`).FindAllString(regexp.MustCompile(`(data-v|href)="[^"]*"`).ReplaceAllString(inner.ReplaceAllString(table, ""), ""), -1); !reflect.DeepEqual(got, terminal) {
			t.Fatalf("the page lists %v\na terminal %v", got, terminal)
		}
		if n := strings.Count(page, `<details class="finding"`); n != len(rows) {
			t.Fatalf("%d of %d findings are in full", n, len(rows))
		}
		for of, list := range want {
			full := page[strings.Index(page, fmt.Sprintf(`id="c1-%s"`, of)):]
			full = full[strings.Index(full, fmt.Sprintf(`<details class="more folded"><summary>+ %d similar`, len(list))):]
			for _, id := range list {
				at := strings.Index(full, fmt.Sprintf(`id="c1-%s"`, id))
				if at < 0 || strings.Count(full[:at], "<details") <= strings.Count(full[:at], "</details") {
					t.Fatalf("%s does not fold under %s", id, of)
				}
			}
		}
	}
}

// TestSharedFold checks that the page has a finding whose cause another one shows below the table,
// and in full, and that both say so.
func TestSharedFold(t *testing.T) {
	d := document("", 4)
	c := d.Campaigns[0]
	for i := range c.Findings {
		c.Findings[i].Row.Accepted, c.Findings[i].Row.Under = false, ""
	}
	shown, shared := &c.Findings[0].Row, &c.Findings[2].Row
	shown.Sharers = []finding.Sharer{{Target: c.Summary.Target, ID: shared.ID, Count: 3}}
	shared.Shower = &finding.Sharer{Target: c.Summary.Target, ID: shown.ID}
	page := write(t, d)
	table := page[strings.Index(page, `id="c1-table"`):]
	rows, below, _ := strings.Cut(table, "</table>")
	if strings.Contains(rows, shared.ID) || !strings.Contains(below, shared.ID) || !strings.Contains(rows, "also shown by 1 other finding of this target") {
		t.Errorf("%s is not below the table", shared.ID)
	}
	if n := strings.Count(page, `<details class="finding"`); n != len(c.Findings) || !strings.Contains(page, "the cause of "+shown.ID+" in ") {
		t.Errorf("%d of %d findings are in full", n, len(c.Findings))
	}
}
