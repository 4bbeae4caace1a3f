package eval

import (
	"context"
	"errors"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
)

// BlockOptions are the choices of EvaluateBlocks.
type BlockOptions struct {
	model.Options
	// Scratch is the folder for the files of what metrics keep of rows and memory does not hold;
	// "" = the system's folder for temporary files.
	Scratch string
	// Each, unless nil, is called with the labels and predictions of all rows of a set, some at a
	// time and in their order. It must not keep them.
	Each func(set int, s *metric.Sample)
	// Coverage, unless nil, counts the rows of all blocks.
	Coverage *model.Coverage
}

// Memory that metrics keep of all sets of rows: up to mostKept, and a fraction of the limit.
const (
	mostKept = 64 << 20
	keptPart = 16
)

// storage returns that of each of some sets of rows.
func (o *BlockOptions) storage(sets int) metric.Storage {
	all := min(mostKept, o.Memory.Bytes()/keptPart)
	return metric.Storage{Bytes: max(1, all/int64(max(1, sets))), Folder: o.Scratch}
}

// EvaluateBlocks is EvaluateRows of a data set that is read in blocks, once for all sets of rows,
// each ascending and distinct; nil = all. Its memory does not depend on the number of rows. Only of
// survival it keeps labels and predictions. Errors are also those of scratch files.
func EvaluateBlocks(
	ctx context.Context, m model.Model, ds *data.BlockDataset, sets [][]int32, o BlockOptions,
) (reports []*Report, err error) {
	b, err := newBound(m, &ds.Dataset, o.Options)
	if err != nil {
		return nil, err
	}
	tests := make([]*test, len(sets))
	defer func() {
		for _, t := range tests {
			if t != nil {
				err = errors.Join(err, t.Stream.Close())
			}
		}
	}()
	for i, rows := range sets {
		if tests[i], err = newTest(b, ds, rows, &o, len(sets)); err != nil {
			return nil, err
		}
	}
	for block, err := range ds.Labeled(ctx) {
		if err == nil && o.Coverage != nil {
			err = o.Coverage.Add(block.Frame)
		}
		if err != nil {
			return nil, err
		}
		for i, t := range tests {
			if err := t.addBlock(ctx, &block, i, o.Each); err != nil {
				return nil, err
			}
		}
	}
	for _, t := range tests {
		r, err := reportOf(b.spec.Task, ds.Target.Classes, t.Stream)
		if err != nil {
			return nil, err
		}
		reports = append(reports, r)
	}
	return reports, nil
}

// test is a set of rows that is evaluated while it is read.
type test struct {
	*bound
	*metric.Stream
	left []int32 // rows that were not evaluated yet
	all  bool    // all rows of the table are meant
	pred []float64
	step int // rows that are predicted at a time
}

func newTest(
	b *bound, ds *data.BlockDataset, rows []int32, o *BlockOptions, sets int,
) (*test, error) {
	if err := ds.CheckRows(rows); err != nil {
		return nil, err
	}
	n := len(rows)
	if rows == nil {
		n = ds.Rows()
	}
	t := &test{bound: b, left: rows, all: rows == nil,
		Stream: metric.NewStream(b.spec.Task, n, o.storage(sets))}
	const part = 4 // of the limit of memory
	t.step = max(1, min(batchRows,
		int(o.Memory.Bytes()/part/int64(predictionBytes*max(1, b.like.Width)))))
	return t, nil
}

// addBlock evaluates the rows of a block, some at a time.
func (t *test) addBlock(
	ctx context.Context, b *data.LabeledBlock, set int, each func(set int, s *metric.Sample),
) error {
	for first := 0; first < b.Rows(); first += t.step {
		rows := t.next(b.First, first, min(first+t.step, b.Rows()))
		s := t.labelsOf(&b.Target, rows)
		t.pred = slices.Grow(t.pred[:0], len(rows)*s.Width)
		s.Pred = t.pred[:len(rows)*s.Width]
		if err := t.predict(ctx, s.Pred, b.Frame, rows); err != nil {
			return located(err, b)
		}
		choose(s, t.spec)
		if err := t.Add(s); err != nil {
			return err
		}
		if each != nil && len(rows) > 0 {
			each(set, s)
		}
	}
	return nil
}

// next returns those of the set among rows from ... to-1 of a block that begins at a row of the
// table.
func (t *test) next(begin, from, to int) (rows []int32) {
	if t.all {
		for r := from; r < to; r++ {
			rows = append(rows, int32(r))
		}
		return rows
	}
	for len(t.left) > 0 && int(t.left[0]) < begin+to {
		rows, t.left = append(rows, t.left[0]-int32(begin)), t.left[1:]
	}
	return rows
}

// located makes an error about a row of a block one about a row of the table.
func located(err error, b *data.LabeledBlock) error {
	if value := (*model.ValueError)(nil); errors.As(err, &value) && value.Row >= 0 {
		own := *value
		own.Row = b.Place(value.Row)
		return &own
	}
	return err
}
