package c45

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/models/rules"
	"github.com/coppice-ml/coppice/model"
)

// arrange puts the rules into the order in which they are tried. Again and again the class comes
// next whose rules have the fewest false positives among the rows that no class before has covered,
// of equal ones the first; within a class, the rules of the lowest estimated error come first, then
// those that cover more.
func arrange(s *sample, found []candidate) []candidate {
	left := slices.Clone(s.all)
	waiting := make([][]candidate, len(s.classes))
	covers := make([]set, len(s.classes))
	for _, c := range found {
		if covers[c.class] == nil {
			covers[c.class] = s.newSet()
		}
		waiting[c.class] = append(waiting[c.class], c)
		for w := range c.cover {
			covers[c.class][w] |= c.cover[w]
		}
	}
	var list []candidate
	for {
		next, least := -1, 0.0
		for class, cover := range covers {
			if len(waiting[class]) == 0 {
				continue
			}
			wrong := s.outcome(class, nil, cover, left, false).wrong
			if next < 0 || wrong < least {
				next, least = class, wrong
			}
		}
		if next < 0 {
			return list
		}
		own := waiting[next]
		slices.SortStableFunc(own, func(a, b candidate) int {
			return cmp.Or(cmp.Compare(a.rate, b.rate),
				cmp.Compare(b.outcome.weight(), a.outcome.weight()))
		})
		list, waiting[next] = append(list, own...), nil
		for w := range left {
			left[w] &^= covers[next][w]
		}
	}
}

// finish makes the model's rules: it adds the last one, which has no condition, and takes rules
// away as long as one of them
//
//   - decides no row, or mostly rows of other classes, so that it would predict another class than
//     its own;
//   - or, with polish, makes more errors than there were without it, its rows left to the rules
//     behind.
func (s *sample) finish(list []candidate, polish bool) []rules.Rule {
	for {
		d := s.decide(list)
		bad := slices.IndexFunc(d.value[:len(list)], func(v []float64) bool { return kernel.Sum(v) <= 0 })
		if bad < 0 {
			bad = d.strange(list)
		}
		if bad < 0 && polish {
			bad = d.harmful(list)
		}
		if bad < 0 {
			return d.rules(list)
		}
		list = slices.Delete(list, bad, bad+1)
	}
}

// decisions holds which rule decides each training row. Number len(list) is the last rule, without
// condition.
type decisions struct {
	*sample
	first  []int32     // by row: the rule that decides it
	second []int32     // by row: the rule that would decide it if that were not there
	value  [][]float64 // by rule: the weight of each class among the rows it decides
}

func (s *sample) decide(list []candidate) *decisions {
	n := len(s.pop.Rows)
	d := &decisions{sample: s, first: make([]int32, n), second: make([]int32, n),
		value: make([][]float64, len(list)+1)}
	for i := range n {
		d.first[i], d.second[i] = int32(len(list)), int32(len(list))
	}
	once, twice := s.newSet(), s.newSet() // rows that as many rules cover at least
	for k := range list {
		for w, cover := range list[k].cover {
			mark(d.first, int32(k), w, cover&^once[w])
			mark(d.second, int32(k), w, cover&once[w]&^twice[w])
			twice[w] |= cover & once[w]
			once[w] |= cover
		}
	}
	for k := range d.value {
		d.value[k] = make([]float64, len(s.classes))
	}
	for i, k := range d.first {
		d.value[k][s.pop.Class[i]] += s.weight(i)
	}
	return d
}

// mark writes a rule's number for the rows of one word of a set.
func mark(at []int32, rule int32, word int, rows uint64) {
	for ; rows != 0; rows &= rows - 1 {
		at[word<<6+bits.TrailingZeros64(rows)] = rule
	}
}

// last returns what the last rule goes by: the rows that it decides, all if there are none.
func (d *decisions) last() []float64 {
	if v := d.value[len(d.value)-1]; kernel.Sum(v) > 0 {
		return v
	}
	return d.total
}

// strange returns the first rule that would predict another class than its own, -1 if there is
// none.
func (d *decisions) strange(list []candidate) int {
	for k := range list {
		if model.ArgMax(d.value[k]) != list[k].class {
			return k
		}
	}
	return -1
}

// harmful returns the first rule without which there would be fewer errors, -1 if there is none.
func (d *decisions) harmful(list []candidate) int {
	class := make([]int, len(list)+1)
	for k := range list {
		class[k] = list[k].class
	}
	class[len(list)] = model.ArgMax(d.last())
	more := make([]float64, len(list)+1) // by rule: errors without it, less those with it
	for i, k := range d.first {
		is := int(d.pop.Class[i])
		if class[k] != is {
			more[k] -= d.weight(i)
		}
		if class[d.second[i]] != is {
			more[k] += d.weight(i)
		}
	}
	return slices.IndexFunc(more[:len(list)],
		func(errors float64) bool { return errors < -rounding })
}

// rounding is the weight below which a sum of weights is nothing.
const rounding = 1e-9

func (d *decisions) rules(list []candidate) []rules.Rule {
	made := make([]rules.Rule, len(list)+1)
	for k := range list {
		c := &list[k]
		made[k] = rules.Rule{If: c.conditions, Value: d.value[k], Decided: kernel.Sum(d.value[k]),
			Covered: c.outcome.weight(), Right: c.outcome.right}
	}
	last := len(list)
	made[last] = rules.Rule{Value: d.last(), Decided: kernel.Sum(d.value[last]), Covered: kernel.Sum(d.total)}
	made[last].Right = d.total[made[last].Class()]
	return made
}
