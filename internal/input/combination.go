package input

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/data"
)

// maxElements is the greatest number of elements of a combination.
const maxElements = 64

// Combination has numbers by the hash of what a row has in several fields together: CatBoost's
// target statistics (CTRs). Each output is a derived column.
//
// The hash is CatBoost's. Of the numbers x of the elements, from first to last, it is
//
//	h = 0;  for each x: h = M (h + M x), modulo 2^64, with M = 0x4906ba494954cb65
//
// where x of a category is its hash (data.Field.Hash) as an int32, and of a condition 1 or 0.
type Combination struct {
	Elements []Element // 1 to maxElements
	Key      []uint64  // the hashes that have numbers, ascending, below 2^64 - 1
	Value    []float64 // output after output, each by key
	Absent   []float64 // by output: the number of rows whose hash has none
}

// Element is what a combination has of one field.
type Element struct {
	Kind       ElementKind
	Source     int32   // field of the schema: numeric of Above, categorical of others
	SplitPoint float64 // of Above, not NaN
	Code       uint32  // of Equal: a level
	Missing    bool    // of Above and Equal: whether a missing value meets the condition
}

// ElementKind is what an element is.
type ElementKind uint8

// The kinds of elements.
const (
	// Category is the category itself. A missing one counts as the empty text; a row with an unseen
	// one has no hash.
	Category ElementKind = iota
	Above                // whether the number is greater than SplitPoint
	Equal                // whether the category is Code
)

// Outputs returns the number of columns.
func (c *Combination) Outputs() int { return len(c.Absent) }

// sources returns the fields of the elements, ascending, without repetition.
func (c *Combination) sources() []int32 {
	return c.fields(func(ElementKind) bool { return true })
}

// categories returns the fields whose categories are elements, ascending, without repetition.
func (c *Combination) categories() []int32 {
	return c.fields(func(k ElementKind) bool { return k == Category })
}

// fields returns those of the elements of some kinds.
func (c *Combination) fields(of func(ElementKind) bool) []int32 {
	fields := make([]int32, 0, len(c.Elements))
	for _, e := range c.Elements {
		if of(e.Kind) {
			fields = append(fields, e.Source)
		}
	}
	slices.Sort(fields)
	return slices.Compact(fields)
}

// outputs returns the number of columns of all combinations.
func (s *Set) outputs() int {
	n := 0
	for i := range s.Combinations {
		n += s.Combinations[i].Outputs()
	}
	return n
}

// output returns the combination of a column of combinations, and which of its outputs it is.
func (s *Set) output(column int) (combination, output int) {
	for column >= s.Combinations[combination].Outputs() {
		column -= s.Combinations[combination].Outputs()
		combination++
	}
	return combination, column
}

// name returns the words for an output, such as statistic(a+b>1.5): 2.
func (c *Combination) name(fields []data.Field, output int) string {
	parts := make([]string, len(c.Elements))
	for i, e := range c.Elements {
		f := &fields[e.Source]
		switch parts[i] = f.Name; e.Kind {
		case Above:
			parts[i] = fmt.Sprintf("%s>%v", f.Name, e.SplitPoint)
		case Equal:
			parts[i] = f.Name + "=" + f.Levels[e.Code]
		}
	}
	text := "statistic(" + strings.Join(parts, "+") + ")"
	if c.Outputs() > 1 {
		text += fmt.Sprintf(": %d", output+1)
	}
	return text
}

func (c *Combination) validate(fields []data.Field) error {
	if n := len(c.Elements); n < 1 || n > maxElements {
		return fmt.Errorf("%d elements, want 1 to %d", n, maxElements)
	}
	for i := range c.Elements {
		if err := c.Elements[i].validate(fields); err != nil {
			return fmt.Errorf("element %d: %w", i, err)
		}
	}
	n := len(c.Key)
	switch {
	case n > math.MaxInt32:
		return fmt.Errorf("%d keys, the limit is %d", n, math.MaxInt32)
	case len(c.Value) != n*len(c.Absent):
		return fmt.Errorf("%d numbers for %d keys and %d outputs", len(c.Value), n, len(c.Absent))
	}
	for i, k := range c.Key {
		if k == free || i > 0 && k <= c.Key[i-1] {
			return fmt.Errorf("key %d is not above the one before, or 2^64 - 1", i)
		}
	}
	if slices.ContainsFunc(c.Value, unusable) || slices.ContainsFunc(c.Absent, unusable) {
		return errors.New("a number is not finite")
	}
	return nil
}

func unusable(x float64) bool { return !finite(x) }

func (e *Element) validate(fields []data.Field) error {
	if e.Source < 0 || int(e.Source) >= len(fields) {
		return fmt.Errorf("source %d of %d fields", e.Source, len(fields))
	}
	f := &fields[e.Source]
	kind := data.Categorical
	if e.Kind == Above {
		kind = data.Numeric
	}
	switch {
	case e.Kind > Equal:
		return fmt.Errorf("unknown kind %d", e.Kind)
	case f.Kind != kind:
		return fmt.Errorf("the source %q is %s", f.Name, f.Kind)
	case math.IsNaN(e.SplitPoint) || e.Kind != Above && e.SplitPoint != 0:
		return fmt.Errorf("the split point %v", e.SplitPoint)
	case e.Kind == Equal && uint64(e.Code) >= uint64(len(f.Levels)) || e.Kind != Equal && e.Code != 0:
		return fmt.Errorf("the code %d of %d levels", e.Code, len(f.Levels))
	case e.Kind == Category && e.Missing:
		return errors.New("a category has a rule for missing values")
	}
	return nil
}

// combined is a Combination that is compiled. The hash is a sum: an element adds its number times a
// power of the multiplier, which is stored for each category.
type combined struct {
	elements []addend
	lookup   // of the keys and their numbers; it has no places and radices
}

// addend is what an element adds to the hash.
type addend struct {
	*Element
	from int32 // place of the source in Program.sources
	// of Category: what a missing one adds, then by code; of a condition what 1 adds
	term []uint64
}

// multiplier is CatBoost's.
const multiplier uint64 = 0x4906ba494954cb65

// combined prepares to find the hashes of a combination.
func (p *Program) combined(c *Combination, fields []data.Field) combined {
	compiled := combined{elements: make([]addend, len(c.Elements))}
	factor := multiplier
	for i := len(c.Elements) - 1; i >= 0; i-- {
		factor *= multiplier
		e := &c.Elements[i]
		a := addend{Element: e, from: int32(p.source(e.Source)), term: []uint64{factor}}
		if f := &fields[e.Source]; e.Kind == Category {
			a.term = make([]uint64, 1, len(f.Levels)+1)
			a.term[0] = factor * signed((&data.Field{}).Hash(""))
			for _, level := range f.Levels {
				a.term = append(a.term, factor*signed(f.Hash(level)))
			}
		}
		compiled.elements[i] = a
	}
	compiled.hash(c.Key)
	return compiled
}

// signed returns a hash as an int32 in 64 bits.
func signed(hash uint32) uint64 { return uint64(int64(int32(hash))) }

// of returns what the element adds for a value; ok is false if the row has no hash.
func (a *addend) of(x float64) (term uint64, ok bool) {
	missing := math.IsNaN(x)
	holds := a.Missing
	switch {
	case a.Kind == Category && missing:
		return a.term[0], true
	case a.Kind == Category:
		if x < 0 {
			return 0, false
		}
		return a.term[int(x)+1], true
	case missing:
	case a.Kind == Above:
		holds = x > a.SplitPoint
	default:
		holds = x == float64(a.Code)
	}
	if holds {
		return a.term[0], true
	}
	return 0, true
}

// row returns the number of a row's key.
func (c *combined) row(from []float64) int32 {
	key := uint64(0)
	for i := range c.elements {
		a := &c.elements[i]
		term, ok := a.of(from[a.from])
		if !ok {
			return c.unseen()
		}
		key += term
	}
	return c.find(key)
}

// rows finds the numbers of the keys of several rows. key is overwritten.
func (c *combined) rows(at []int32, key []uint64, from [][]float64) {
	clear(key)
	clear(at) // -1: the row has no hash
	for i := range c.elements {
		a := &c.elements[i]
		for r, x := range from[a.from] {
			term, ok := a.of(x)
			if key[r] += term; !ok {
				at[r] = -1
			}
		}
	}
	for r, k := range key {
		if at[r] < 0 {
			at[r] = c.unseen()
		} else {
			at[r] = c.find(k)
		}
	}
}

// values returns the numbers of an output by key, and of rows without one.
func (c *Combination) values(output int) []float64 {
	n := len(c.Key)
	return append(slices.Clone(c.Value[output*n:][:n]), c.Absent[output])
}
