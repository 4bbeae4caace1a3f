package quality

import (
	"context"
	"iter"
	"slices"
	"sync/atomic"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/parallel"
)

// Sample is the features of a table that is read in blocks. While somebody reads all blocks it
// keeps evenly spaced rows of them, which are checked afterwards.
type Sample struct {
	data.RowSource
	rows    []int32 // ascending
	begun   atomic.Bool
	columns []data.Column // of the rows; nil: not all were read yet
}

// SampleOf returns the features with a sample of some of their rows, nil = all, for Check. The
// values take so many bytes at most.
func SampleOf(from data.RowSource, rows []int32, bytes int64) *Sample {
	if rows == nil {
		rows = data.AllRows(from.Rows())
	}
	columns := max(1, len(from.Fields()))
	most := min(sampledRows, max(leastRows, sampledValues/columns),
		int(min(bytes/int64(8*columns), sampledRows)))
	return &Sample{RowSource: from, rows: slices.Clone(evenly(data.InOrder(rows), most))}
}

// BlocksOf implements data.RegionSource. It keeps nothing.
func (s *Sample) BlocksOf(ctx context.Context, p data.Region) iter.Seq2[data.RowBlock, error] {
	return data.BlocksOf(ctx, s.RowSource, p)
}

// Blocks yields the blocks of the features. The first call that reads all of them keeps the rows.
func (s *Sample) Blocks(ctx context.Context) iter.Seq2[data.RowBlock, error] {
	if s.begun.Swap(true) {
		return s.RowSource.Blocks(ctx)
	}
	return func(yield func(data.RowBlock, error) bool) {
		fields := s.Fields()
		numbers, codes := make([][]float64, len(fields)), make([][]uint32, len(fields))
		left := s.rows
		for b, err := range s.RowSource.Blocks(ctx) {
			for err == nil && len(left) > 0 && int(left[0]) < b.First+b.Rows() {
				row := int(left[0]) - b.First
				for i := range fields {
					if c := &b.Columns[i]; fields[i].Kind.HasLevels() {
						codes[i] = append(codes[i], c.Code(row))
					} else {
						numbers[i] = append(numbers[i], c.Number(row))
					}
				}
				left = left[1:]
			}
			if !yield(b, err) || err != nil {
				s.begun.Store(false)
				return
			}
		}
		columns := make([]data.Column, len(fields))
		for i := range fields {
			if columns[i] = data.Numbers(numbers[i]); fields[i].Kind.HasLevels() {
				columns[i] = data.Codes(codes[i])
			}
		}
		s.columns = columns
	}
}

// Check is the function Check on the sample. of makes a data set of the table of the rows that it
// gets, in which places marks those of training. Rows that repeat others are not looked for, since
// the sample has few of them. There are no warnings if nobody has read all blocks.
func (s *Sample) Check(ctx context.Context, workers int, training []int32,
	of func(f *data.Frame, rows []int32) (*data.Dataset, error)) ([]Warning, error) {
	if s.columns == nil || len(s.rows) == 0 {
		return nil, nil
	}
	f, err := data.NewFrame(data.Schema{Fields: s.Fields()}, s.columns)
	if err != nil {
		return nil, err
	}
	ds, err := of(f, s.rows)
	if err != nil {
		return nil, err
	}
	var rows, test []int32
	for i, row := range s.rows {
		if _, is := slices.BinarySearch(training, row); is || training == nil {
			rows = append(rows, int32(i))
		} else {
			test = append(test, int32(i))
		}
	}
	if len(rows) == 0 {
		return nil, nil
	}
	t, err := inspect(ctx, ds, rows, test, parallel.Workers(workers))
	if err != nil {
		return nil, err
	}
	t.part = " sampled"
	return t.check(ctx, "duplicate_rows", "duplicates_across")
}
