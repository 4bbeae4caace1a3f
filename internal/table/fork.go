package table

import (
	"slices"

	"github.com/coppice-ml/coppice/data"
)

// Fork returns a plan for another goroutine, which reads a part of the same table. What its columns
// meet is not known to p before Learn, and it counts no memory.
func (p *Plan) Fork() *Plan {
	f := *p
	f.seen, f.dicts, f.account = make([]bool, len(p.seen)), nil, Account{}
	return &f
}

// Learn makes p know which tokens for missing values the columns of a fork met.
func (p *Plan) Learn(from *Plan) {
	for i, seen := range from.seen {
		p.seen[i] = p.seen[i] || seen
	}
}

// Fork returns a column of the same rules, without values and with dictionaries of its own, for the
// goroutine of a forked plan.
func (c *Column) Fork(p *Plan) Column {
	f := Column{Field: c.Field, Type: c.Type, Storage: c.Storage, Position: c.Position,
		Bits: c.Bits, Turned: c.Turned, Literal: c.Literal, Texts: c.Texts, plan: p}
	f.Texts.plan = p
	if c.Dict != nil {
		f.Dict = c.Dict.Fork()
	}
	if c.Kept.Dict != nil {
		f.Kept.Dict = c.Kept.Dict.Fork()
	}
	return f
}

// Open reports whether new texts become levels.
func (d *Dictionary) Open() bool { return !d.closed }

// Fork returns a dictionary for another goroutine that gives texts the same meanings. An open one
// has no levels and counts no memory; a closed one has the same levels.
func (d *Dictionary) Fork() *Dictionary {
	if d.closed {
		return &Dictionary{closed: true, bare: d.bare, whole: d.whole, index: d.index,
			unseen: &data.UnseenTexts{}, tokens: d.tokens, codes: d.codes, levels: d.levels}
	}
	f := newDictionary(d.tokens)
	f.value, f.brief = d.value, d.brief
	return f
}

// emptied returns a dictionary of the same meanings for the next rows, in place of this one. An
// open one has no levels; what they took is free.
func (d *Dictionary) emptied() *Dictionary {
	f := d.Fork()
	if d.account != nil && !d.closed {
		d.account.chargeTexts(d, -d.held)
		f.account = d.account
	}
	return f
}

// Learn adds the levels of a fork, in their order, to an open dictionary. codes are what earlier
// calls returned for the same fork: the codes in d of the fork's levels, which are continued. Those
// of a closed dictionary are nil: both have the same codes, and d takes the unseen texts. It fails,
// with an Error that has no place, where a text cannot become a level; those before it are.
func (d *Dictionary) Learn(from *Dictionary, codes []uint32) ([]uint32, *data.ReadError) {
	for _, token := range from.met {
		if !slices.Contains(d.met, token) {
			d.met = append(d.met, token)
		}
	}
	if d.closed {
		d.unseen.Join(from.takeUnseen())
		return nil, nil
	}
	if codes == nil {
		codes = []uint32{}
	}
	for i := len(codes); i < len(from.levels); i++ {
		level := from.levels[i]
		code, known := d.codes[level]
		if !known {
			if len(d.levels) == data.MaxLevels {
				return codes, tooManyTexts()
			}
			if d.value != nil {
				d.values = append(d.values, from.values[i])
			}
			code = d.add(level)
		}
		codes = append(codes, code)
	}
	return codes, nil
}
