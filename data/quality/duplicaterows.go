package quality

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/hugepage"
	"github.com/coppice-ml/coppice/internal/option"
	"github.com/coppice-ml/coppice/internal/parallel"
)

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
	compared := comparedColumns(t)
	if compared == nil {
		return nil
	}
	repeated, of := distinctRows(t, t.rows, compared).repeated, ""
	if t.Target.Group != nil {
		of = " of another group"
	}
	n := float64(len(t.rows))
	if !repeatsUnexpectedly(t, compared, repeated, n, n*(n-1)/2) {
		return nil
	}
	return []Warning{{Rows: repeated, Message: fmt.Sprintf("%d of %d training rows repeat an "+
		"earlier row%s", repeated, len(t.rows), of),
		Advice: "copies in other folds make estimates too optimistic; drop them, or keep them " +
			option.Expand("together with {group}")}}
}

func duplicatesAcross(t *inspected) []Warning {
	compared := comparedColumns(t)
	if compared == nil || len(t.test) == 0 {
		return nil
	}
	training, repeated := distinctRows(t, t.rows, compared), 0
	for _, h := range rowHashes(t, t.test, compared) {
		if _, found := training.find(h); found {
			repeated++
		}
	}
	n := float64(len(t.test))
	if !repeatsUnexpectedly(t, compared, repeated, n, n*float64(len(t.rows))) {
		return nil
	}
	return []Warning{{Rows: repeated, Message: fmt.Sprintf("%d of %d test rows repeat a "+
		"training row", repeated, len(t.test)),
		Advice: "metrics on the test set are too optimistic; drop the copies from one of the sets"}}
}

// comparedColumns returns the columns by which rows are equal: those that are not constant. Rows
// that differ in an identifier are of different things, which may well be alike. It is nil where
// there is none.
func comparedColumns(t *inspected) []int {
	var columns []int
	for i := range t.columns {
		if !t.columns[i].constant {
			columns = append(columns, i)
		}
	}
	return columns
}

// repeatsUnexpectedly reports whether so many equal rows of n are worth a warning, given the number
// of pairs.
func repeatsUnexpectedly(t *inspected, compared []int, repeated int, n, pairs float64) bool {
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
	// rows that equal an earlier one; where rows are of groups, one of another group
	repeated int
}

const free = math.MaxUint64

// distinctRows returns the first of equal rows each.
func distinctRows(t *inspected, rows []int32, compared []int) *different {
	d := &different{inspected: t, compared: compared,
		slots: hugepage.Slice[uint64](1 << (bits.Len(uint(len(rows))) + 1))}
	for i := range d.slots {
		d.slots[i] = free
	}
	group := t.Target.Group
	for _, h := range rowHashes(t, rows, compared) {
		at, found := d.find(h)
		switch {
		case !found:
			d.slots[at] = h.hash>>32<<32 | uint64(uint32(h.row))
		case group == nil || group[h.row] != group[int32(d.slots[at])]:
			d.repeated++
		}
	}
	return d
}

// find returns the slot of a row that equals one of any table, or the free one where it belongs.
func (d *different) find(h hashed) (at uint64, found bool) {
	last := uint64(len(d.slots) - 1)
	for at = h.hash & last; d.slots[at] != free; at = (at + 1) & last {
		if d.slots[at]>>32 == h.hash>>32 && equalRows(d.inspected, d.compared, int32(d.slots[at]), h.row) {
			return at, true
		}
	}
	return at, false
}

// hashedRows is the number of rows that one worker hashes at a time.
const hashedRows = 1 << 14

// rowHashes returns rows with their hashes: the sum of what each column adds for its value. Nothing
// is added for 0, which is the value of most rows of sparse columns.
func rowHashes(t *inspected, rows []int32, compared []int) []hashed {
	all := make([]hashed, len(rows))
	ascend := slices.IsSorted(rows)
	parallel.Each(t.workers, (len(rows)+hashedRows-1)/hashedRows, func(_, b int) {
		block := all[b*hashedRows : min((b+1)*hashedRows, len(rows))]
		for i := range block {
			row := rows[b*hashedRows+i]
			block[i] = hashed{mix(labelKeyOf(t, row)), row}
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

// equalRows reports whether two rows have the same label, and the same values in the compared
// columns.
func equalRows(t *inspected, compared []int, a, b int32) bool {
	if labelKeyOf(t, a) != labelKeyOf(t, b) {
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

// labelKeyOf is the label of a row, as key makes one of a value; 0 where there is none.
func labelKeyOf(t *inspected, row int32) uint64 {
	switch target := &t.Target; {
	case target.Class != nil:
		return uint64(target.Class[row])
	case len(target.Y) > 0:
		return math.Float64bits(target.Y[0][row])
	}
	return 0
}
