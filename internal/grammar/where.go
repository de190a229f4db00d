package grammar

import "fmt"

// Where names the place of the grammar at which choices of a site are made: the rule, line and column, for people; "" if there is none.
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
