package libsvm

import (
	"math"
	"slices"
	"strconv"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/table"
)

// maxIndex is the largest index of a feature.
const maxIndex = math.MaxInt64/10 - 1

// features are the values that the rows of the builder name, in the order of the file: of all rows,
// or of those of a block.
type features struct {
	columns *table.FilledColumns
	absent  float64 // the value of features that a row does not name: 0 or NaN
	name    func(index int64) string
	near    []int32 // by index: the place in all, counted from 1; 0: no row named it
	far     map[int64]int32
	all     []feature
	chunks  []*chunk
	free    int // places of the last chunk that hold nothing
}

// feature is what is known of one column.
type feature struct {
	// what every value of a file needs, within one line of the cache
	count int   // stored values
	last  int32 // row that named it last, -1: none
	kept  bool  // the values are stored

	index  int64
	column *table.Column
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

// add stores a value of the builder's next row for a feature by its place. It reports false if the
// row has one already.
func (f *features) add(b *table.Builder, at int, v float64) bool {
	one, row := &f.all[at], int32(b.Rows())
	if one.last == row {
		return false
	}
	one.last = row
	if one.kept && v != f.absent && (v == v || f.absent == f.absent) {
		one.count++
		f.store(b, at, row, v)
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

// place returns the place of a feature, counted from 1; 0 of an index that is new.
func (f *features) place(index int64) int32 {
	if index < nearSize {
		return f.near[index]
	}
	return f.far[index]
}

// What is held of a file before it becomes columns, in bytes, with the spare memory that slices and
// the map have to grow.
const (
	featureBytes = 320
	chunkBytes   = 16*chunkSize + 16
	valueBytes   = 12 // of a sparse column
)

// make makes a feature of a new index, with its column, and returns its place.
func (f *features) make(b *table.Builder, index int64) (int32, error) {
	b.Size.Charge(featureBytes)
	c, err := f.columns.Make(f.name(index))
	if err != nil {
		return 0, err
	}
	f.all = append(f.all, feature{index: index, column: c, last: -1, kept: f.columns.Keeps(c)})
	at := int32(len(f.all))
	if index < nearSize {
		f.near[index] = at
	} else {
		f.far[index] = at
	}
	return at, nil
}

// names returns the names of the features, in the order of their indices.
func (f *features) names() []string {
	var indices []int64
	for i := range f.all {
		indices = append(indices, f.all[i].index)
	}
	slices.Sort(indices)
	names := make([]string, len(indices))
	for i, index := range indices {
		names[i] = f.name(index)
	}
	return names
}

// fill gives the columns of the features the values of the builder's rows, and forgets them.
func (f *features) fill(b *table.Builder) error {
	if err := f.allocate(b); err != nil {
		return err
	}
	f.distribute(b)
	for i := range f.all {
		one := &f.all[i]
		values := data.Sparse(b.Rows(), f.absent, one.row, one.value)
		if one.dense != nil {
			values = data.Numbers(one.dense)
		}
		b.Size.Charge(-one.bytes(b.Rows()))
		b.Size.Store(-one.count)
		if err := f.columns.Fill(one.column, values); err != nil {
			return err
		}
		one.last, one.count, one.dense, one.row, one.value = -1, 0, nil, nil, nil
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
	f.chunks, f.free = nil, 0
}
