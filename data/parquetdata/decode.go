package parquetdata

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/parquet-go/parquet-go/encoding/delta"
	"github.com/parquet-go/parquet-go/format"

	"github.com/coppice-ml/coppice/internal/table"
)

// decoder is the memory in which the pages of one chunk after the other are decoded, by one
// goroutine at a time.
type decoder struct {
	stored, unpacked []byte // the page under way

	levels  []byte   // of its rows: 1 where there is a value
	indexes []uint32 // of its rows: the value in the dictionary, or the one behind it for a null
	values  decoded

	dictionary decoded
	packed     []byte     // the dictionary's page
	memo       table.Memo // of the dictionary's values, and of a null

	int32s []int32
	int64s []int64
}

// decoded are values one behind the other, as numbers of the lowest byte first, or as texts.
type decoded struct {
	n    int
	size int // bytes of a value; 0: those of texts differ
	b    []byte
	ends []uint32 // of texts
	gap  uint32   // bytes before every text that do not belong to it

	memory []byte // for b, where it is not a page
}

// at returns a value.
func (d *decoded) at(i int) value {
	if d.size == 0 {
		from := d.gap
		if i > 0 {
			from += d.ends[i-1]
		}
		return value{bytes: d.b[from:d.ends[i]]}
	}
	b := d.b[i*d.size : (i+1)*d.size]
	v := value{bytes: b}
	switch d.size {
	case 4:
		v.bits = uint64(binary.LittleEndian.Uint32(b))
	case 8:
		v.bits = binary.LittleEndian.Uint64(b)
	}
	return v
}

// resize returns memory for n elements, which hold anything.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/8)
	}
	return s[:n]
}

// decode decodes the values of a page that was checked, but for indexes and booleans. They may
// refer to its bytes.
func (d *decoder) decode(v *values, to *decoded) (err error) {
	to.n, to.size, to.b, to.gap = v.n, v.size, v.b, 0
	switch {
	case v.n == 0:
		to.b, to.ends = nil, to.ends[:0]
	case v.encoding == format.Plain && v.size == 0:
		to.plainTexts()
	case v.encoding == format.ByteStreamSplit:
		to.memory = resize(to.memory, len(v.b))
		to.b = to.memory
		for k := range v.size {
			for i, c := range v.b[k*v.n : (k+1)*v.n] {
				to.b[i*v.size+k] = c
			}
		}
	case v.encoding == format.DeltaBinaryPacked:
		err = d.integers(v, to)
	case v.encoding == format.DeltaByteArray && v.size > 0:
		to.memory, err = new(delta.ByteArrayEncoding).DecodeFixedLenByteArray(to.memory, v.b, v.size)
		to.b = to.memory
	case v.encoding == format.DeltaByteArray:
		to.memory, to.ends, err = new(delta.ByteArrayEncoding).DecodeByteArray(
			to.memory, v.b, to.ends)
		to.offsets()
	case v.encoding == format.DeltaLengthByteArray:
		to.memory, to.ends, err = new(delta.LengthByteArrayEncoding).DecodeByteArray(
			to.memory, v.b, to.ends)
		to.offsets()
	}
	if err == nil && (len(to.b) < to.n*to.size || to.size == 0 && len(to.ends) != to.n) {
		err = errFew
	}
	return err
}

// plainTexts finds the ends of texts behind their lengths.
func (d *decoded) plainTexts() {
	const length = 4 // bytes
	d.gap, d.ends = length, resize(d.ends, d.n)
	at := uint32(0)
	for i := range d.ends {
		at += length + binary.LittleEndian.Uint32(d.b[at:])
		d.ends[i] = at
	}
}

// offsets makes ends of offsets, of which the first is 0.
func (d *decoded) offsets() {
	d.b = d.memory
	if len(d.ends) > 0 {
		d.ends = slices.Delete(d.ends, 0, 1)
	}
}

// integers decodes integers that are written as differences.
func (d *decoder) integers(v *values, to *decoded) (err error) {
	to.memory = resize(to.memory, v.n*v.size)
	to.b = to.memory[:0]
	if v.kind == format.Int32 {
		d.int32s, err = new(delta.BinaryPackedEncoding).DecodeInt32(d.int32s, v.b)
		for _, v := range d.int32s {
			to.b = binary.LittleEndian.AppendUint32(to.b, uint32(v))
		}
		return err
	}
	d.int64s, err = new(delta.BinaryPackedEncoding).DecodeInt64(d.int64s, v.b)
	for _, v := range d.int64s {
		to.b = binary.LittleEndian.AppendUint64(to.b, uint64(v))
	}
	return err
}

// begin goes to the first page of a chunk.
func (d *decoder) begin(l *leaf) {
	d.dictionary.n = -1
	if l.kind == format.Boolean { // false and true
		d.dictionary.n, d.dictionary.size, d.dictionary.b = 2, 8, []byte{0, 0, 0, 0, 0, 0, 0, 0,
			1, 0, 0, 0, 0, 0, 0, 0}
		d.memo.Begin(l.to, 3)
	}
}

// setDictionary decodes the values of a dictionary, which indexes in other pages refer to.
func (d *decoder) setDictionary(l *leaf, v *values) error {
	// the page's memory is needed again
	d.packed = append(d.packed[:0], v.b...)
	v.b = d.packed
	if err := d.decode(v, &d.dictionary); err != nil {
		return err
	}
	d.memo.Begin(l.to, v.n+1)
	return nil
}

// appendPage appends the rows of a page, of which those without a value are null.
func (c *chunk) appendPage(rows int, v *values) error {
	l := c.leaf
	//lint:ignore SA1019 older writers name the encoding so
	indexed := v.encoding == format.RLEDictionary || v.encoding == format.PlainDictionary
	if indexed || l.kind == format.Boolean {
		return c.appendIndexes(l, rows, v, indexed)
	}
	if err := v.check(); err != nil {
		return err
	}
	if err := c.spare(c.taken + v.decoded); err != nil {
		return err
	}
	if err := c.decode(v, &c.values); err != nil {
		return err
	}
	if l.form != table.NoForm && l.to.Plain() {
		if to, ok := l.to.Extend(rows, c.values.b[:v.n*v.size], l.form); ok {
			if v.n < rows {
				spread(to, v.n, c.levels, math.NaN())
			}
			return nil
		}
	}
	next := 0
	for row := range rows {
		if v.n < rows && c.levels[row] == 0 {
			l.to.AppendMissing()
			continue
		}
		v := c.values.at(next)
		l.put(l.to, &v)
		next++
	}
	return nil
}

// appendIndexes appends the rows of a page of indexes, or of booleans.
func (d *decoder) appendIndexes(l *leaf, rows int, v *values, indexed bool) (err error) {
	d.indexes = resize(d.indexes, rows)
	found := d.indexes[:v.n]
	switch {
	case !indexed && v.encoding == format.Plain:
		if int64(len(v.b)) < (int64(v.n)+7)/8 {
			return errFew
		}
		(&run{packed: v.b}).unpacked(1, found)
	case !indexed && v.encoding == format.RLE:
		if len(v.b) < 4 || uint64(binary.LittleEndian.Uint32(v.b)) > uint64(len(v.b)-4) {
			return errFew
		}
		err = unpackRuns(v.b[4:4+binary.LittleEndian.Uint32(v.b)], 1, found)
		for i := range found { // runs of 255 are written, too
			found[i] &= 1
		}
	case !indexed:
		return v.check()
	case d.dictionary.n < 0 || l.kind == format.Boolean:
		return errors.New("its dictionary is missing")
	case len(found) == 0:
	case len(v.b) == 0:
		return errFew
	case v.b[0] == 0: // of no bits: all are the first one
		clear(found)
	default:
		err = unpackRuns(v.b[1:], int(v.b[0]), found)
	}
	if err != nil {
		return err
	}
	size := uint32(d.dictionary.n)
	for _, i := range found {
		if i >= size {
			return fmt.Errorf("a value is number %d of a dictionary of %d", i, size)
		}
	}
	if v.n < rows {
		spread(d.indexes, v.n, d.levels, size)
	}
	d.memo.AppendTo(l.to, d.indexes, func(i uint32) {
		if i == size {
			l.to.AppendMissing()
			return
		}
		v := d.dictionary.at(int(i))
		l.put(l.to, &v)
	})
	return nil
}

// spread moves the first n elements to the places whose level is 1; the others become missing.
func spread[T any](s []T, n int, levels []byte, missing T) {
	for row := len(s) - 1; row >= 0; row-- {
		if levels[row] == 0 {
			s[row] = missing
			continue
		}
		n--
		s[row] = s[n]
	}
}
