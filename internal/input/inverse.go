package input

import (
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
)

// option is a value of an element, and what it adds to the hash.
type option struct {
	value float64
	term  uint64
}

const (
	mostNeeded = 1 << 18 // hashes that are stored
	mostTried  = 1 << 24 // hashes that are compared with them
	filterBits = 22
)

// rows returns for keys, by their places, values of the sources that have them; nil where none is
// found. A hash is a sum over the elements. So the elements are divided in two: what those with few
// values leave to be added is stored for every key, and the sums of the others are looked up there.
func (c *Combination) rows(fields []data.Field, sources []int32, keys []int) [][]float64 {
	found := make([][]float64, len(keys))
	p := &Program{}
	compiled := p.combined(c, fields)
	options, order := make([][]option, len(c.Elements)), make([]int, len(c.Elements))
	for i := range c.Elements {
		order[i], options[i] = i, compiled.elements[i].options(fields)
		if len(options[i]) == 0 {
			return found
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return len(options[a]) - len(options[b]) })
	s := &search{first: map[uint64]int32{}, filter: make([]uint64, 1<<filterBits/64),
		options: options, chosen: make([]int, len(order)), left: len(keys), tries: mostTried}
	size, inner := len(keys), 0
	for inner < len(order)-1 && size*len(options[order[inner]]) <= mostNeeded {
		size *= len(options[order[inner]])
		inner++
	}
	for i, k := range keys {
		s.need(order[:inner], c.Key[k], needed{key: int32(i)})
	}
	s.found = func(n needed) {
		if found[n.key] != nil {
			return
		}
		s.left--
		for _, i := range order[:inner] {
			s.chosen[i] = int(n.option) % len(options[i])
			n.option /= int32(len(options[i]))
		}
		values := make([]float64, len(sources))
		for i, o := range s.chosen {
			values[slices.Index(sources, c.Elements[i].Source)] = options[i][o].value
		}
		found[n.key] = values
	}
	s.try(order[inner:], 0)
	return found
}

// options returns the values of an element that are worth trying: all categories, or of a condition
// a value next to the split point that meets it, and one that does not.
func (a *addend) options(fields []data.Field) []option {
	var all []option
	add := func(x float64) {
		if term, ok := a.of(x); ok {
			all = append(all, option{x, term})
		}
	}
	levels := len(fields[a.Source].Levels)
	switch a.Kind {
	case Category:
		for code := range levels {
			add(float64(code))
		}
	case Above:
		for _, x := range []float64{a.SplitPoint, math.Nextafter(a.SplitPoint, math.Inf(1))} {
			if !math.IsInf(x, 0) {
				add(x)
			}
		}
	default:
		add(float64(a.Code))
		if levels > 1 {
			add(float64((int(a.Code) + 1) % levels))
		}
	}
	add(math.NaN())
	return all
}

// needed is what remains of a key, less the terms of some options.
type needed struct {
	key    int32
	option int32 // the options, each a digit: that of the first element is the lowest
	next   int32 // in search.needed: another one with the same sum; -1: there is none
}

// search looks for sums of options.
type search struct {
	options [][]option
	needed  []needed
	first   map[uint64]int32 // by the sum that is needed: the first in needed
	filter  []uint64         // a bit for each needed sum, by its hash
	chosen  []int            // by element: the option
	left    int              // keys that are not found
	tries   int
	found   func(n needed)
}

// need stores what remains of a key after the options of some elements.
func (s *search) need(elements []int, remains uint64, n needed) {
	if len(elements) == 0 {
		at, ok := s.first[remains]
		if n.next = at; !ok {
			n.next = -1
		}
		s.first[remains] = int32(len(s.needed))
		s.needed = append(s.needed, n)
		bit := remains * spread >> (64 - filterBits)
		s.filter[bit/64] |= 1 << (bit % 64)
		return
	}
	last := elements[len(elements)-1]
	for o, choice := range s.options[last] {
		s.need(elements[:len(elements)-1], remains-choice.term,
			needed{key: n.key, option: n.option*int32(len(s.options[last])) + int32(o)})
	}
}

// try adds the options of elements to a sum, and looks up the results.
func (s *search) try(elements []int, sum uint64) {
	for o, choice := range s.options[elements[0]] {
		if s.tries < 0 || s.left == 0 {
			return
		}
		if s.chosen[elements[0]] = o; len(elements) > 1 {
			s.try(elements[1:], sum+choice.term)
			continue
		}
		s.tries--
		total := sum + choice.term
		bit := total * spread >> (64 - filterBits)
		if s.filter[bit/64]>>(bit%64)&1 == 0 {
			continue
		}
		at, ok := s.first[total]
		for ok && at >= 0 {
			n := s.needed[at]
			s.found(n)
			at = n.next
		}
	}
}
