package bins

import (
	"errors"
	"math"
)

// sketch is the weighted quantile sketch of Chen and Guestrin (2016, "XGBoost", section 3.3 and
// appendix A): split points are proposed by summaries of units of rows, which follow each other,
// and not by all values.
//
//	unit        0              1              2
//	rows        0 ... 65,535   ... 131,071    ...
//	            summary        summary        summary     of 2 / eps values each
//
// A unit is the same rows, whatever blocks they come in and whichever processes have them, and
// summaries are combined in the order of units. So the split points are the same.
//
// The weight up to a split point is known to within eps / 4 of the total: a summary leaves gaps of
// no more than eps / 2 of its unit, and half of a gap counts to either side.
type sketch struct{ units []unit }

// unitRows is the number of rows of a unit.
const unitRows = 1 << 16

// unit is what is known of one: its rows, until all have come, then their summary.
type unit struct {
	number int // from 0
	seen   int // rows that have come, those without a value or weight included
	rows   []keyed
	made   summary
}

// sketchSize is the number of values of a summary.
func sketchSize(eps float64) int { return int(math.Ceil(2/eps)) + 1 }

// sketchBins is the number of bins: 1 / eps.
func sketchBins(eps float64) int { return int(math.Ceil(1 / eps)) }

// add takes rows of a column, which are those from place at on. Weights are by row of num.
func (s *sketch) add(at int, num []float64, rows []int32, weight []float64, eps float64) {
	for i := range rowCount(num, rows) {
		r, w := rowAt(rows, i), 1.0
		if weight != nil {
			w = weight[r]
		}
		number := (at + i) / unitRows
		if n := len(s.units); n == 0 || s.units[n-1].number != number {
			s.units = append(s.units, unit{number: number})
		}
		u := &s.units[len(s.units)-1]
		if x := num[r]; x == x && w > 0 {
			u.rows = append(u.rows, keyed{keyOf(x + 0), w})
		}
		u.seen++
		u.complete(eps)
	}
}

// complete makes the summary if all rows have come.
func (u *unit) complete(eps float64) {
	if u.seen == unitRows {
		u.made, u.rows = u.summary(eps), nil
	}
}

func (u *unit) summary(eps float64) summary {
	if u.rows == nil {
		return u.made
	}
	u.rows, _ = sortKeyed(u.rows, nil)
	return exactly(nil, u.rows).prune(sketchSize(eps))
}

// merge adds what another sketch has found of rows behind those of this one.
func (s *sketch) merge(other *sketch, eps float64) {
	from := other.units
	if n := len(s.units); n > 0 && len(from) > 0 && s.units[n-1].number == from[0].number {
		u := &s.units[n-1]
		u.rows, u.seen = append(u.rows, from[0].rows...), u.seen+from[0].seen
		u.complete(eps)
		from = from[1:]
	}
	s.units = append(s.units, from...)
}

// whole returns the summary of all units.
func (s *sketch) whole(eps float64) summary {
	var all []summary
	for i := range s.units {
		all = append(all, s.units[i].summary(eps))
	}
	for len(all) > 1 { // neighbours, then neighbours of these
		half := all[:0]
		for i := 0; i+1 < len(all); i += 2 {
			half = append(half, combine(nil, all[i], all[i+1]))
		}
		if len(all)%2 == 1 {
			half = append(half, all[len(all)-1])
		}
		all = half
	}
	if len(all) == 0 {
		return nil
	}
	return all[0]
}

// splitPoints returns the split points between bins of about the same weight.
func (s *sketch) splitPoints(eps float64) []float64 {
	var d mass
	s.whole(eps).mass(&d)
	return d.splitPoints(sketchBins(eps), 1)
}

// encode returns what has been found as words.
func (s *sketch) encode() (words []uint64) {
	for i := range s.units {
		u := &s.units[i]
		words = append(words, uint64(u.number), uint64(u.seen), uint64(len(u.rows)),
			uint64(len(u.made)))
		for _, r := range u.rows {
			words = append(words, r.key, math.Float64bits(r.weight))
		}
		for _, e := range u.made {
			words = append(words, e.key, math.Float64bits(e.rmin), math.Float64bits(e.rmax),
				math.Float64bits(e.weight))
		}
	}
	return words
}

// decode sets the sketch to what encode has written.
func (s *sketch) decode(words []uint64) error {
	for *s = (sketch{}); len(words) > 0; {
		if len(words) < 4 || words[1] > unitRows || words[2] > unitRows || words[3] > unitRows ||
			uint64(len(words)-4) < 2*words[2]+4*words[3] {
			return errors.New("a unit of its rows is too short")
		}
		u := unit{number: int(words[0]), seen: int(words[1])}
		rows, made := words[4:4+2*words[2]], words[4+2*words[2]:][:4*words[3]]
		words = words[4+len(rows)+len(made):]
		for ; len(rows) > 0; rows = rows[2:] {
			u.rows = append(u.rows, keyed{rows[0], math.Float64frombits(rows[1])})
		}
		for ; len(made) > 0; made = made[4:] {
			u.made = append(u.made, entry{made[0], math.Float64frombits(made[1]),
				math.Float64frombits(made[2]), math.Float64frombits(made[3])})
		}
		s.units = append(s.units, u)
	}
	return nil
}
