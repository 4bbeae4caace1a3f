package quality

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/hugepage"
	"github.com/coppice-ml/coppice/internal/parallel"
)

// duplicateColumns finds columns whose values are those of an earlier column. Two categorical ones
// are alike if they differ in the names of their categories only.
func duplicateColumns(t *inspected) []Warning {
	prints := t.prints()
	var names, pairs []string
	alike := map[[2]uint64][]int{} // columns by their prints, ascending
	for i := range prints {
		if t.columns[i].constant {
			continue
		}
		j := t.repeats(alike[prints[i]], i)
		alike[prints[i]] = append(alike[prints[i]], i)
		if j >= 0 {
			names = append(names, t.Schema.Fields[i].Name)
			pairs = append(pairs, fmt.Sprintf("%q repeats %q", t.Schema.Fields[i].Name,
				t.Schema.Fields[j].Name))
		}
	}
	if names == nil {
		return nil
	}
	w := Warning{Columns: names, Message: "column " +
		strings.Join(pairs[:min(len(pairs), listed)], ", column "),
		Advice: "importances are split among equal columns; leave the copies out with --ignore"}
	if more := len(pairs) - listed; more > 0 {
		w.Message += " and " + strconv.Itoa(more) + " more columns repeat others"
	}
	return []Warning{w}
}

// prints returns fingerprints of all columns: of the sample, and of all rows where several columns
// have those of the sample. Columns that are mostly zeros are often alike in a sample.
func (t *inspected) prints() [][2]uint64 {
	prints := make([][2]uint64, len(t.columns))
	t.each(func(i int) {
		if !t.columns[i].constant {
			prints[i][0] = fingerprint(&t.Columns[i], t.sample, t.ascend)
		}
	})
	columns := map[uint64]int{}
	for i := range prints {
		columns[prints[i][0]]++
	}
	ascend := slices.IsSorted(t.rows)
	t.each(func(i int) {
		if c := &t.Columns[i]; c.Codes() == nil && !t.columns[i].constant &&
			columns[prints[i][0]] > 1 {
			prints[i][1] = numbersPrint(c, t.rows, ascend)
		}
	})
	return prints
}

// repeats returns the first of some columns that has the values of column i, -1 if there is none.
func (t *inspected) repeats(columns []int, i int) int {
	for _, j := range columns {
		if alike(&t.Columns[j], &t.Columns[i], t.rows) {
			return j
		}
	}
	return -1
}

// fingerprint is a hash of a column's values that does not depend on the codes of categories: each
// is numbered by its first row.
func fingerprint(c *data.Column, rows []int32, ascend bool) uint64 {
	if c.Codes() == nil {
		return numbersPrint(c, rows, ascend)
	}
	h := uint64(len(c.Codes()))
	numbers := map[uint64]uint64{}
	for _, k := range keys(c, rows) {
		if k != uint64(data.MissingCode) {
			n, ok := numbers[k]
			if !ok {
				n = uint64(len(numbers))
				numbers[k] = n
			}
			k = n
		}
		h = mix(h ^ k)
	}
	return h
}

// numbersPrint is a hash of a column of numbers: a sum to which 0 and missing values add nothing.
func numbersPrint(c *data.Column, rows []int32, ascend bool) uint64 {
	h := uint64(0)
	add := func(at int, v float64) {
		if v == v && v != 0 {
			h += mix(mix(uint64(at)+1) ^ math.Float64bits(v))
		}
	}
	if _, _, _, sparse := c.Stored(); sparse {
		at, value := stored(c, rows, ascend)
		for i, v := range value {
			add(int(at[i]), v)
		}
		return h
	}
	for i, row := range rows {
		add(i, c.Number(int(row)))
	}
	return h
}

// alike reports whether two columns hold the same values, up to the codes of categories.
func alike(a, b *data.Column, rows []int32) bool {
	if (a.Codes() == nil) != (b.Codes() == nil) {
		return false
	}
	if a.Codes() == nil {
		return slices.Equal(keys(a, rows), keys(b, rows))
	}
	there, back := map[uint64]uint64{}, map[uint64]uint64{}
	for _, row := range rows {
		x, y := key(a, row), key(b, row)
		if x == uint64(data.MissingCode) || y == uint64(data.MissingCode) {
			if x != y {
				return false
			}
			continue
		}
		to, known := there[x]
		from, taken := back[y]
		if known != taken || known && (to != y || from != x) {
			return false
		}
		there[x], back[y] = y, x
	}
	return true
}

// mix spreads the bits of a number (the finaliser of MurmurHash3).
func mix(x uint64) uint64 {
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}

// Rows are equal by chance where columns have few values. A warning needs this many times as many
// equal rows as independent columns would give, and at least this fraction of the rows.
const (
	beyondChance  = 10
	leastFraction = 0.01
)

func duplicateRows(t *inspected) []Warning {
	compared := t.compared()
	if compared == nil {
		return nil
	}
	repeated := len(t.rows) - t.distinct(t.rows, compared).rows
	n := float64(len(t.rows))
	if !t.unexpected(compared, repeated, n, n*(n-1)/2) {
		return nil
	}
	return []Warning{{Rows: repeated, Message: fmt.Sprintf("%d of %d training rows repeat an "+
		"earlier row", repeated, len(t.rows)),
		Advice: "copies in other folds make estimates too optimistic; drop them, or keep them " +
			"together with --group"}}
}

func duplicatesAcross(t *inspected) []Warning {
	compared := t.compared()
	if compared == nil || len(t.test) == 0 {
		return nil
	}
	training, repeated := t.distinct(t.rows, compared), 0
	for _, h := range t.hashes(t.test, compared) {
		if _, found := training.find(h); found {
			repeated++
		}
	}
	n := float64(len(t.test))
	if !t.unexpected(compared, repeated, n, n*float64(len(t.rows))) {
		return nil
	}
	return []Warning{{Rows: repeated, Message: fmt.Sprintf("%d of %d test rows repeat a "+
		"training row", repeated, len(t.test)),
		Advice: "metrics on the test set are too optimistic; drop the copies from one of the sets"}}
}

// compared returns the columns by which rows are equal: those that are neither constant nor an
// identifier. It is nil where there is none.
func (t *inspected) compared() []int {
	var columns []int
	for i := range t.columns {
		if p := &t.columns[i]; !p.constant && p.identifier == "" {
			columns = append(columns, i)
		}
	}
	return columns
}

// unexpected reports whether so many equal rows of n are worth a warning, given the number of
// pairs.
func (t *inspected) unexpected(compared []int, repeated int, n, pairs float64) bool {
	chance := 1.0
	for _, i := range compared {
		chance *= t.columns[i].collision
	}
	return float64(repeated) >= leastFraction*n &&
		float64(repeated) > beyondChance*min(n, pairs*chance)
}

// hashed is a row and the hash of its values and label.
type hashed struct {
	hash uint64
	row  int32
}

// different is a table of rows that differ, by their hashes.
type different struct {
	*inspected
	compared []int
	// a row and, above it, the high half of its hash; free where it is all ones
	slots []uint64
	rows  int // in the table
}

const free = math.MaxUint64

// distinct returns the first of equal rows each.
func (t *inspected) distinct(rows []int32, compared []int) *different {
	d := &different{inspected: t, compared: compared,
		slots: hugepage.Slice[uint64](1 << (bits.Len(uint(len(rows))) + 1))}
	for i := range d.slots {
		d.slots[i] = free
	}
	for _, h := range t.hashes(rows, compared) {
		if at, found := d.find(h); !found {
			d.slots[at] = h.hash>>32<<32 | uint64(uint32(h.row))
			d.rows++
		}
	}
	return d
}

// find returns the slot of a row that equals one of any table, or the free one where it belongs.
func (d *different) find(h hashed) (at uint64, found bool) {
	last := uint64(len(d.slots) - 1)
	for at = h.hash & last; d.slots[at] != free; at = (at + 1) & last {
		if d.slots[at]>>32 == h.hash>>32 && d.equal(d.compared, int32(d.slots[at]), h.row) {
			return at, true
		}
	}
	return at, false
}

// hashedRows is the number of rows that one worker hashes at a time.
const hashedRows = 1 << 14

// hashes returns rows with their hashes: the sum of what each column adds for its value. Nothing is
// added for 0, which is the value of most rows of sparse columns.
func (t *inspected) hashes(rows []int32, compared []int) []hashed {
	all := make([]hashed, len(rows))
	ascend := slices.IsSorted(rows)
	parallel.Each(t.workers, (len(rows)+hashedRows-1)/hashedRows, func(_, b int) {
		block := all[b*hashedRows : min((b+1)*hashedRows, len(rows))]
		for i := range block {
			row := rows[b*hashedRows+i]
			block[i] = hashed{mix(t.labelKey(row)), row}
		}
		ofAll := uint64(0)
		for _, column := range compared {
			seed := mix(uint64(column) + 1)
			c := &t.Columns[column]
			if _, _, absent, sparse := c.Stored(); sparse {
				ofAll += addStored(block, c, rows[b*hashedRows:][:len(block)], ascend, seed,
					numberKey(absent))
				continue
			}
			none := mix(seed)
			if codes := c.Codes(); codes != nil {
				for i := range block {
					block[i].hash += mix(seed^uint64(codes[block[i].row])) - none
				}
				continue
			}
			for i := range block {
				block[i].hash += mix(seed^numberKey(c.Number(int(block[i].row)))) - none
			}
		}
		for i := range block {
			block[i].hash += ofAll
		}
	})
	return all
}

// addStored adds to the hashes of rows what a sparse column makes of its stored values. It returns
// what is still to be added to those of all rows.
func addStored(
	block []hashed, c *data.Column, rows []int32, ascend bool, seed, absent uint64,
) (ofAll uint64) {
	usual := mix(seed ^ absent)
	at, value := stored(c, rows, ascend)
	for i, k := range at {
		block[k].hash += mix(seed^numberKey(value[i])) - usual
	}
	return usual - mix(seed)
}

// equal reports whether two rows have the same label, and the same values in the compared columns.
func (t *inspected) equal(compared []int, a, b int32) bool {
	if t.labelKey(a) != t.labelKey(b) {
		return false
	}
	for _, i := range compared {
		c := &t.Columns[i]
		if _, _, _, sparse := c.Stored(); !sparse && key(c, a) != key(c, b) {
			return false
		}
	}
	t.listed.Do(func() { t.stored = t.storedRows(compared) })
	return t.stored.equal(a, b)
}

// labelKey is the label of a row, as key makes one of a value; 0 where there is none.
func (t *inspected) labelKey(row int32) uint64 {
	switch target := &t.Target; {
	case target.Class != nil:
		return uint64(target.Class[row])
	case len(target.Y) > 0:
		return math.Float64bits(target.Y[0][row])
	}
	return 0
}
