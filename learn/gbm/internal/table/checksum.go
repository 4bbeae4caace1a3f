package table

import (
	"encoding/binary"
	"hash/crc32"
	"math"

	"github.com/coppice-ml/coppice/data"
)

// Checksum returns the checksum of all that a training reads of the table, which has k initial
// scores for a row; of derived columns their bins.
func (t *Table) Checksum(s *Request, k int) uint32 {
	d := &digest{table: crc32.MakeTable(crc32.Castagnoli)}
	t.digest(d)
	for _, rows := range s.sets() {
		digestLabels(d, s.Target, rows, k)
	}
	t.digestDerived(d)
	d.flush()
	return max(1, d.sum)
}

// digest adds the columns of the prepared rows.
func (t *Table) digest(d *digest) {
	codes(d, t.Rows(), nil)
	if t.Blocks != nil {
		t.digestStored(d)
		return
	}
	for c := range t.Frame.Columns {
		numbers(d, t.Frame.Columns[c].Numbers(), t.Rows())
		codes(d, t.Frame.Columns[c].Codes(), t.Rows())
	}
}

// digestStored adds split points and codes, which stand for the values of a table that is read in
// blocks.
func (t *Table) digestStored(d *digest) {
	for _, m := range t.Matrices {
		for i := range m.Columns {
			numbers(d, m.Columns[i].SplitPoints, nil)
			codes(d, m.Columns[i].Code, nil)
		}
		codes(d, m.Sums, nil)
	}
	if t.Others != nil {
		codes(d, t.Others.Sums, nil)
	}
}

// digestDerived adds the bins of the derived columns.
func (t *Table) digestDerived(d *digest) {
	if t.Blocks != nil {
		return
	}
	for _, m := range t.Matrices {
		for i, g := range m.Groups {
			if int(m.Columns[g.Columns[0]].Feature) < len(t.Frame.Columns) {
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
