package libsvm

import (
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/coppice-ml/coppice/data/table"
)

// maxIndex is the largest index of a feature.
const maxIndex = math.MaxInt64/10 - 1

// features are the values that rows name, by feature.
type features struct {
	near []*feature // of small indices
	far  map[int64]*feature
}

// feature is one sparse column.
type feature struct {
	used   bool
	last   int // row that named it last, -1: none
	rows   []int32
	values []float64
}

const nearSize = 1 << 16

func newFeatures() *features {
	return &features{near: make([]*feature, nearSize), far: map[int64]*feature{}}
}

func name(index int64) string { return "f" + strconv.FormatInt(index, 10) }

// parseIndex reads an index without sign.
func parseIndex(text []byte) (int64, bool) {
	v, err := strconv.ParseUint(string(text), 10, 63)
	return int64(v), err == nil && v <= maxIndex
}

// add stores a value. It reports false if the row has one for the feature already.
func (f *features) add(b *table.Builder, index int64, row int, v float64) bool {
	one := f.find(b, index)
	if one.last == row {
		return false
	}
	one.last = row
	if one.used && v != 0 { // also NaN
		b.Charge(valueBytes)
		one.rows = append(one.rows, int32(row))
		one.values = append(one.values, v)
	}
	return true
}

// find returns a feature, a new one if the index is new.
func (f *features) find(b *table.Builder, index int64) *feature {
	if index < nearSize {
		if f.near[index] == nil {
			f.near[index] = newFeature(b, index)
		}
		return f.near[index]
	}
	one := f.far[index]
	if one == nil {
		one = newFeature(b, index)
		f.far[index] = one
	}
	return one
}

// What is held of a file before it becomes columns, in bytes, with the spare memory of slices and
// the map have to grow.
const (
	featureBytes = 160
	valueBytes   = 15
)

func newFeature(b *table.Builder, index int64) *feature {
	b.Charge(featureBytes)
	return &feature{last: -1, used: b.Used(name(index))}
}

// columns gives the builder a column for each feature, in the order of their indices. Those without
// any value but 0 have one slice of zeros.
func (f *features) columns(b *table.Builder) error {
	for i, one := range f.near {
		if one != nil {
			f.far[int64(i)] = one
		}
	}
	columns := 0
	for _, one := range f.far {
		if one.used && len(one.rows) > 0 {
			columns++
		}
	}
	if err := b.LimitColumns(columns); err != nil {
		return err
	}
	var zeros []float64
	for _, index := range slices.Sorted(maps.Keys(f.far)) {
		one := f.far[index]
		var values []float64
		switch {
		case !one.used:
		case len(one.rows) > 0:
			values = make([]float64, b.Rows())
			for i, row := range one.rows {
				values[row] = one.values[i]
			}
		default:
			if zeros == nil {
				zeros = make([]float64, b.Rows())
			}
			values = zeros
		}
		if err := b.Numbers(name(index), values); err != nil {
			return err
		}
		b.Charge(-featureBytes - valueBytes*int64(len(one.rows)))
		delete(f.far, index)
	}
	return nil
}
