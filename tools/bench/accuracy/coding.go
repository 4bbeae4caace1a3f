//go:build linux

package accuracy

import (
	"fmt"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
)

// The codings that both sides may be given, see coded.
const (
	asCodes = "codes"
	oneHot  = "one-hot"
)

// coded returns a table of numbers alone: categories are their codes, or a column of 0 and 1 for
// each, and missing values the median or the most frequent category of all rows. What then differs
// between two sides is neither what they do with categories nor with missing values.
func coded(ds *data.Dataset, coding string) (*data.Dataset, error) {
	var schema data.Schema
	var columns []data.Column
	add := func(name string, values []float64) {
		schema.Fields = append(schema.Fields, data.Field{Name: name})
		columns = append(columns, data.Numbers(values))
	}
	for i := range ds.Columns {
		c, f := &ds.Columns[i], &ds.Schema.Fields[i]
		if c.Codes() == nil {
			add(f.Name, complete(c.Numbers()))
			continue
		}
		codes := completeCodes(c.Codes(), len(f.Levels))
		if coding == asCodes {
			add(f.Name, where(codes, func(code uint32) float64 { return float64(code) }))
			continue
		}
		for level, text := range f.Levels {
			add(f.Name+"="+text, where(codes, func(code uint32) float64 {
				if code == uint32(level) {
					return 1
				}
				return 0
			}))
		}
	}
	frame, err := data.NewFrame(schema, columns)
	if err != nil {
		return nil, fmt.Errorf("as %s: %w", coding, err)
	}
	return &data.Dataset{Frame: frame, Target: ds.Target}, nil
}

// complete returns numbers with their median in place of those that are missing.
func complete(values []float64) []float64 {
	known := slices.DeleteFunc(slices.Clone(values), math.IsNaN)
	slices.Sort(known)
	median := 0.0
	if n := len(known); n > 0 {
		median = known[(n-1)/2]/2 + known[n/2]/2
	}
	out := slices.Clone(values)
	for i, v := range out {
		if math.IsNaN(v) {
			out[i] = median
		}
	}
	return out
}

// completeCodes returns codes with the most frequent in place of those that are missing.
func completeCodes(codes []uint32, levels int) []uint32 {
	rows, most := make([]int, levels), 0
	for _, c := range codes {
		if int64(c) < int64(levels) {
			rows[c]++
		}
	}
	for c, n := range rows {
		if n > rows[most] {
			most = c
		}
	}
	out := slices.Clone(codes)
	for i, c := range out {
		if int64(c) >= int64(levels) {
			out[i] = uint32(most)
		}
	}
	return out
}

// where returns what a code is worth, row by row.
func where(codes []uint32, worth func(uint32) float64) []float64 {
	out := make([]float64, len(codes))
	for i, c := range codes {
		out[i] = worth(c)
	}
	return out
}
