package model

import "math"

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
	return beyondChance(trained, own.Rows, found, usual,
		chance/float64(flagKinds*len(c.columns)))
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

// beyondChance reports whether it is less likely than p that of n training and m new rows in a
// random order at least x new ones are beyond the training row number u from an end. That is that
// at most u-1 of the last x+u-1 rows are of training: a tail of the hypergeometric distribution.
func beyondChance(n, m, x, u int, p float64) bool {
	last := x + u - 1
	if x <= 0 || u > n || x > m {
		return false
	}
	sum := 0.0
	for k := max(0, last-m); k < u && sum < p; k++ {
		sum += math.Exp(logChoose(n, k) + logChoose(m, last-k) - logChoose(n+m, last))
	}
	return sum < p
}

// logChoose returns the logarithm of the number of sets of k of n.
func logChoose(n, k int) float64 {
	if k < 0 || k > n {
		return math.Inf(-1)
	}
	lgamma := func(x int) float64 {
		v, _ := math.Lgamma(float64(x) + 1)
		return v
	}
	return lgamma(n) - lgamma(k) - lgamma(n-k)
}
