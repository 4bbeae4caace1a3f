package c45

import (
	"math"
	"math/bits"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/models/rules"
	"github.com/coppice-ml/coppice/learn/internal/grow"
)

// set is a set of training rows: bit i of the whole is position i of the population.
type set []uint64

func (s set) has(i int) bool { return s[i>>6]>>(i&63)&1 == 1 }
func (s set) add(i int)      { s[i>>6] |= 1 << (i & 63) }

// sample is the training rows.
type sample struct {
	frame   *data.Frame
	pop     *grow.Population
	all     set
	words   []int32   // the numbers of all words of a set
	classes []set     // the rows of each class
	total   []float64 // weight of each class
	count   float64   // number of rows, with multiplicity
}

func newSample(f *data.Frame, pop *grow.Population) *sample {
	s := &sample{frame: f, pop: pop, total: make([]float64, pop.Classes)}
	s.all = s.newSet()
	s.words = data.AllRows(len(s.all))
	for range pop.Classes {
		s.classes = append(s.classes, s.newSet())
	}
	for i, c := range pop.Class {
		s.all.add(i)
		s.classes[c].add(i)
		s.total[c] += s.weight(i)
		if s.count++; pop.Count != nil {
			s.count += float64(pop.Count[i]) - 1
		}
	}
	return s
}

func (s *sample) newSet() set { return make(set, (len(s.pop.Rows)+63)/64) }

func (s *sample) weight(i int) float64 { return s.pop.WeightAt(i) }

// holds returns the rows for which a condition holds.
func (s *sample) holds(c *rules.Condition) set {
	found := s.newSet()
	for i, r := range s.pop.Rows {
		if c.Matches(s.frame.Columns, r) {
			found.add(i)
		}
	}
	return found
}

// outcome is the weight of a set of rows: those of a rule's class, and the others.
type outcome struct{ right, wrong float64 }

func (t outcome) plus(u outcome) outcome  { return outcome{t.right + u.right, t.wrong + u.wrong} }
func (t outcome) minus(u outcome) outcome { return outcome{t.right - u.right, t.wrong - u.wrong} }
func (t outcome) weight() float64         { return t.right + t.wrong }
func (s *sample) whole(c int) outcome     { return outcome{s.total[c], kernel.Sum(s.total) - s.total[c]} }

// outcome weighs, for rules of a class, the rows of a that are in b, or with outside those that are
// not. words are the words of a that may hold rows, nil = all.
func (s *sample) outcome(class int, words []int32, a, b set, outside bool) outcome {
	if words == nil {
		words = s.words
	}
	flip := uint64(0)
	if outside {
		flip = math.MaxUint64
	}
	own := s.classes[class]
	var t outcome
	if s.pop.Weight == nil && s.pop.Count == nil {
		right, rows := 0, 0
		for _, w := range words {
			in := a[w] & (b[w] ^ flip)
			rows += bits.OnesCount64(in)
			right += bits.OnesCount64(in & own[w])
		}
		return outcome{float64(right), float64(rows - right)}
	}
	for _, w := range words {
		for in := a[w] & (b[w] ^ flip); in != 0; in &= in - 1 {
			i := int(w)<<6 + bits.TrailingZeros64(in)
			if own.has(i) {
				t.right += s.weight(i)
			} else {
				t.wrong += s.weight(i)
			}
		}
	}
	return t
}
