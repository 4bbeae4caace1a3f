package table

import (
	"context"
	"iter"
	"slices"
	"sort"
	"sync"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
)

// Sample gets some rows of a table that is read in blocks, while a training reads all of them. So
// it costs no reading of its own.
type Sample struct {
	data.RowSource
	rows    []int32    // ascending
	filling sync.Mutex // held by the reader that fills the sample
	columns []data.Column
}

// sampleBytes is what the values of a sample take at most.
const sampleBytes = 32 << 20

// MostSampled returns how many rows a sample can have. A table in memory has as few as one that is
// read in blocks, so that both have the same.
func (p *Prepared) MostSampled() int {
	return sampleBytes / 8 / max(1, len(p.Frame.Schema.Fields))
}

// Sampling returns a table in blocks from which a sample gets some rows, which ascend.
func (p *Prepared) Sampling(rows []int32) (*Prepared, *Sample) {
	own, in := *p, *p.Blocks
	s := &Sample{RowSource: in.from, rows: rows}
	in.from, own.Blocks = s, &in
	return &own, s
}

// Blocks yields the blocks of the table. The first reader that gets to the last row of the sample
// fills it.
func (s *Sample) Blocks(ctx context.Context) iter.Seq2[data.RowBlock, error] {
	return func(yield func(data.RowBlock, error) bool) {
		fills := s.filling.TryLock() // else another goroutine is reading
		if fills {
			defer s.filling.Unlock()
			fills = s.columns == nil
		}
		var columns []data.Column
		left := s.rows
		for b, err := range s.RowSource.Blocks(ctx) {
			if fills && err == nil {
				var here []int32
				if here, left = split(left, &b); len(here) > 0 {
					columns = appendRows(columns, b.Columns, here)
				}
				if len(left) == 0 {
					s.columns, fills = columns, false
				}
			}
			if !yield(b, err) {
				return
			}
		}
	}
}

// split takes the rows of a block, as places in it, from those that are left.
func split(rows []int32, b *data.RowBlock) (here, left []int32) {
	end := b.First + b.Rows()
	n := sort.Search(len(rows), func(i int) bool { return int(rows[i]) >= end })
	here = slices.Clone(rows[:n])
	for i := range here {
		here[i] -= int32(b.First)
	}
	return here, rows[n:]
}

// appendRows appends the values of some rows to columns, nil = none yet. Sparse columns become
// dense.
func appendRows(columns, of []data.Column, rows []int32) []data.Column {
	if columns == nil {
		columns = make([]data.Column, len(of))
	}
	for i := range of {
		if codes := of[i].Codes(); codes != nil {
			columns[i] = data.Codes(append(columns[i].Codes(), data.Pick(codes, rows)...))
			continue
		}
		values := make([]float64, len(rows))
		of[i].PickNumbers(values, rows)
		columns[i] = data.Numbers(append(columns[i].Numbers(), values...))
	}
	return columns
}

// BlocksOf yields the blocks of a region, of which the sample gets none.
func (s *Sample) BlocksOf(ctx context.Context, p data.Region) iter.Seq2[data.RowBlock, error] {
	return data.BlocksOf(ctx, s.RowSource, p)
}

// OfSample returns the table of the sample in memory, which is not in bins, or nil if its rows were
// not all read. It is the table of this process alone, whose rank read it.
func (p *Prepared) OfSample(s *Sample) *Prepared {
	s.filling.Lock()
	defer s.filling.Unlock()
	f, err := data.NewFrame(p.Frame.Schema, s.columns)
	if err != nil || f.Rows() != len(s.rows) {
		return nil
	}
	own := *p
	own.Frame, own.Blocks, own.Env.Ranks = f, nil, nil
	own.Matrix = &bins.Matrix{Rows: data.AllRows(f.Rows())}
	return &own
}
