package bins

import (
	"math"
	"slices"
)

// fitter fits the split points of numeric columns, one after the other, in memory that it keeps.
type fitter struct {
	distinct distinctValues
	mass     mass
	keys     []uint64
	spare    []uint64
	keyed    []keyed
	other    []keyed
	memory   rowMemory
}

// splitPoints returns the split points of a column: by all rows where their values are few, else by
// the sample. A sample that is mostly of one value may have too few others to show how they are
// spread. Then all rows are read, and those of the one value only counted. It reports whether there
// were at most as many values as bins.
func (t *fitter) splitPoints(
	from numbers, rows, sample []int32, o *Options,
) ([]float64, bool, error) {
	t.distinct.reset(o.bins())
	few := true
	err := from.each(rows, func(v values) bool {
		few = t.distinct.addAll(v.num, v.rows, v.weight) && t.distinct.addMore(v.absent, v.more)
		return few
	})
	if err != nil {
		return nil, false, err
	}
	if few {
		t.distinct.mass(&t.mass, from.weighted)
		return t.mass.splitPoints(o.bins(), o.MinInBin), true, nil
	}
	if o.Sketch > 0 {
		var s sketch
		at := 0
		err := from.each(rows, func(v values) bool {
			s.add(at, v.num, v.rows, v.weight, o.Sketch)
			at += rowCount(v.num, v.rows)
			return true
		})
		return s.splitPoints(o.Sketch), false, err
	}
	left, err := t.collect(from, sample, 0)
	if err != nil {
		return nil, false, err
	}
	t.sort(from.weighted, left)
	if from.count(sample) < from.count(rows) {
		if usual, ok := t.mass.usual(perBin * o.bins()); ok {
			if left, err = t.collect(from, rows, usual); err != nil {
				return nil, false, err
			}
			t.sort(from.weighted, left)
		}
	}
	return t.mass.splitPoints(o.bins(), o.MinInBin), false, nil
}

// perBin is how many rows of a sample locate the end of a bin well enough.
const perBin = 64

// usual returns the value that no less than half of the rows have, if no more than some rows have
// others.
func (d *mass) usual(others int) (key uint64, ok bool) {
	all, most := 0.0, 0
	for i, n := range d.rows {
		all += n
		if n > d.rows[most] {
			most = i
		}
	}
	if len(d.key) == 0 || all-d.rows[most] > min(all/2, float64(others)) {
		return 0, false
	}
	return d.key[most], true
}

// collect gathers the keys of some rows. Those of the key usual (0 = none) are counted, not
// gathered.
func (t *fitter) collect(from numbers, rows []int32, usual uint64) (leftOut, error) {
	t.keys, t.keyed = t.keys[:0], t.keyed[:0]
	if n := from.count(rows); usual == 0 && from.weighted {
		t.keyed = resized(t.keyed, n)[:0]
	} else if usual == 0 {
		t.keys = resized(t.keys, n)[:0]
	}
	left := leftOut{key: usual}
	err := from.each(rows, func(v values) bool {
		if v.more > 0 && left.key == 0 && v.absent == 0 {
			left.key = keyOf(0)
		}
		if v.weight == nil {
			t.gather(v.num, v.rows, &left)
			t.gatherMore(v.absent, v.more, &left)
		} else {
			t.gatherWeighted(v.num, v.rows, v.weight, &left)
		}
		return true
	})
	return left, err
}

// sort sets the mass to the collected keys and those that were left out.
func (t *fitter) sort(weighted bool, left leftOut) {
	d := &t.mass
	d.reset(weighted)
	if weighted {
		t.keyed, t.other = sortKeyed(t.keyed, t.other)
		d.addKeyed(t.keyed)
	} else {
		t.keys, t.spare = sortKeys(t.keys, t.spare)
		d.addKeys(t.keys)
	}
	if left.rows > 0 {
		d.insert(left.key, left.rows, left.weight)
	}
	d.finish()
}

// leftOut counts the rows of one key, which are not gathered; key 0: there are none.
type leftOut struct {
	key          uint64
	rows, weight float64
}

// gather adds the keys of some rows, without those that are left out.
func (t *fitter) gather(num []float64, rows []int32, left *leftOut) {
	keys, usual, count := t.keys, left.key, left.rows
	for i := range rowCount(num, rows) {
		x := num[rowAt(rows, i)]
		if math.IsNaN(x) {
			continue
		}
		if k := keyOf(x + 0); k != usual {
			keys = append(keys, k)
		} else {
			count++
		}
	}
	t.keys, left.rows = keys, count
}

// gatherMore adds the keys of rows that have one value.
func (t *fitter) gatherMore(x float64, rows int, left *leftOut) {
	switch k := keyOf(x + 0); {
	case rows == 0 || math.IsNaN(x):
	case k == left.key:
		left.rows += float64(rows)
	default:
		for range rows {
			t.keys = append(t.keys, k)
		}
	}
}

// gatherWeighted is gather for rows that have weights.
func (t *fitter) gatherWeighted(num []float64, rows []int32, weight []float64, left *leftOut) {
	keys, usual, count, sum := t.keyed, left.key, left.rows, left.weight
	for i := range rowCount(num, rows) {
		r := rowAt(rows, i)
		x, w := num[r], weight[r]
		if math.IsNaN(x) || w == 0 {
			continue
		}
		if k := keyOf(x + 0); k != usual {
			keys = append(keys, keyed{k, w})
		} else {
			count++
			sum += w
		}
	}
	t.keyed, left.rows, left.weight = keys, count, sum
}

// insert adds rows of one key to the sorted others.
func (d *mass) insert(key uint64, rows, weight float64) {
	if d.shared {
		weight = rows
	}
	i, found := slices.BinarySearch(d.key, key)
	if !found {
		d.key, d.weight = slices.Insert(d.key, i, key), slices.Insert(d.weight, i, 0)
		if !d.shared {
			d.rows = slices.Insert(d.rows, i, 0)
		}
	}
	d.weight[i] += weight
	if !d.shared {
		d.rows[i] += rows
	}
}

// addKeys adds sorted keys to none. They stay in their memory, each once.
func (d *mass) addKeys(keys []uint64) {
	d.key, d.weight = keys[:0], resized(d.weight, len(keys))[:0]
	for i := 0; i < len(keys); {
		k, from := keys[i], i
		for i++; i < len(keys) && keys[i] == k; i++ {
		}
		d.key = append(d.key, k)
		d.weight = append(d.weight, float64(i-from))
	}
}

// addKeyed adds sorted keys with their weights to none.
func (d *mass) addKeyed(keys []keyed) {
	n := len(keys)
	d.key, d.weight, d.rows = resized(d.key, n)[:0], resized(d.weight, n)[:0], resized(d.rows, n)[:0]
	for i := 0; i < len(keys); {
		k, from, w := keys[i].key, i, keys[i].weight
		for i++; i < len(keys) && keys[i].key == k; i++ {
			w += keys[i].weight
		}
		d.key = append(d.key, k)
		d.weight = append(d.weight, w)
		d.rows = append(d.rows, float64(i-from))
	}
}

// reset empties d. Without weights rows are not kept separate.
func (d *mass) reset(weighted bool) {
	d.key, d.weight = d.key[:0], d.weight[:0]
	if weighted {
		if d.shared {
			d.rows = nil
		}
		d.rows = d.rows[:0]
	}
	d.shared = !weighted
}

// finish ends the filling of d.
func (d *mass) finish() {
	if d.shared {
		d.rows = d.weight
	}
}
