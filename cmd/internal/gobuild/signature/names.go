package signature

// Names returns the names of the parameters that inputs are made for, in the order of Shape. It is
// nil if one has no name or takes several inputs.
func (c *Function) Names() []string {
	names := make([]string, len(c.Shape))
	for i, a := range c.Args {
		if (a.How == Given || a.How == Reads || a.How == Instant) && i < c.Type.Params().Len() && a.Input < len(names) {
			names[a.Input] = c.Type.Params().At(i).Name()
		}
	}
	for _, name := range names {
		if name == "" || name == "_" {
			return nil
		}
	}
	return names
}
