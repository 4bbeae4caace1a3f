package model

import "github.com/coppice-ml/coppice/internal/kernel"

// chance is the probability with which any column of a table like the training rows is suspicious.
const chance = 0.001

// mostAlone is how many rare categories may be: a profile counts no more, whatever a file states.
const mostAlone = 10_001

// tooMany reports whether a column has more values of a kind that training had not than chance
// gives: with a probability below chance for all columns and kinds together (Bonferroni).
//
// Of rows of one distribution, in any order, all choices of which are training rows are equally
// likely. So two of the n+1 places of a new number lie beyond the n of training, and one of the n+1
// rows, if only one misses a value, is the new one. Of categories, about as many new rows have a
// new one as training rows were alone with theirs (Good 1953).
func (c *Coverage) tooMany(own *covered, kind FlagKind, found int) bool {
	if found == 0 || own.profile == nil {
		return false
	}
	trained, usual := own.trained.rows(c.profile), 2
	switch kind {
	case NewMissing:
		trained, usual = c.profile.Rows, 1
	case NewCategory:
		if usual = 1 + own.profile.alone(); own.profile.More || usual > mostAlone {
			return false // too many categories to know how many are rare
		}
	}
	// These lie beyond the training row with this number, counted from an end.
	return usual <= trained && kernel.HypergeometricTail(usual-1, trained, found, own.Rows) <
		chance/float64(flagKinds*len(c.columns))
}

// alone returns how many categories have one training row, or perhaps one.
func (p *ColumnProfile) alone() int {
	n := p.OtherLevels
	for _, l := range p.Levels {
		if l.Rows == 1 {
			n++
		}
	}
	return n
}
