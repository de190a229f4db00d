package wire

// Letter is the content of Mail.
type Letter struct {
	Owed   []uint64 // classes for Engine.AllowAgain
	Flats  [][]byte // inputs of other workers
	Offers []Offer  // inputs of other campaigns
}

// Offer is an input of another campaign on the same programs.
type Offer struct {
	Flat  []byte
	Claim bool // it shows a finding there
}

// Empty reports whether a letter has no content.
func (m *Letter) Empty() bool { return len(m.Owed)+len(m.Flats)+len(m.Offers) == 0 }

// Append appends a letter.
func (m *Letter) Append(b []byte) []byte {
	b = AppendUint(b, uint64(len(m.Owed)))
	for _, class := range m.Owed {
		b = AppendUint(b, class)
	}
	b = AppendUint(b, uint64(len(m.Flats)))
	for _, flat := range m.Flats {
		b = AppendBytes(b, flat)
	}
	b = AppendUint(b, uint64(len(m.Offers)))
	for _, o := range m.Offers {
		b = AppendBool(AppendBytes(b, o.Flat), o.Claim)
	}
	return b
}

// Read reads a letter. Its inputs alias the message.
func (m *Letter) Read(r *Reader) error {
	for n := r.Uint(); n > 0 && r.Err() == nil; n-- {
		m.Owed = append(m.Owed, r.Uint())
	}
	for n := r.Uint(); n > 0 && r.Err() == nil; n-- {
		m.Flats = append(m.Flats, r.Bytes())
	}
	for n := r.Uint(); n > 0 && r.Err() == nil; n-- {
		m.Offers = append(m.Offers, Offer{Flat: r.Bytes(), Claim: r.Bool()})
	}
	return r.Err()
}
