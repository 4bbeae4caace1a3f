package bins

import (
	"math"
	"math/bits"
	"slices"
)

// distinctValues counts the distinct values of a column as long as they are at most a limit: an
// open-addressing hash table of keys. Columns of few values, of which every one deserves a bin
// however rare it is, need no sort.
type distinctValues struct {
	slots  []distinctSlot
	shift  int
	most   int
	used   int
	sorted []distinctSlot
}

type distinctSlot struct {
	key    uint64 // 0 = the slot is free: no number has this key
	rows   float64
	weight float64
}

// reset empties the table and sets its limit.
func (t *distinctValues) reset(most int) {
	size := 16
	for size < 4*most {
		size *= 2
	}
	if len(t.slots) != size {
		t.slots = make([]distinctSlot, size)
	} else {
		clear(t.slots)
	}
	t.shift, t.most, t.used = 64-bits.TrailingZeros(uint(size)), most, 0
}

// add counts a row. It returns false if the value would be one too many.
func (t *distinctValues) add(x, weight float64) bool { return t.addTimes(x, 1, weight) }

// addTimes counts rows that have one value and some weight together.
func (t *distinctValues) addTimes(x, rows, weight float64) bool {
	key := keyOf(x + 0)
	mask := len(t.slots) - 1
	for i := int(key * 0x9e3779b97f4a7c15 >> t.shift); ; i++ {
		s := &t.slots[i&mask]
		if s.key == 0 {
			if t.used == t.most {
				return false
			}
			t.used++
			s.key = key
		}
		if s.key == key {
			s.rows += rows
			s.weight += weight
			return true
		}
	}
}

// addAll counts rows of a column, without those that have no value or no weight. It returns false
// if there are too many values.
func (t *distinctValues) addAll(num []float64, rows []int32, weight []float64) bool {
	first := 0
	if rows == nil && weight == nil && t.used <= 2 {
		var ok bool
		if first, ok = t.addPair(num); !ok {
			return false
		}
	}
	for i := first; i < rowCount(num, rows); i++ {
		r := rowAt(rows, i)
		x, w := num[r], 1.0
		if weight != nil {
			w = weight[r]
		}
		if math.IsNaN(x) || w == 0 {
			continue
		}
		if !t.add(x, w) {
			return false
		}
	}
	return true
}

// addPair counts the rows before the third number, as addAll does, and returns how many they are:
// columns of two numbers need neither a hash nor a branch that cannot be foreseen.
func (t *distinctValues) addPair(num []float64) (rows int, ok bool) {
	if len(num) == 0 {
		return 0, true
	}
	a := math.Float64bits(num[0])
	b, second := a, uint64(0) // the other number, and how many rows have it
	for _, x := range num {
		d := math.Float64bits(x) ^ a
		if min(d, d^a^b) != 0 {
			if b != a {
				break
			}
			b = a ^ d
		}
		second += (d | -d) >> 63
		rows++
	}
	return rows, t.addMore(num[0], rows-int(second)) &&
		t.addMore(math.Float64frombits(b), int(second))
}

// addMore counts rows that have one value, as addAll does.
func (t *distinctValues) addMore(x float64, rows int) bool {
	if rows == 0 || math.IsNaN(x) {
		return true
	}
	return t.addTimes(x, float64(rows), float64(rows))
}

// mass sets d to what was counted.
func (t *distinctValues) mass(d *mass, weighted bool) {
	t.sorted = t.sorted[:0]
	for _, s := range t.slots {
		if s.key != 0 {
			t.sorted = append(t.sorted, s)
		}
	}
	slices.SortFunc(t.sorted, func(a, b distinctSlot) int {
		if a.key < b.key {
			return -1
		}
		return 1
	})
	d.reset(weighted)
	for _, s := range t.sorted {
		d.key = append(d.key, s.key)
		d.weight = append(d.weight, s.weight)
		if weighted {
			d.rows = append(d.rows, s.rows)
		}
	}
	d.finish()
}

// rowCount returns how many rows are meant; nil rows are all.
func rowCount(num []float64, rows []int32) int {
	if rows == nil {
		return len(num)
	}
	return len(rows)
}

// rowAt returns the frame row of a place in rows; nil rows are all.
func rowAt(rows []int32, i int) int {
	if rows == nil {
		return i
	}
	return int(rows[i])
}
