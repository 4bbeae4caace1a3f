package oob

// Room sets how many permuted values are kept at a time.
func (p *Permuter) Room(values int) { p.walker.deal.room = values }
