package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/model"
)

// rowSource has the rows of a request, one behind the other.
type rowSource interface {
	// next reads a row, which is number row from 1; io.EOF is the end.
	next(r *rowScratch, row int) (named, error)
}

// What is predicted at a time.
const (
	batchRows  = 1024    // at most
	batchBytes = 8 << 20 // of values, but for one row
	togetherUp = 32      // rows from which the engine takes them as a block
	rowsAtOnce = 16      // that a goroutine takes at a time
)

// batch is the memory of rows that are predicted together.
type batch struct {
	slots     []rowScratch
	in        []named // the rows that were read, which are in the first slots
	out       []prediction
	errs      []error // of these rows
	responses []float64
}

// newBatch returns an empty batch.
func (m *Model) newBatch() *batch {
	if b, _ := m.batches.Get().(*batch); b != nil {
		b.in = b.in[:0]
		return b
	}
	return &batch{}
}

// most returns how many rows a batch has at most.
func (m *Model) most() int {
	width := len(m.schema.Fields) + m.bound.Width()
	return min(batchRows, max(1, batchBytes/8/width))
}

// slot returns the memory for the next row.
func (b *batch) slot(m *Model) *rowScratch {
	i := len(b.in)
	if i == len(b.slots) {
		n := min(max(togetherUp, 2*i), m.most()) - i
		width, fields := m.bound.Width(), len(m.schema.Fields)
		b.responses = append(b.responses, make([]float64, n*width)...)
		values, named := make([]float64, n*fields), make([]bool, m.rows.Columns())
		for k := range n {
			b.slots = append(b.slots, rowScratch{row: values[k*fields:][:fields:fields], named: named})
		}
		for k := range b.slots { // which have moved
			b.slots[k].response = b.responses[k*width:][:width:width]
		}
		b.out, b.errs = make([]prediction, len(b.slots)), make([]error, len(b.slots))
	}
	return &b.slots[i]
}

// read fills a batch with the rows behind row number from; end: there are no more.
func (q *rowRequest) read(b *batch, source rowSource, from int) (end bool, err error) {
	for b.in = b.in[:0]; len(b.in) < q.model.most(); {
		s := b.slot(q.model)
		row := from + len(b.in) + 1
		in, err := source.next(s, row)
		if errors.Is(err, io.EOF) {
			return true, nil
		}
		if err == nil && row > q.limit {
			err = newProblem(http.StatusRequestEntityTooLarge, kindSize, fmt.Sprintf(
				"the body has more than %d rows: send fewer, or JSON lines to /v1/models/%s/predict",
				q.limit, q.model.name))
		}
		if err != nil {
			return false, err
		}
		b.in = append(b.in, in)
	}
	return false, nil
}

// each predicts the rows of a source, in blocks on all processors, and hands them on in their
// order, to what returns how many bytes the answer has so far. Faults of all rows are the error.
func (q *rowRequest) each(ctx context.Context, source rowSource, take func(*prediction) int) error {
	b := q.model.newBatch()
	defer q.model.batches.Put(b)
	var faults faultList
	size := 0
	for from, end := 0, false; !end; from += len(b.in) {
		err := q.hold(q.server.MaxBody - q.left + int64(size))
		if err != nil {
			return err
		}
		if end, err = q.read(b, source, from); err != nil {
			return err
		}
		if err := q.predict(ctx, b, from); err != nil {
			return err
		}
		for i := range b.in {
			more, is := asFaults(b.errs[i])
			switch {
			case is:
				faults.add(more.first...)
				faults.more += more.more
			case b.errs[i] != nil:
				return b.errs[i]
			default:
				size = take(&b.out[i])
			}
		}
	}
	if faults.first != nil {
		return faults
	}
	return nil
}

// predict predicts the rows of a batch. The first is the one behind row number from.
func (q *rowRequest) predict(ctx context.Context, b *batch, from int) error {
	n := len(b.in)
	done := n >= togetherUp && q.model.together(b)
	blocks := (n + rowsAtOnce - 1) / rowsAtOnce
	err := parallel.EachUntil(ctx, parallel.Workers(0), blocks, func(_, block int) {
		for i := block * rowsAtOnce; i < min(n, (block+1)*rowsAtOnce); i++ {
			b.out[i], b.errs[i] = q.row(ctx, &b.slots[i], b.in[i], from+i+1, done)
		}
	})
	// all or nothing: where a row has a fault no prediction is answered, and so none is reported
	q.refused = q.refused || slices.ContainsFunc(b.errs[:n], func(fault error) bool { return fault != nil })
	if err != nil || q.refused {
		return err
	}
	for i := range n {
		if p := b.out[i].err; p != nil {
			listed := min(len(p.Errors), mostListed-q.listed)
			p.More += len(p.Errors) - listed
			p.Errors = p.Errors[:listed]
			q.listed += listed
		}
		if b.out[i].done {
			q.seen.add(q.model.spec, &b.slots[i], q.id, b.in[i].id)
		}
	}
	return nil
}

// together predicts the rows of a batch by the engine, which takes many at a time, with the bits of
// each alone. It reports false if the model refuses one of them: which, each alone shows.
func (m *Model) together(b *batch) bool {
	n := len(b.in)
	for i := range b.in {
		if b.in[i].faults.first != nil {
			return false
		}
	}
	f, err := data.RowsFrame(m.schema, n, func(i int) []float64 { return b.slots[i].row })
	return err == nil && m.bound.Predict(b.responses[:n*m.bound.Width()], f, nil) == nil
}

// row answers the row that was read into r; done: its response is there.
func (q *rowRequest) row(
	ctx context.Context, r *rowScratch, in named, row int, done bool,
) (prediction, error) {
	p := prediction{model: q.model, id: in.id, response: r.response}
	var err error
	if in.faults.first != nil {
		err = in.faults
	} else {
		err = q.model.predicted(r, row, done)
	}
	if err == nil {
		p.flags, p.done = r.flags, true
		if q.reason != nil {
			p.reasons, err = q.reason.Row(r.row, q.most)
			for i := range p.reasons {
				if p.reasons[i].Value == "" && q.model.unknown(r, p.reasons[i].Column) {
					p.reasons[i].Value = UnknownCategory // "" is missing
				}
			}
		}
		if err == nil && q.change != nil {
			p.change, err = q.change.of(ctx, q, r)
			p.changed = true
		}
	}
	if err != nil && q.by {
		p.err, err = problemOf(err), nil
	}
	return p, err
}

// unknown reports whether a row has a category of a column that the model does not have.
func (m *Model) unknown(r *rowScratch, column string) bool {
	at := m.schema.Index(column)
	return at >= 0 && m.schema.Fields[at].Kind == data.Categorical && r.row[at] < 0
}

// predicted predicts the row in r unless that is done, and flags its values. A value that the model
// refuses is a *fault.
func (m *Model) predicted(r *rowScratch, row int, done bool) error {
	var err error
	if !done {
		err = m.bound.PredictRow(r.response, r.row)
	}
	if err == nil {
		r.flags, err = m.checks.Row(r.flags[:0], r.row)
	}
	var refused *model.ValueError
	if errors.As(err, &refused) {
		return &fault{Row: row, Column: refused.Column, Detail: refused.What + ": the model takes none here"}
	}
	return err
}
