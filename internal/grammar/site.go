package grammar

import "fmt"

// Where names the place in the grammar of a site's choices for users: rule, line and column. It
// returns "" for an unknown site.
func (g *Grammar) Where(site uint32) string {
	where := ""
	for _, r := range g.rules {
		r.body.each(func(n *node) {
			if n.site == site && n.kind >= class && where == "" {
				where = fmt.Sprintf("%s %d:%d", r.name, n.at.line, n.at.column)
			}
		})
	}
	return where
}
