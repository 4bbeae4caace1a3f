package committee

import (
	"fmt"
	"slices"
	"sync"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// Bind matches the columns of the stack and of every member, by name, to those of a table, and
// those of the meta-learner to what the members predict. The output is what the meta-learner has
// for it: of Leaf its leaves. Label is the class that the stack's own decision chooses by the
// response. Options.Rounds is ignored.
func (s *Stack) Bind(table *data.Schema, o model.Options) (model.Predictor, error) {
	return model.BindTexts(&s.Meta.Schema, table,
		func(table *data.Schema) (model.Predictor, error) { return s.bind(table, o) })
}

// bind is Bind to a table that has the columns that the stack has of texts.
func (s *Stack) bind(table *data.Schema, o model.Options) (model.Predictor, error) {
	p := &stackPredictor{workers: o.Workers}
	var err error
	if p.guard, err = model.Guard(&s.Meta.Schema, table); err != nil {
		return nil, err
	}
	for i, m := range s.Members {
		bound, err := m.Bind(table, model.Options{Output: s.MemberOutput, Workers: 1})
		if err != nil {
			return nil, fmt.Errorf("member %s: %w", s.Names[i], err)
		}
		fields := PredictedFields(s.Names[i], m.Spec(), s.MemberOutput, bound.Width())
		p.members, p.fields = append(p.members, bound), append(p.fields, fields)
	}
	if s.Passthrough {
		p.own = s.Meta.Schema.Fields
		p.passed = p.places(table)
		for _, at := range p.passed {
			p.absent = append(p.absent,
				model.AbsentValue(&table.Fields[at], s.Meta.Schema.AbsentValues))
		}
	}
	all := p.inputs(table, p.passed)
	p.width = len(all.Fields)
	wanted := model.Options{Output: o.Output, Workers: 1, Quantiles: o.Quantiles}
	if o.Output == model.Label && s.Meta.Labels() {
		p.decision, wanted.Output = &s.Meta.Decision, model.Response
	}
	if p.metaModel, err = s.MetaModel.Bind(all, wanted); err != nil {
		return nil, fmt.Errorf("meta-learner: %w", err)
	}
	return p, nil
}

// stackPredictor is a stack bound to a table.
type stackPredictor struct {
	guard   model.Predictor
	members []model.Predictor
	fields  [][]data.Field // that each member makes
	// of the stack, which the meta-learner uses; nil if it uses no column of the table
	own       []data.Field
	passed    []int           // where the schema that was bound has own: see places
	absent    []float64       // values of these columns where a sparse row does not name them
	width     int             // input columns of the meta-learner
	metaModel model.Predictor // of the response, where there is a decision
	decision  *model.Decision // nil: the meta-learner's prediction is the stack's
	workers   int
	buffers   sync.Pool // of *buffer
}

// Width returns the number of values per row.
func (p *stackPredictor) Width() int {
	if p.decision != nil {
		return 1
	}
	return p.metaModel.Width()
}

// noRows are no rows: only the columns of a table are checked.
var noRows = []int32{}

// Predict predicts rows in blocks, several blocks at a time.
func (p *stackPredictor) Predict(dst []float64, f *data.Frame, rows []int32) error {
	rows = f.Chosen(rows)
	w := p.Width()
	if len(dst) < len(rows)*w {
		return &model.SizeError{Want: len(rows) * w, Got: len(dst)}
	}
	// before any work, and where there are no rows
	if err := p.guard.Predict(nil, f, noRows); err != nil {
		return err
	}
	return model.InBlocks(len(rows), p.workers, func(lo, hi int) error {
		block := rows[lo:hi]
		if err := p.guard.Predict(nil, f, block); err != nil {
			return err
		}
		predicted, err := p.predicted(f, block)
		if err != nil {
			return err
		}
		return p.decide(dst[lo*w:hi*w], predicted)
	})
}

// places returns where a table has the columns that the meta-learner uses, each once: several parts
// of a date have one source.
func (p *stackPredictor) places(table *data.Schema) []int {
	places := make([]int, len(p.own))
	copy(places, p.passed) // where they most often are
	table.Find(p.own, places)
	taken := make(map[int]bool, len(places))
	return slices.DeleteFunc(places, func(at int) bool {
		again := taken[at]
		taken[at] = true
		return again
	})
}

// inputs returns the schema of the meta-learner's table: the members' predictions, and the passed
// columns with the dictionaries of table.
func (p *stackPredictor) inputs(table *data.Schema, passed []int) *data.Schema {
	all := &data.Schema{Fields: slices.Concat(p.fields...)}
	for _, at := range passed {
		all.Fields = append(all.Fields, table.Fields[at])
	}
	return all
}

// predicted makes the meta-learner's frame for some rows; the guard has found all columns.
func (p *stackPredictor) predicted(f *data.Frame, rows []int32) (*data.Frame, error) {
	var columns []data.Column
	for i, m := range p.members {
		values := make([]float64, len(rows)*m.Width())
		if err := m.Predict(values, f, rows); err != nil {
			return nil, err
		}
		columns = append(columns, PredictedColumns(p.fields[i], m.Width(), values)...)
	}
	passed := p.places(&f.Schema)
	if passed != nil {
		columns = append(columns, f.Select(passed).Subset(rows).Columns...)
	}
	return data.NewFrame(*p.inputs(&f.Schema, passed), columns)
}

// PredictRow predicts one row given in the order of the bound schema.
func (p *stackPredictor) PredictRow(dst, row []float64) error {
	return p.one(dst, func(m model.Predictor, values []float64) error {
		return m.PredictRow(values, row)
	}, func(k int) float64 { return row[p.passed[k]] })
}

// PredictSparse predicts one row given as values of some columns of the bound schema.
func (p *stackPredictor) PredictSparse(dst []float64, index []int32, value []float64) error {
	return p.one(dst, func(m model.Predictor, values []float64) error {
		return m.PredictSparse(values, index, value)
	}, func(k int) float64 {
		if i := slices.Index(index, int32(p.passed[k])); i >= 0 {
			return value[i]
		}
		return p.absent[k]
	})
}

// one predicts one row. predict predicts by a member, passed returns the value of a column of
// p.passed.
func (p *stackPredictor) one(
	dst []float64, predict func(m model.Predictor, values []float64) error,
	passed func(k int) float64,
) error {
	if len(dst) < p.Width() {
		return &model.SizeError{Want: p.Width(), Got: len(dst)}
	}
	if err := predict(p.guard, nil); err != nil {
		return err
	}
	b, _ := p.buffers.Get().(*stackBuffer)
	if b == nil {
		b = new(stackBuffer)
	}
	defer p.buffers.Put(b)
	b.predicted = b.predicted[:0]
	for i, m := range p.members {
		b.values = slices.Grow(b.values[:0], m.Width())[:m.Width()]
		if err := predict(m, b.values); err != nil {
			return err
		}
		b.predicted = append(b.predicted, b.values[len(b.values)-len(p.fields[i]):]...)
	}
	for k := range p.passed {
		b.predicted = append(b.predicted, passed(k))
	}
	if p.decision == nil {
		return p.metaModel.PredictRow(dst[:p.Width()], b.predicted)
	}
	b.values = slices.Grow(b.values[:0], p.metaModel.Width())[:p.metaModel.Width()]
	if err := p.metaModel.PredictRow(b.values, b.predicted); err != nil {
		return err
	}
	dst[0] = float64(p.decision.Label(b.values))
	return nil
}

// stackBuffer is memory that is used again, so that single rows need no new memory.
type stackBuffer struct {
	values    []float64 // of a member, or of the meta-learner
	predicted []float64 // by all members, and the columns that are passed on
}

// decide writes the predictions for the rows of the meta-learner's table.
func (p *stackPredictor) decide(dst []float64, predicted *data.Frame) error {
	if p.decision == nil {
		return p.metaModel.Predict(dst, predicted, nil)
	}
	w := p.metaModel.Width()
	response := make([]float64, predicted.Rows()*w)
	if err := p.metaModel.Predict(response, predicted, nil); err != nil {
		return err
	}
	for i := range dst {
		dst[i] = float64(p.decision.Label(response[i*w : (i+1)*w]))
	}
	return nil
}
