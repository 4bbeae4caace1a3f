package gbm

import (
	"encoding/binary"
	"hash/crc32"
	"math"

	"github.com/coppice-ml/coppice/data"
)

// checksum returns the checksum of all that training reads of the table; of derived columns their
// bins. It is computed once.
func (b *training) checksum() uint32 {
	if b.sum == 0 {
		d := &digest{table: crc32.MakeTable(crc32.Castagnoli)}
		b.table.digest(d)
		digestLabels(d, b.target, b.rows, len(b.ensemble.model.Bias))
		if b.scores.valid != nil {
			digestLabels(d, b.target, b.valid, len(b.ensemble.model.Bias))
		}
		b.table.digestDerived(d)
		d.flush()
		b.sum = max(1, d.sum)
	}
	return b.sum
}

// digest adds the columns of the prepared rows.
func (t *table) digest(d *digest) {
	codes(d, t.rows(), nil)
	if t.blocks != nil {
		t.digestStored(d)
		return
	}
	for c := range t.frame.Columns {
		numbers(d, t.frame.Columns[c].Numbers(), t.rows())
		codes(d, t.frame.Columns[c].Codes(), t.rows())
	}
}

// digestStored adds split points and codes, which stand for the values of a table that is read in
// blocks.
func (t *table) digestStored(d *digest) {
	for _, m := range t.matrices {
		for i := range m.Columns {
			numbers(d, m.Columns[i].SplitPoints, nil)
			codes(d, m.Columns[i].Code, nil)
		}
		codes(d, m.Sums, nil)
	}
	if t.others != nil {
		codes(d, t.others.Sums, nil)
	}
}

// digestDerived adds the bins of the derived columns.
func (t *table) digestDerived(d *digest) {
	if t.blocks != nil {
		return
	}
	for _, m := range t.matrices {
		for i, g := range m.Groups {
			if int(m.Columns[g.Columns[0]].Feature) < len(t.frame.Columns) {
				continue
			}
			for _, b := range m.Blocks {
				codes(d, b.Codes[i].Narrow, nil)
				codes(d, b.Codes[i].Wide, nil)
			}
		}
	}
}

// digestLabels adds the labels, weights and initial scores of rows, k of these for each.
func digestLabels(d *digest, t *data.Target, rows []int32, k int) {
	codes(d, rows, nil)
	for _, y := range t.Y {
		numbers(d, y, rows)
	}
	codes(d, t.Class, rows)
	codes(d, t.Event, rows)
	codes(d, t.Group, rows)
	numbers(d, t.Upper, rows)
	numbers(d, t.Weight, rows)
	for _, r := range rows {
		if t.Offset != nil {
			numbers(d, t.Offset[int(r)*k:(int(r)+1)*k], nil)
		}
	}
}

// digest is a checksum that is being computed.
type digest struct {
	table  *crc32.Table
	sum    uint32
	buffer []byte
}

func (d *digest) add(bits uint64) {
	if len(d.buffer) >= 1<<15 {
		d.flush()
	}
	d.buffer = binary.LittleEndian.AppendUint64(d.buffer, bits)
}

func (d *digest) flush() {
	d.sum = crc32.Update(d.sum, d.table, d.buffer)
	d.buffer = d.buffer[:0]
}

// numbers adds values at rows, nil = all; no values add nothing.
func numbers(d *digest, values []float64, rows []int32) {
	if values == nil {
		return
	}
	if rows == nil {
		for _, v := range values {
			d.add(math.Float64bits(v))
		}
		return
	}
	for _, r := range rows {
		d.add(math.Float64bits(values[r]))
	}
}

// codes does the same for whole numbers.
func codes[T uint8 | uint16 | uint32 | int32 | int64](d *digest, values []T, rows []int32) {
	if values == nil {
		return
	}
	if rows == nil {
		for _, v := range values {
			d.add(uint64(v))
		}
		return
	}
	for _, r := range rows {
		d.add(uint64(values[r]))
	}
}
