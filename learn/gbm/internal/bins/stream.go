package bins

import (
	"context"
	"errors"
	"fmt"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/parallel"
)

// Stream fits the bins of columns to rows that come in blocks, none of which it keeps: numeric
// columns by sketches of 64 values per bin, categories by counting. The same blocks in the same
// order give the same bins for any number of workers.
type Stream struct {
	schema  *data.Schema
	o       Options
	numbers []*Sketch  // nil for categories
	count   [][]uint32 // rows of each level; nil for numbers
	rows    int
}

// NewStream returns a stream of frames of a schema, whose dictionaries are complete. Of the options
// it takes Bins; the others are for rows in memory.
func NewStream(schema *data.Schema, o Options) (*Stream, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	s := &Stream{schema: schema, o: o, numbers: make([]*Sketch, len(schema.Fields)),
		count: make([][]uint32, len(schema.Fields))}
	for i := range schema.Fields {
		if f := &schema.Fields[i]; f.Kind == data.Categorical {
			s.count[i] = make([]uint32, len(f.Levels))
		} else {
			s.numbers[i] = NewSketch(perBin * o.bins())
		}
	}
	return s, nil
}

// Add takes a block of rows: those of f, weights as for Make. No more than 2^32-1 rows may be
// added.
func (s *Stream) Add(ctx context.Context, f *data.Frame, weight []float64, workers int) error {
	if len(f.Columns) != len(s.schema.Fields) {
		return fmt.Errorf("a block of %d columns, want %d", len(f.Columns), len(s.schema.Fields))
	}
	for i := range s.schema.Fields {
		want, got := &s.schema.Fields[i], &f.Schema.Fields[i]
		if got.Name != want.Name || got.Kind != want.Kind || len(got.Levels) > len(want.Levels) {
			return fmt.Errorf("column %d of a block is %q, %v, with %d levels; want %q, %v, %d",
				i+1, got.Name, got.Kind, len(got.Levels), want.Name, want.Kind, len(want.Levels))
		}
	}
	if err := checkWeights(f, nil, weight); err != nil {
		return err
	}
	if s.rows += f.Rows(); uint64(s.rows) > 1<<32-1 {
		return errors.New("more than 4,294,967,295 rows to fit bins on")
	}
	workers = parallel.Workers(workers)
	return parallel.EachUntil(ctx, workers, len(f.Columns), func(_, i int) {
		if s.numbers[i] != nil {
			s.numbers[i].Add(f.Columns[i].Numbers(), weight)
			return
		}
		countLevels(s.count[i], f.Columns[i].Codes(), nil)
	})
}

// Columns returns the columns with their bins.
func (s *Stream) Columns() []Column {
	columns := make([]Column, len(s.numbers))
	for i := range columns {
		c := &columns[i]
		*c = Column{Feature: int32(i), Group: int32(i), Default: -1}
		if s.numbers[i] == nil {
			c.setLevels(s.count[i])
			continue
		}
		c.SplitPoints = s.numbers[i].SplitPoints(s.o.bins())
		c.Values = len(c.SplitPoints) + 1
	}
	return columns
}
