package libsvm

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/table"
)

// maxIndex is the largest index of a feature.
const maxIndex = math.MaxInt64/10 - 1

// features are the values that rows name, in the order of the file.
type features struct {
	absent float64 // the value of features that a row does not name: 0 or NaN
	name   func(index int64) string
	near   []int32 // by index: the place in all, counted from 1; 0: no row named it
	far    map[int64]int32
	all    []feature
	chunks []*chunk
	free   int // places of the last chunk that hold nothing
}

// feature is what is known of one column.
type feature struct {
	index int64
	last  int32 // row that named it last, -1: none
	used  bool
	count int // stored values

	// what the stored values become: a dense column, or the rest of a sparse one
	dense []float64
	row   []int32
	value []float64
}

// chunk is a run of stored values.
type chunk struct {
	feature, row [chunkSize]int32
	value        [chunkSize]float64
}

const (
	nearSize  = 1 << 16
	chunkSize = 1 << 12
)

func newFeatures(absent float64, name func(index int64) string) *features {
	return &features{absent: absent, name: name, near: make([]int32, nearSize), far: map[int64]int32{}}
}

// parseIndex reads an index without sign.
func parseIndex(text []byte) (int64, bool) {
	v, err := strconv.ParseUint(string(text), 10, 63)
	return int64(v), err == nil && v <= maxIndex
}

// add stores a value. It reports false if the row has one for the feature already.
func (f *features) add(b *table.Builder, index int64, row int, v float64) bool {
	at := f.find(b, index)
	one := &f.all[at]
	if int(one.last) == row {
		return false
	}
	one.last = int32(row)
	if one.used && v != f.absent && (v == v || f.absent == f.absent) {
		one.count++
		f.store(b, at, int32(row), v)
	}
	return true
}

// store appends a value to the last chunk.
func (f *features) store(b *table.Builder, at int, row int32, v float64) {
	if f.free == 0 {
		b.Size.Charge(chunkBytes)
		f.chunks, f.free = append(f.chunks, &chunk{}), chunkSize
	}
	c, place := f.chunks[len(f.chunks)-1], chunkSize-f.free
	c.feature[place], c.row[place], c.value[place] = int32(at), row, v
	f.free--
	b.Size.Store(1)
}

// find returns the place of a feature, a new one if the index is new.
func (f *features) find(b *table.Builder, index int64) int {
	if index < nearSize {
		if f.near[index] == 0 {
			f.near[index] = f.make(b, index)
		}
		return int(f.near[index]) - 1
	}
	at := f.far[index]
	if at == 0 {
		at = f.make(b, index)
		f.far[index] = at
	}
	return int(at) - 1
}

// What is held of a file before it becomes columns, in bytes, with the spare memory that slices and
// the map have to grow.
const (
	featureBytes = 320
	chunkBytes   = 16*chunkSize + 16
	valueBytes   = 12 // of a sparse column
)

func (f *features) make(b *table.Builder, index int64) int32 {
	b.Size.Charge(featureBytes)
	f.all = append(f.all, feature{index: index, last: -1, used: b.Used(f.name(index))})
	return int32(len(f.all))
}

// named reports whether a row of the files named a feature.
func (f *features) named(index int64) bool {
	return f.near[index] > 0 && f.all[f.near[index]-1].last >= 0
}

// columns gives the builder a column for each feature, in the order of their indices.
func (f *features) columns(b *table.Builder) error {
	f.near, f.far = nil, nil
	if err := f.allocate(b); err != nil {
		return err
	}
	f.distribute(b)
	slices.SortFunc(f.all, func(x, y feature) int { return cmp.Compare(x.index, y.index) })
	for i := range f.all {
		one := &f.all[i]
		column := data.Sparse(b.Rows(), f.absent, one.row, one.value)
		if one.dense != nil {
			column = data.Numbers(one.dense)
		}
		b.Size.Charge(-one.bytes(b.Rows()) - featureBytes)
		b.Size.Store(-one.count)
		if err := b.Numbers(f.name(one.index), column); err != nil {
			return err
		}
	}
	return nil
}

// isDense reports whether a feature becomes a dense column of some rows.
func (one *feature) isDense(rows int) bool { return !data.FewStored(one.count, rows) }

// bytes returns the size of the column.
func (one *feature) bytes(rows int) int64 {
	if one.isDense(rows) {
		return 8 * int64(rows)
	}
	return valueBytes * int64(one.count)
}

// allocate makes the memory of all columns, that of sparse ones in one piece.
func (f *features) allocate(b *table.Builder) error {
	needed, stored := int64(0), 0
	for i := range f.all {
		one := &f.all[i]
		needed += one.bytes(b.Rows())
		if !one.isDense(b.Rows()) {
			stored += one.count
		}
	}
	b.Size.Charge(needed)
	if err := b.Limit(0); err != nil {
		return err
	}
	row, value := make([]int32, stored), make([]float64, stored)
	for i := range f.all {
		one := &f.all[i]
		if n := one.count; !one.isDense(b.Rows()) {
			one.row, row = row[:0:n], row[n:]
			one.value, value = value[:0:n], value[n:]
			continue
		}
		one.dense = make([]float64, b.Rows())
		if f.absent != 0 {
			for row := range one.dense {
				one.dense[row] = f.absent
			}
		}
	}
	return nil
}

// distribute moves the stored values to their columns, and frees the chunks.
func (f *features) distribute(b *table.Builder) {
	for k, c := range f.chunks {
		n := chunkSize
		if k == len(f.chunks)-1 {
			n -= f.free
		}
		for i, at := range c.feature[:n] {
			one := &f.all[at]
			if one.dense != nil {
				one.dense[c.row[i]] = c.value[i]
				continue
			}
			one.row, one.value = append(one.row, c.row[i]), append(one.value, c.value[i])
		}
		f.chunks[k] = nil
		b.Size.Charge(-chunkBytes)
	}
	f.chunks = nil
}
