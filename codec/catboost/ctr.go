package catboost

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
)

// ctrKind is a kind of statistic of categories ("CTR"), by CatBoost's numbers.
type ctrKind uint8

const (
	borders ctrKind = iota // rows whose target class is above one / all rows of the category
	buckets                // rows of a target class / all rows of the category
	binarizedMean
	floatMean // mean target of the category
	counter   // rows of the category / the greatest number of rows of any
	frequency // rows of the category / all rows
	ctrKinds
)

var ctrNames = [ctrKinds]string{"Borders", "Buckets", "BinarizedTargetMeanValue",
	"FloatTargetMeanValue", "Counter", "FeatureFreq"}

// mean reports whether tables have a sum and a count of each key.
func (k ctrKind) mean() bool { return k == binarizedMean || k == floatMean }

// ctrBase is what a table of statistics is of: the combinations of some categories and conditions.
type ctrBase struct {
	cats    []int32 // numbers of categorical columns
	floats  []floatSplit
	oneHots []oneHotSplit
	kind    ctrKind
	target  int32 // which division of the target into classes
}

// floatSplit is the condition that a numeric column is above a border.
type floatSplit struct {
	index  int32
	border float32
}

// oneHotSplit is the condition that a category has a hash.
type oneHotSplit struct{ cat, value int32 }

// name returns a text that is the same for equal bases.
func (b *ctrBase) name() string {
	var s []byte
	number := func(n uint32) { s = binary.LittleEndian.AppendUint32(s, n) }
	number(uint32(b.kind))
	number(uint32(b.target))
	number(uint32(len(b.cats)))
	number(uint32(len(b.floats)))
	for _, c := range b.cats {
		number(uint32(c))
	}
	for _, f := range b.floats {
		number(uint32(f.index))
		number(math.Float32bits(f.border))
	}
	for _, o := range b.oneHots {
		number(uint32(o.cat))
		number(uint32(o.value))
	}
	return string(s)
}

// elements returns the number of columns and conditions that are combined.
func (b *ctrBase) elements() int { return len(b.cats) + len(b.floats) + len(b.oneHots) }

// ctr is a column of statistics.
type ctr struct {
	base       ctrBase
	border     int32 // of the target's classes
	num, denom float32
	shift      float32
	scale      float32
	borders    []float32 // ascending
	table      int32     // place in file.tables: found by check
}

// calc returns the statistic of a category, in single precision as CatBoost computes it.
func (c *ctr) calc(in, total float32) float32 {
	mean := float32(float32(in+c.num) / float32(total+c.denom))
	return float32(float32(mean+c.shift) * c.scale)
}

// ctrTable is a table of statistics. Its rows have a key, the hash of the combination, and numbers:
// the count of each target class, or one count, or the sum and count of a mean.
type ctrTable struct {
	base        ctrBase
	keys        []uint64  // ascending
	counts      []int32   // by key: stride each
	sums        []float32 // by key, of means
	stride      int
	denominator int32 // of counter and frequency
}

// invalidKey is the key of rows that are none.
const invalidKey = math.MaxUint64

// sortRows sorts the rows of a table by their keys, leaves out those that are none, and reports
// whether all keys are different.
func (t *ctrTable) sortRows(in *source) (different bool) {
	n := len(t.keys)
	in.Need(int64(n)*(4+8+4) + 4*int64(len(t.counts)))
	order := make([]int32, 0, n)
	for i, k := range t.keys {
		if k != invalidKey {
			order = append(order, int32(i))
		}
	}
	slices.SortFunc(order, func(a, b int32) int { return cmp.Compare(t.keys[a], t.keys[b]) })
	sorted := *t
	sorted.keys = make([]uint64, 0, len(order))
	sorted.counts = make([]int32, 0, len(order)*t.stride)
	if t.base.kind.mean() {
		sorted.sums = make([]float32, 0, len(order))
	}
	for i, at := range order {
		if i > 0 && t.keys[at] == sorted.keys[i-1] {
			return false
		}
		sorted.keys = append(sorted.keys, t.keys[at])
		sorted.counts = append(sorted.counts, t.counts[int(at)*t.stride:][:t.stride]...)
		if t.base.kind.mean() {
			sorted.sums = append(sorted.sums, t.sums[at])
		}
	}
	*t = sorted
	return true
}

// value returns the statistic of a row of the table; -1 is that of a key that it does not have.
func (t *ctrTable) value(c *ctr, row int) float32 {
	if row < 0 {
		if t.base.kind == counter || t.base.kind == frequency {
			return c.calc(0, float32(t.denominator))
		}
		return c.calc(0, 0)
	}
	counts := t.counts[row*t.stride:][:t.stride]
	switch t.base.kind {
	case binarizedMean, floatMean:
		return c.calc(t.sums[row], float32(counts[0]))
	case counter, frequency:
		return c.calc(float32(counts[0]), float32(t.denominator))
	}
	var in, total int32
	for class, n := range counts {
		total += n
		above := t.base.kind == borders && (class > int(c.border) || t.stride == 2 && class == 1)
		if above || t.base.kind == buckets && class == int(c.border) {
			in += n
		}
	}
	return c.calc(float32(in), float32(total))
}

// find returns the row of a key, -1 if there is none.
func (t *ctrTable) find(key uint64) int {
	row, ok := slices.BinarySearch(t.keys, key)
	if !ok {
		return -1
	}
	return row
}

// multiplier is the factor of mix. It is odd, so mix has an inverse.
const multiplier = 0x4906ba494954cb65

// mix adds a number to the hash of a combination.
func mix(hash, x uint64) uint64 {
	m := uint64(multiplier)
	return m * (hash + m*x)
}

// checkStatistics checks the columns of statistics and their tables, and finds the table of each.
func (f *file) checkStatistics(in *source) {
	in.section = "statistics of categories"
	place := make(map[string]int32, len(f.tables))
	for i := range f.tables {
		t := &f.tables[i]
		f.checkBase(in, &t.base)
		if n := len(t.keys); t.stride < 1 || len(t.counts) != n*t.stride ||
			t.base.kind.mean() && len(t.sums) != n || t.base.kind > buckets && t.stride != 1 {
			in.corrupt("table %d: its numbers do not fit its keys", i)
		}
		different := t.sortRows(in)
		if !different {
			in.corrupt("table %d has a key twice", i)
		}
		name := t.base.name()
		if _, twice := place[name]; twice {
			in.corrupt("table %d is there twice", i)
		}
		place[name] = int32(i)
	}
	for i := range f.ctrs {
		c := &f.ctrs[i]
		f.checkBase(in, &c.base)
		if !ascending(c.borders) {
			in.corrupt("the borders of statistic %d do not ascend", i)
		}
		table, ok := place[c.base.name()]
		if !ok {
			in.unsupported("the file has no table of statistics of categorical columns %v: "+
				"save the model with its tables", c.base.cats)
		}
		c.table = table
		if t := &f.tables[table]; t.base.kind <= buckets &&
			(c.border < 0 || int(c.border) >= t.stride) {
			in.corrupt("statistic %d of %d target classes is of class %d", i, t.stride,
				c.border)
		}
	}
}

// mostElements bounds the columns and conditions that a statistic combines: each is computed for
// every row. CatBoost combines up to 16 columns.
const mostElements = 64

// checkBase checks that a combination is of columns that the file has.
func (f *file) checkBase(in *source, b *ctrBase) {
	if n := b.elements(); n < 1 || n > mostElements {
		in.corrupt("a statistic of %d columns and conditions", n)
	}
	in.Need(64 + 16*int64(b.elements())) // its name
	for _, c := range b.cats {
		if _, ok := f.catAt[c]; !ok {
			in.corrupt("a statistic of categorical column %d, which there is not", c)
		}
	}
	for _, s := range b.floats {
		if _, ok := f.floatAt[s.index]; !ok || s.border != s.border {
			in.corrupt("a statistic of numeric column %d, which there is not", s.index)
		}
	}
	for _, s := range b.oneHots {
		if _, ok := f.catAt[s.cat]; !ok {
			in.corrupt("a statistic of categorical column %d, which there is not", s.cat)
		}
	}
}
