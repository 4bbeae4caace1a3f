package c45

import (
	"context"
	"math"
	"math/bits"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/models/rules"
)

// selectRules keeps, of each class, the subset of rules by which the rows of the class are
// described in the fewest bits (Quinlan 1993, section 5.2).
func (l *Rules) selectRules(ctx context.Context, s *sample,
	all []candidate) ([]candidate, error) {
	d := newDescription(s, l)
	for i := range all {
		all[i].bits = d.rule(all[i].conditions)
	}
	var kept []candidate
	for class := range s.classes {
		var own []candidate
		for _, c := range all {
			if c.class == class {
				own = append(own, c)
			}
		}
		chosen, err := d.choose(ctx, own, class)
		if err != nil {
			return nil, err
		}
		for i, in := range chosen {
			if in {
				kept = append(kept, own[i])
			}
		}
	}
	return kept, nil
}

// description measures messages in bits. The receiver has the columns of the training rows, and the
// message encodes which rows have a class: first rules, then the rows for which these are wrong.
//
//	condition   log2(columns) for the column; log2(levels) for a category, or
//	            1 + log2(split points) for side and place of one; 1 more for "is not"
//	            where the tree has such branches
//	rule        its conditions, less log2(k!) as the order of k conditions does not matter
//	rules       all of them, less log2(r!)
//	errors      log2 of the ways to choose the false positives among the c covered rows and
//	            the false negatives among the others: log2 C(c, fp) + log2 C(n - c, fn)
//
// The bits of rules count Theory times, because rules repeat much of each other.
type description struct {
	*sample
	theory  float64
	columns float64 // log2 of the number of columns
	side    float64 // bits for "is" or "is not"
	values  []float64
	scale   float64   // rows per weight
	factors []float64 // factors[i] is log2(i!)
}

func newDescription(s *sample, l *Rules) *description {
	d := &description{sample: s, theory: l.Theory, values: make([]float64, len(s.frame.Columns)),
		scale: s.count / kernel.Sum(s.total)}
	if len(s.frame.Columns) > 0 {
		d.columns = kernel.Log2(float64(len(s.frame.Columns)))
	}
	if l.Binary {
		d.side = 1
	}
	for i := range s.frame.Columns {
		d.values[i] = d.valueBits(i)
	}
	d.factors = make([]float64, int(s.count)+3)
	for i := 2; i < len(d.factors); i++ {
		d.factors[i] = d.factors[i-1] + kernel.Log2(float64(i))
	}
	return d
}

// valueBits are the bits for the value in a condition on a column.
func (d *description) valueBits(column int) float64 {
	if f := &d.frame.Schema.Fields[column]; f.Kind == data.Categorical {
		return d.side + kernel.Log2(float64(max(1, len(f.Levels))))
	}
	var values []float64
	for _, r := range d.pop.Rows {
		if x := d.frame.Columns[column].Number(int(r)); !math.IsNaN(x) {
			values = append(values, x)
		}
	}
	slices.Sort(values)
	return 1 + kernel.Log2(float64(max(1, len(slices.Compact(values))-1)))
}

func (d *description) rule(conditions []rules.Condition) float64 {
	total := -d.factorial(float64(len(conditions)))
	for i := range conditions {
		total += d.columns + d.values[conditions[i].Feature]
	}
	return max(0, total)
}

// factorial is log2(x!), between whole numbers on the straight line.
func (d *description) factorial(x float64) float64 {
	i := min(max(0, int(x)), len(d.factors)-2)
	return d.factors[i] + float64((x-float64(i))*(d.factors[i+1]-d.factors[i]))
}

// ways is log2 of the number of ways to choose k of n.
func (d *description) ways(n, k float64) float64 {
	return max(0, d.factorial(n)-d.factorial(k)-d.factorial(n-k))
}

// cost is the length of a message: rules that take the given bits, number of them, and what they
// cover.
func (d *description) cost(theory float64, rules int, covered, whole outcome) float64 {
	theory = max(0, theory-d.factorial(float64(rules)))
	rest := whole.minus(covered)
	falsePositives := d.ways(float64(d.scale*covered.weight()), float64(d.scale*covered.wrong))
	falseNegatives := d.ways(float64(d.scale*rest.weight()), float64(d.scale*rest.right))
	return float64(d.theory*theory) + falsePositives + falseNegatives
}

// shorter is by how many bits a message must be shorter to be better: less is rounding.
const shorter = 1e-6

// choose searches for the subset of rules with the shortest message: from no rule, and from all of
// them, the rule is added or taken away that shortens it most, of equal ones the first, until none
// does; the better of the two ends wins.
func (d *description) choose(ctx context.Context, own []candidate, class int) ([]bool, error) {
	var best *subset
	for _, full := range []bool{false, true} {
		s := d.newSubset(own, class, full)
		for s.improve() {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
		if best == nil || s.length < best.length-shorter {
			best = s
		}
	}
	return best.in, nil
}

// subset is some of the rules of a class.
type subset struct {
	*description
	rules   []candidate
	rows    outcome // all training rows
	in      []bool
	number  int
	theory  float64  // bits of its rules
	times   []uint32 // how many rules of the subset cover each row
	any     set      // rows that one at least covers
	once    set      // rows that exactly one covers
	covered outcome  // of any
	length  float64  // of the message
}

func (d *description) newSubset(own []candidate, class int, full bool) *subset {
	s := &subset{description: d, rules: own, rows: d.whole(class), in: make([]bool, len(own)),
		times: make([]uint32, len(d.pop.Rows)), any: d.newSet(), once: d.newSet()}
	if full {
		for i := range own {
			s.flip(i, s.change(i))
		}
	}
	s.length = d.cost(s.theory, s.number, s.covered, s.rows)
	return s
}

// change returns the rows that rule i adds to the subset, or that the subset loses with it.
func (s *subset) change(i int) outcome {
	c := &s.rules[i]
	if s.in[i] {
		return s.outcome(c.class, c.words, c.cover, s.once, false)
	}
	return s.outcome(c.class, c.words, c.cover, s.any, true)
}

// costWith returns the cost after rule i is added or taken away, with the change of rows that it
// brings.
func (s *subset) costWith(i int, change outcome) float64 {
	if s.in[i] {
		return s.cost(s.theory-s.rules[i].bits, s.number-1, s.covered.minus(change), s.rows)
	}
	return s.cost(s.theory+s.rules[i].bits, s.number+1, s.covered.plus(change), s.rows)
}

// improve makes the best single change; false if there is none.
func (s *subset) improve() bool {
	best, length, change := -1, s.length-shorter, outcome{}
	for i := range s.rules {
		t := s.change(i)
		if c := s.costWith(i, t); c < length {
			best, length, change = i, c, t
		}
	}
	if best < 0 {
		return false
	}
	s.flip(best, change)
	s.length = length
	return true
}

// flip adds a rule or takes it away.
func (s *subset) flip(i int, change outcome) {
	c := &s.rules[i]
	step := uint32(1)
	if s.in[i] {
		s.number--
		s.theory -= c.bits
		s.covered = s.covered.minus(change)
		step = math.MaxUint32 // one less
	} else {
		s.number++
		s.theory += c.bits
		s.covered = s.covered.plus(change)
	}
	s.in[i] = !s.in[i]
	for w, rows := range c.cover {
		for ; rows != 0; rows &= rows - 1 {
			s.count(w<<6+bits.TrailingZeros64(rows), step)
		}
	}
}

// count changes how many rules cover a row.
func (s *subset) count(row int, step uint32) {
	s.times[row] += step
	bit := uint64(1) << (row & 63)
	s.any[row>>6] &^= bit
	s.once[row>>6] &^= bit
	if s.times[row] > 0 {
		s.any[row>>6] |= bit
	}
	if s.times[row] == 1 {
		s.once[row>>6] |= bit
	}
}
