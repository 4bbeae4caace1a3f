package input

import (
	"cmp"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
)

// Witness is values of the sources of a derived column, and the column's number for them.
type Witness struct {
	Values []float64 // by place in Set.Sources: numbers, codes, NaN for missing, -1 for unseen
	Number float64
}

const (
	// neighbours is how many keys on each side of a point are looked for. More than one, since not
	// every key of a combination belongs to categories that the dictionaries have.
	neighbours = 3
	// evenly is how many more keys are looked for, which have numbers of all sizes.
	evenly = 64
)

// Witnesses returns values of the sources of a derived column of tables or combinations, ascending
// by the column's number: of the keys whose numbers are next to some points, of some others, and of
// a key that no training row had. Keys of combinations for which no categories are found are left
// out.
func (s *Set) Witnesses(column int, fields []data.Field, points []float64) []Witness {
	number, absent := s.numbers(column)
	keys := nextTo(number, points)
	var found [][]float64
	sources := s.Sources(column)
	if column < len(s.Columns) {
		found = s.Tables[s.Columns[column].Table].rows(fields, keys)
	} else {
		c, _ := s.output(column - len(s.Columns) - len(s.Numbers))
		found = s.Combinations[c].rows(fields, sources, keys)
	}
	var all []Witness
	for i, values := range found {
		if values != nil {
			all = append(all, Witness{values, number[keys[i]]})
		}
	}
	for i, f := range sources {
		if fields[f].Kind != data.Categorical {
			continue
		}
		values := slices.Repeat([]float64{math.NaN()}, len(sources))
		values[i] = -1
		all = append(all, Witness{values, absent})
	}
	// what the column's program computes is what counts
	p := s.Compile(fields, []int32{int32(column)})
	all = slices.DeleteFunc(all, func(w Witness) bool {
		from, right := make([]float64, len(sources)), false
		for i, f := range p.Sources() {
			from[i] = w.Values[slices.Index(sources, f)]
		}
		p.Row(from, func(_ int, x float64) { right = x == w.Number })
		return !right
	})
	slices.SortStableFunc(all, func(a, b Witness) int { return cmp.Compare(a.Number, b.Number) })
	return all
}

// Range returns the least and the greatest number of a derived column of tables or combinations.
func (s *Set) Range(column int) (least, greatest float64) {
	number, least := s.numbers(column)
	greatest = least
	for _, x := range number {
		least, greatest = min(least, x), max(greatest, x)
	}
	return least, greatest
}

// numbers returns a column's numbers by key, and that of rows without a key.
func (s *Set) numbers(column int) (number []float64, absent float64) {
	if column >= len(s.Columns) {
		c, output := s.output(column - len(s.Columns) - len(s.Numbers))
		of := &s.Combinations[c]
		return of.Value[output*len(of.Key):][:len(of.Key)], of.Absent[output]
	}
	c := &s.Columns[column]
	t := &s.Tables[c.Table]
	number = make([]float64, len(t.Key))
	for k := range number {
		sum := 0.0
		if c.Kind == Target {
			sum = t.Sum[int(c.Output)*len(t.Key)+k]
		}
		number[k] = c.Value(t.Count[k], sum)
	}
	return number, c.Unseen()
}

// nextTo returns the places of numbers that are next to some points, and of some others, ascending.
func nextTo(number, points []float64) []int {
	order := make([]int, len(number))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(number[a], number[b]) })
	var places []int
	for _, x := range points {
		above, _ := slices.BinarySearchFunc(order, x, func(i int, x float64) int {
			if number[i] > x {
				return 1
			}
			return -1
		})
		places = append(places,
			order[max(0, above-neighbours):min(len(order), above+neighbours)]...)
	}
	for i := range min(evenly, len(order)) {
		places = append(places, order[i*len(order)/min(evenly, len(order))])
	}
	slices.Sort(places)
	return slices.Compact(places)
}

// rows returns for keys, by their places, the values of the sources that have them.
func (t *Table) rows(fields []data.Field, keys []int) [][]float64 {
	found := make([][]float64, len(keys))
	for i, k := range keys {
		found[i] = make([]float64, len(t.Source))
		key := t.Key[k]
		for digit := len(t.Source) - 1; digit >= 0; digit-- {
			radix := uint64(len(fields[t.Source[digit]].Levels)) + 1
			if found[i][digit] = math.NaN(); key%radix > 0 {
				found[i][digit] = float64(key%radix - 1)
			}
			key /= radix
		}
	}
	return found
}
