package learntest

import (
	"context"
	"errors"
	"iter"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/memory"
)

// inBlocks is a table whose values are read in blocks of ten rows.
type inBlocks struct{ *data.Frame }

func (b inBlocks) Outline() *data.Frame { return data.Outline(b.Schema, b.Rows(), b.Origin) }

func (b inBlocks) InMemory() (*data.Frame, error) { return b.Outline().InMemory() }

func (b inBlocks) Blocks(context.Context) iter.Seq2[data.RowBlock, error] {
	return func(yield func(data.RowBlock, error) bool) {
		for rows := range slices.Chunk(data.AllRows(b.Rows()), 10) {
			if !yield(data.RowBlock{Frame: b.Subset(rows), First: int(rows[0])}, nil) {
				return
			}
		}
	}
}

// blocks: a learner that declares so trains on a table in blocks, and others report that it is not
// in memory.
func (s suite) blocks(t *testing.T) {
	ds := s.table(100)
	f, err := s.make().Prepare(context.Background(), inBlocks{ds.Frame}, nil, nil,
		learn.Env{Scratch: t.TempDir()})
	if !s.make().Capabilities().Blocks {
		if f != nil || !errors.Is(err, memory.ErrLimit) {
			t.Errorf("%v, %v, want the limit of memory", f, err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	m, err := f.Fit(context.Background(), &ds.Target, learn.Job{})
	if err != nil {
		t.Fatal(err)
	}
	predict(t, m, ds.Frame)
}
