package eval

import (
	"context"
	"errors"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
)

// SetOptions are the choices of EvaluateSets.
type SetOptions struct {
	model.Options
	// Scratch is the folder for the files of what metrics keep of rows and memory does not hold;
	// "" = the system's folder for temporary files.
	Scratch string
	// Each, unless nil, is called with the labels and predictions of all rows of a set, some at a
	// time and in their order. It must not keep them.
	Each func(set int, s *metric.Sample)
	// Raw has the raw scores of all rows of the first set in their order, as learn.Job.Fitted gets
	// them; nil: there are none. Where some rows of a block have the model's predictions by them,
	// they take the place of predicting all, but for models that refuse values.
	Raw []float64
	// Watch, unless nil, is called with each block before its rows are predicted.
	Watch func(b *data.LabeledBlock) error
}

// SetError is the error of one of the sets of EvaluateSets, whose text it has.
type SetError struct {
	Set int // place of the set
	Err error
}

func (e *SetError) Error() string { return e.Err.Error() }

// Unwrap returns Err.
func (e *SetError) Unwrap() error { return e.Err }

// Memory that metrics keep of all sets of rows: up to mostKept, and a fraction of the limit.
const (
	mostKept = 64 << 20
	keptPart = 16
)

// storage returns that of each of some sets of rows.
func (o *SetOptions) storage(sets int) metric.Storage {
	all := min(mostKept, o.Memory.Bytes()/keptPart)
	return metric.Storage{Bytes: max(1, all/int64(max(1, sets))), Folder: o.Scratch}
}

// EvaluateSets is EvaluateRows for several sets of rows, nil = all, by one pass over the data set.
// The rows of a set are ascending and distinct, unless the data set is one block. Where memory does
// not hold a block's predictions, some of its rows are predicted at a time. Of several blocks
// memory does not depend on the number of rows, but for survival, whose labels and predictions are
// kept. Errors are also those of scratch files; those of one set are a *SetError.
func EvaluateSets(
	ctx context.Context, m model.Model, of data.AnyDataset, sets [][]int32, o SetOptions,
) (reports []*Report, err error) {
	ds := of.InBlocks()
	b, err := newBound(m, &ds.Dataset, o.Options)
	if err != nil {
		return nil, err
	}
	tests := make([]*test, len(sets))
	defer func() {
		for _, t := range tests {
			if t != nil && t.stream != nil {
				err = errors.Join(err, t.stream.Close())
			}
		}
	}()
	for i, rows := range sets {
		if tests[i], err = newTest(b, ds, rows, &o, len(sets)); err != nil {
			return nil, &SetError{i, err}
		}
	}
	refuses := func(f data.Field) bool { return f.Missing == data.Refuse || f.Unseen == data.Refuse }
	if e, ok := model.Inner(m).(*model.Ensemble); ok && len(sets) > 0 && o.Rounds == 0 &&
		len(o.Raw) == tests[0].rows*e.Scores() &&
		!slices.ContainsFunc(e.Meta.Schema.Fields, refuses) {
		tests[0].raw, tests[0].respond = o.Raw, e.Responder()
	}
	for block, err := range ds.Labeled(ctx) {
		if err == nil && o.Watch != nil {
			err = o.Watch(&block)
		}
		if err != nil {
			return nil, err
		}
		for i, t := range tests {
			if err := t.addBlock(ctx, &block, i, o.Each); err != nil {
				return nil, &SetError{i, err}
			}
		}
	}
	for i, t := range tests {
		r, err := t.report(ds.Target.Classes)
		if err != nil {
			return nil, &SetError{i, err}
		}
		reports = append(reports, r)
	}
	return reports, nil
}

// test is a set of rows that is evaluated while it is read.
type test struct {
	*bound
	stream  *metric.Stream // nil: of no row yet
	storage metric.Storage
	rows    int
	left    []int32 // rows that were not evaluated yet
	all     bool    // all rows of the table are meant
	pred    []float64
	step    int       // rows that are predicted at a time
	raw     []float64 // scores of all rows; nil: there are none
	respond func(dst, raw []float64)
	done    int // rows that were evaluated
}

func newTest(
	b *bound, ds *data.BlockDataset, rows []int32, o *SetOptions, sets int,
) (*test, error) {
	if err := ds.CheckRows(rows); err != nil {
		return nil, err
	}
	t := &test{bound: b, left: rows, rows: len(rows), all: rows == nil, storage: o.storage(sets)}
	if t.all {
		t.rows = ds.Rows()
	}
	const part = 4 // of the limit of memory
	t.step = max(1, int(o.Memory.Bytes()/part/int64(predictionBytes*max(1, b.like.Width)*sets)))
	return t, nil
}

// addBlock evaluates the rows of a block, some at a time.
func (t *test) addBlock(
	ctx context.Context, b *data.LabeledBlock, set int, each func(set int, s *metric.Sample),
) error {
	for rows := range slices.Chunk(t.next(b), t.step) {
		s := t.labels(&b.Target, rows)
		known, err := t.known(ctx, b.Frame, rows)
		if known {
			s.Pred = t.pred
			choose(s, t.spec)
		} else if err == nil {
			t.pred, err = t.predict(ctx, s, b.Frame, rows, t.pred)
		}
		if err != nil {
			return located(err, b)
		}
		t.done += len(rows)
		if err := t.add(s); err != nil {
			return err
		}
		if each != nil {
			each(set, s)
		}
	}
	return nil
}

// comparedRows is about how many of the rows that are predicted at a time show that their scores
// are the model's.
const comparedRows = 1024

// known makes the predictions of the next rows of their raw scores, if there are any. It returns
// false where the model predicts another number for one of the compared rows.
func (t *test) known(ctx context.Context, f *data.Frame, rows []int32) (bool, error) {
	if t.raw == nil {
		return false, nil
	}
	w, row := t.like.Width, make([]float64, len(t.raw)/t.rows)
	t.pred = slices.Grow(t.pred[:0], len(rows)*w)[:len(rows)*w]
	var some []int32
	step := len(rows)/comparedRows + 1
	for i := range rows {
		for o := range row {
			row[o] = t.raw[o*t.rows+t.done+i]
		}
		t.respond(t.pred[i*w:(i+1)*w], row)
		if i%step == 0 {
			some = append(some, rows[i])
		}
	}
	want, err := t.predict(ctx, &metric.Sample{Width: w}, f, some, nil)
	for i := range some {
		if err != nil || !slices.Equal(t.pred[i*step*w:][:w], want[i*w:(i+1)*w]) {
			t.raw = nil
			return false, err
		}
	}
	return true, nil
}

// add adds the next rows. Those of a set that come at once stay in memory as they are, so that the
// metrics need no copies of them.
func (t *test) add(s *metric.Sample) (err error) {
	switch {
	case t.stream != nil:
		return t.stream.Add(s)
	case s.Rows() == t.rows:
		t.stream, err = metric.StreamOf(t.spec.Task, s)
		return err
	}
	t.stream = metric.NewStream(t.spec.Task, t.rows, t.storage)
	return t.stream.Add(s)
}

// next returns those of the set among the rows of a block.
func (t *test) next(b *data.LabeledBlock) []int32 {
	if t.all {
		return data.AllRows(b.Rows())
	}
	var rows []int32
	for len(t.left) > 0 && uint(int(t.left[0])-b.First) < uint(b.Rows()) { // negative places are large
		rows, t.left = append(rows, t.left[0]-int32(b.First)), t.left[1:]
	}
	return rows
}

// report reports the metrics of all rows.
func (t *test) report(classes []string) (*Report, error) {
	if len(t.left) > 0 {
		return nil, errors.New("rows of a table in blocks are evaluated in ascending order alone")
	}
	if t.stream == nil {
		t.stream = metric.NewStream(t.spec.Task, 0, t.storage)
	}
	return reportOf(t.spec.Task, classes, t.stream)
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
