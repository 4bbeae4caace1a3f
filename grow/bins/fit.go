package bins

import "math"

// fitter fits the cuts of numeric columns, one after the other, in memory that it keeps.
type fitter struct {
	few   few
	mass  mass
	keys  []uint64
	spare []uint64
	keyed []keyed
	other []keyed
}

// cuts returns the cuts of a column: by all rows where their values are few, else by the sample.
func (t *fitter) cuts(num []float64, rows, sample []int32, weight []float64, o *Options) []float64 {
	t.few.reset(o.bins())
	switch {
	case t.few.addAll(num, rows, weight):
		t.few.mass(&t.mass, weight != nil)
	case weight == nil:
		t.sort(num, sample)
	default:
		t.sortWeighted(num, sample, weight)
	}
	return t.mass.cuts(o.bins(), o.MinInBin)
}

// sort sets the mass to the values of some rows.
func (t *fitter) sort(num []float64, rows []int32) {
	keys := t.keys[:0]
	if rows == nil {
		keys = appendKeys(keys, num)
	} else {
		for _, r := range rows {
			if x := num[r]; x == x {
				keys = append(keys, keyOf(x+0))
			}
		}
	}
	t.keys, t.spare = sortKeys(keys, t.spare)
	d := &t.mass
	d.reset(false)
	for i := 0; i < len(t.keys); {
		k, from := t.keys[i], i
		for i++; i < len(t.keys) && t.keys[i] == k; i++ {
		}
		d.key = append(d.key, k)
		d.weight = append(d.weight, float64(i-from))
	}
	d.finish()
}

func appendKeys(keys []uint64, num []float64) []uint64 {
	for _, x := range num {
		if x == x {
			keys = append(keys, keyOf(x+0))
		}
	}
	return keys
}

// sortWeighted is sort with weights.
func (t *fitter) sortWeighted(num []float64, rows []int32, weight []float64) {
	keys := t.keyed[:0]
	for i := range rowCount(num, rows) {
		r := rowAt(rows, i)
		if x, w := num[r], weight[r]; !math.IsNaN(x) && w > 0 {
			keys = append(keys, keyed{keyOf(x + 0), w})
		}
	}
	t.keyed, t.other = sortKeyed(keys, t.other)
	d := &t.mass
	d.reset(true)
	for i := 0; i < len(t.keyed); {
		k, from, w := t.keyed[i].key, i, t.keyed[i].weight
		for i++; i < len(t.keyed) && t.keyed[i].key == k; i++ {
			w += t.keyed[i].weight
		}
		d.key = append(d.key, k)
		d.weight = append(d.weight, w)
		d.rows = append(d.rows, float64(i-from))
	}
	d.finish()
}

// reset empties d. Without weights rows are not kept apart.
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
