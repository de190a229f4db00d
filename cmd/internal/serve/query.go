package serve

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/units"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/history"
	"parallax/cmd/internal/show/page"
)

// pageSize is the number of findings of a page of the list.
const pageSize = 50

// query is a choice of findings by the parameters of an address. Empty fields choose all.
type query struct {
	campaign, kind, state, program, place, text string

	age   string // the time since the first input of a finding, at most
	since time.Time
	sort  string // a key of orders
	page  int    // from 1
}

// open is the value of state for findings that ask for a decision.
const open = "open"

// ages are the values of the filter by age.
var ages = []page.Option{{Value: "1h", Name: "one hour"}, {Value: "24h", Name: "one day"}, {Value: "168h", Name: "one week"}, {Value: "720h", Name: "30 days"}}

// order is an order of the list of findings.
type order struct {
	key, name string
	compare   func(a, b *found) int
}

// orders lists the orders. The first one is that of the campaigns.
var orders = []order{
	{"", "importance", nil},
	{"newest", "newest first", func(a, b *found) int { return cmp.Compare(b.FirstSeenTime, a.FirstSeenTime) }},
	{"last", "last seen", func(a, b *found) int { return cmp.Compare(b.LastSeenTime, a.LastSeenTime) }},
	{"count", "most inputs", func(a, b *found) int { return cmp.Compare(b.Count, a.Count) }},
	{"kind", "kind", func(a, b *found) int { return cmp.Compare(a.Kind, b.Kind) }},
	{"state", "state", func(a, b *found) int {
		return cmp.Compare(slices.Index(history.States, history.State(a.State)), slices.Index(history.States, history.State(b.State)))
	}},
	{"program", "program", func(a, b *found) int { return cmp.Compare(a.Program, b.Program) }},
	{"place", "place", func(a, b *found) int { return cmp.Compare(a.Location, b.Location) }},
}

// parseQuery reads the parameters of an address.
func parseQuery(v url.Values, now time.Time) (*query, error) {
	q := &query{
		campaign: v.Get("campaign"), kind: v.Get("kind"), state: v.Get("state"), program: v.Get("program"), place: strings.TrimSpace(v.Get("place")),
		text: strings.TrimSpace(v.Get("q")), age: v.Get("age"), sort: v.Get("sort"), page: 1,
	}
	if !slices.ContainsFunc(orders, func(o order) bool { return o.key == q.sort }) {
		return nil, exit.Usage("There is no order %q: choose one of the list.", q.sort)
	}
	if q.age != "" {
		d, err := time.ParseDuration(q.age)
		if err != nil || d <= 0 {
			return nil, exit.Usage("The age %q is no duration such as 24h.", q.age)
		}
		q.since = now.Add(-d)
	}
	if text := v.Get("page"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return nil, exit.Usage("There is no page %q.", text)
		}
		q.page = n
	}
	return q, nil
}

// parseSpan reads the part of the time that an address names, as seconds or durations.
func parseSpan(v url.Values) (span page.Span, err error) {
	for _, end := range []struct {
		key string
		to  *float64
	}{{"from", &span.From}, {"to", &span.To}} {
		text := strings.TrimSpace(v.Get(end.key))
		if text == "" {
			continue
		}
		if _, err := strconv.ParseFloat(text, 64); err == nil {
			text += "s"
		}
		d, err := time.ParseDuration(text)
		if err != nil || d < 0 {
			return span, exit.Usage("The time %q is no duration such as 90s or 1h30m.", v.Get(end.key))
		}
		*end.to = d.Seconds()
	}
	if span.To > 0 && span.To <= span.From {
		return span, exit.Usage("The time ends before it begins: choose an end after %gs.", span.From)
	}
	return span, nil
}

// found is a finding with its campaign.
type found struct {
	*finding.Row
	in *Campaign
}

// find returns the findings in their order.
func (q *query) find(list []*Campaign) (all []found) {
	for _, c := range list {
		if c.Campaign == nil || q.campaign != "" && q.campaign != c.ID {
			continue
		}
		buckets := c.Campaign.Summary.Findings.Buckets
		for i := range buckets {
			if q.matches(&buckets[i]) {
				all = append(all, found{&buckets[i], c})
			}
		}
	}
	compare := func(a, b *found) int { return finding.Rank(*a.Row) - finding.Rank(*b.Row) }
	for _, o := range orders {
		if o.key == q.sort && o.compare != nil {
			compare = o.compare
		}
	}
	slices.SortStableFunc(all, func(a, b found) int { return compare(&a, &b) })
	return all
}

func (q *query) matches(b *finding.Row) bool {
	if q.kind != "" && b.Kind != q.kind || q.state == open && !b.Undecided() || q.state != "" && q.state != open && b.State != q.state {
		return false
	}
	if q.program != "" && !q.ran(b) {
		return false
	}
	if !q.since.IsZero() {
		if t, err := time.Parse(time.RFC3339, b.FirstSeenTime); err != nil || t.Before(q.since) {
			return false
		}
	}
	return (q.place == "" || has(q.place, b.Location) || hasAny(q.place, b.Deciding)) && q.hasText(b)
}

// ran reports whether the program of the query shows a finding. Views have names in the form of
// escape.Text.
func (q *query) ran(b *finding.Row) bool {
	if b.Program != "" {
		return escape.Text(b.Program) == q.program
	}
	for name := range b.Outcomes {
		if escape.Text(name) == q.program {
			return true
		}
	}
	return false
}

// hasText reports whether a finding has each word of the text.
func (q *query) hasText(b *finding.Row) bool {
	for _, word := range strings.Fields(q.text) {
		if !has(word, b.ID) && !has(word, b.Kind) && !has(word, b.Quoted) && !has(word, b.Named) && !has(word, b.Owner) && !has(word, b.Reason) &&
			!has(word, b.Location) && !hasAny(word, b.Results) && !hasAny(word, b.Outcomes) && !hasAny(word, b.Classes) {
			return false
		}
	}
	return true
}

func has(part, text string) bool {
	return strings.Contains(text, part) || strings.Contains(strings.ToLower(text), strings.ToLower(part))
}

func hasAny(part string, texts map[string]string) bool {
	for _, text := range texts {
		if has(part, text) {
			return true
		}
	}
	return false
}

// pages returns the number of pages, and the findings of the present one.
func (q *query) pages(all []found) (pages int, shown []found) {
	pages = max(1, (len(all)+pageSize-1)/pageSize)
	from := min((q.page-1)*pageSize, len(all))
	if q.page > pages {
		from = len(all)
	}
	return pages, all[from:min(from+pageSize, len(all))]
}

// address returns the address of a page of the list.
func (q *query) address(n int) string {
	v := url.Values{}
	for key, value := range map[string]string{"campaign": q.campaign, "kind": q.kind, "state": q.state, "program": q.program, "place": q.place, "q": q.text, "age": q.age, "sort": q.sort} {
		if value != "" {
			v.Set(key, value)
		}
	}
	if n > 1 {
		v.Set("page", strconv.Itoa(n))
	}
	return (&url.URL{Path: "/findings", RawQuery: v.Encode()}).String()
}

// view returns the page of the list.
func (q *query) view(list []*Campaign, all []found) *page.List {
	pages, shown := q.pages(all)
	l := &page.List{Place: q.place, Text: q.text, Page: q.page, Pages: pages, Counted: units.Plural(uint64(len(all)), "finding"), Choices: q.choices(list)}
	first := (q.page - 1) * pageSize
	if pages > 1 && len(shown) > 0 {
		l.Counted += fmt.Sprintf(", %d to %d", first+1, first+len(shown))
	}
	if q.page > 1 {
		l.Before = q.address(min(q.page-1, pages))
	}
	if q.page < pages {
		l.After = q.address(q.page + 1)
	}
	for i, f := range shown {
		l.Add(first+i+1, &f.in.Member, f.Row)
	}
	return l
}

// choices returns the filters with the values that the campaigns have.
func (q *query) choices(list []*Campaign) []page.Choice {
	kinds, programs := map[string]bool{}, map[string]bool{}
	var campaigns []page.Option
	for _, c := range list {
		if c.Campaign == nil {
			continue
		}
		campaigns = append(campaigns, page.Option{Value: c.ID, Name: c.Campaign.Summary.Target})
		for i := range c.Campaign.Summary.Findings.Buckets {
			kinds[c.Campaign.Summary.Findings.Buckets[i].Kind] = true
		}
		for _, p := range c.Campaign.Summary.Programs {
			programs[escape.Text(p)] = true
		}
	}
	states := []page.Option{{Value: open, Name: open}}
	for _, s := range history.States {
		states = append(states, page.Option{Value: string(s), Name: string(s)})
	}
	var sorts []page.Option
	for _, o := range orders[1:] {
		sorts = append(sorts, page.Option{Value: o.key, Name: o.name})
	}
	return []page.Choice{
		chooser("campaign", "campaign", "all", q.campaign, campaigns),
		chooser("kind", "kind", "all", q.kind, named(kinds)),
		chooser("state", "state", "all", q.state, states),
		chooser("program", "program", "all", q.program, named(programs)),
		chooser("first seen in the last", "age", "at any time", q.age, ages),
		chooser("order", "sort", orders[0].name, q.sort, sorts),
	}
}

func named(set map[string]bool) (list []page.Option) {
	for _, name := range slices.Sorted(maps.Keys(set)) {
		list = append(list, page.Option{Value: name, Name: name})
	}
	return list
}

// chooser returns a filter. all is the name of the empty value.
func chooser(name, key, all, chosen string, options []page.Option) page.Choice {
	c := page.Choice{Name: name, Key: key, Options: []page.Option{{Name: all, Chosen: chosen == ""}}}
	for _, o := range options {
		o.Chosen = o.Value == chosen
		c.Options = append(c.Options, o)
	}
	return c
}
