package explain

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/model"
)

// Reason is what a column contributes to the prediction of a row.
type Reason struct {
	// Column is the table's: features that were made of one column of dates or texts are added up.
	Column string
	// Value is the row's value as text: a level, a number in all its digits, or a date. It is ""
	// where the value is missing or a category that the model does not have, and of texts, of which
	// a model has their parts.
	Value string
	// Effect is the contribution to the raw score, as Shapley has it: towards the positive one of
	// two classes, or the predicted one of several. Those of all columns and the bias add up to the
	// score.
	Effect float64
	// Towards is the class that the reason speaks for; "" if it speaks against the predicted one of
	// several. Of numbers it is "up" or "down".
	Towards string
}

// ReasonOptions are the choices of NewReasons. The zero value gives reasons without a background
// for the first output.
type ReasonOptions struct {
	ShapleyOptions
	Score int // the output that is explained, of models of several numbers; of classes not used
}

// Reasons finds the columns with the largest effect on single predictions. Its tables are made
// once. It is safe for concurrent use. The bits of a row's reasons depend on no other row.
type Reasons struct {
	Shapley *ShapleyExplainer // has the values and the bias, of rows of the model's features

	spec     *model.Spec
	values   model.Predictor // of the model's features, for rows of the schema that was bound
	response model.Predictor // nil: the class that is explained does not depend on the row
	score    int             // that is explained if there is no response
	columns  []reasonColumn
	workers  int
	scratch  sync.Pool // of *reasonScratch
}

// reasonColumn is a column of the table with the features that are made of it.
type reasonColumn struct {
	name     string
	features []int
}

// reasonScratch is what one row needs.
type reasonScratch struct {
	values, effects, response []float64
	sums                      []float64 // by column
	order                     []int     // of the columns
}

// NewReasons prepares to give reasons for rows of a schema. The errors are those of Shapley, and of
// an output that the model does not have.
func NewReasons(
	ctx context.Context, m model.Model, s *data.Schema, o ReasonOptions,
) (*Reasons, error) {
	spec := m.Spec()
	x, err := NewShapleyExplainer(ctx, m, &spec.Schema, o.ShapleyOptions)
	if err != nil {
		return nil, err
	}
	r := &Reasons{Shapley: x, spec: spec, workers: parallel.Workers(o.Workers)}
	if r.values, err = features(spec).Bind(&spec.Schema, s, 1); err != nil {
		return nil, err
	}
	switch {
	case x.Classes == nil:
		r.score = o.Score
	case len(x.Classes) > 1 && spec.Positive() >= 0:
		r.score = spec.Positive()
	case len(x.Classes) > 1:
		r.response, err = m.Bind(&spec.Schema, model.Options{Rounds: o.Rounds, Workers: 1})
	}
	if err == nil && (r.score < 0 || r.score >= x.Scores) {
		err = fmt.Errorf("reasons for output %d: the model has %s", r.score,
			humanize.Count(x.Scores, "output", "outputs"))
	}
	place := map[string]int{}
	for i := range spec.Schema.Fields {
		name := spec.Schema.Fields[i].Source()
		at, known := place[name]
		if !known {
			at = len(r.columns)
			place[name] = at
			r.columns = append(r.columns, reasonColumn{name: name})
		}
		r.columns[at].features = append(r.columns[at].features, i)
	}
	return r, err
}

// features is an evaluator of the values of a model's features, as PredictRow takes them.
func features(s *model.Spec) model.RowEvaluator {
	k := model.RowEvaluator{Width: len(s.Schema.Fields), Start: func() func(dst, row []float64) {
		return func(dst, row []float64) { copy(dst, row) }
	}}
	for i := range s.Schema.Fields {
		k.Columns = append(k.Columns, int32(i))
	}
	return k
}

// Row returns the n columns with the largest effects on the prediction of a row, the largest first
// and equal ones in the order of the model's columns. Columns without an effect are left out. The
// values are in the order of the schema that was bound, as for model.Predictor.PredictRow, whose
// errors it returns.
func (r *Reasons) Row(values []float64, n int) ([]Reason, error) {
	s := r.newScratch()
	defer r.scratch.Put(s)
	if err := r.values.PredictRow(s.values, values); err != nil {
		return nil, err
	}
	return r.row(s, s.values, n)
}

// Table returns what Row does for some rows of a table, nil = all. Columns are found by name and
// categories by text, as model.Predictor.Predict does. The errors are those of Predict and
// ctx.Err().
func (r *Reasons) Table(
	ctx context.Context, f *data.Frame, rows []int32, n int,
) ([][]Reason, error) {
	rows = f.Chosen(rows)
	const most = 1 << 20 // numbers of rows that are held at a time
	width := len(r.spec.Schema.Fields)
	block := max(1, most/max(1, width))
	values := make([]float64, min(block, len(rows))*width)
	reasons := make([][]Reason, len(rows))
	for from := 0; from < len(rows); from += block {
		now := rows[from:min(from+block, len(rows))]
		if err := r.values.Predict(values, f, now); err != nil {
			return nil, err
		}
		err := parallel.Try(ctx, r.workers, len(now), func(_, i int) (err error) {
			s := r.newScratch()
			defer r.scratch.Put(s)
			reasons[from+i], err = r.row(s, values[i*width:(i+1)*width], n)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return reasons, nil
}

func (r *Reasons) newScratch() *reasonScratch {
	if s, _ := r.scratch.Get().(*reasonScratch); s != nil {
		return s
	}
	width := len(r.spec.Schema.Fields)
	s := &reasonScratch{values: make([]float64, width),
		effects: make([]float64, width*r.Shapley.Scores), sums: make([]float64, len(r.columns))}
	if r.response != nil {
		s.response = make([]float64, r.response.Width())
	}
	return s
}

// row returns the reasons for the values of the model's features.
func (r *Reasons) row(s *reasonScratch, values []float64, n int) ([]Reason, error) {
	if err := r.Shapley.Row(s.effects, values); err != nil {
		return nil, err
	}
	score := r.score
	if r.response != nil {
		if err := r.response.PredictRow(s.response, values); err != nil {
			return nil, err
		}
		score = r.spec.Decision.Label(s.response)
	}
	effects := s.effects[score*len(values):][:len(values)]
	s.order = s.order[:0]
	for i := range r.columns {
		sum := 0.0
		for _, feature := range r.columns[i].features {
			sum += effects[feature]
		}
		if s.sums[i] = sum; sum != 0 {
			s.order = append(s.order, i)
		}
	}
	slices.SortStableFunc(s.order, func(a, b int) int {
		return cmp.Compare(size(s.sums[b]), size(s.sums[a]))
	})
	reasons := make([]Reason, min(max(n, 0), len(s.order)))
	for i := range reasons {
		c := &r.columns[s.order[i]]
		effect := s.sums[s.order[i]]
		reasons[i] = Reason{c.name, c.text(r.spec.Schema.Fields, values), effect,
			r.towards(score, effect > 0)}
	}
	return reasons, nil
}

// size returns the size of an effect without its last bits, which depend on the memory that tables
// have: equal effects stay in the order of the columns.
func size(effect float64) float64 {
	const last = 1 << 12
	return math.Float64frombits((math.Float64bits(math.Abs(effect)) + last/2) &^ (last - 1))
}

// towards names what a reason speaks for, by the sign of its effect on a score.
func (r *Reasons) towards(score int, positive bool) string {
	switch classes := r.Shapley.Classes; {
	case classes == nil && positive:
		return "up"
	case classes == nil:
		return "down"
	case positive:
		return classes[score]
	case len(r.spec.Classes) == 2:
		return r.spec.Classes[1-r.spec.Positive()]
	}
	return ""
}

// text returns the value of a column of a row of the model's features: of dates the date, or their
// parts if the days are none of these.
func (c *reasonColumn) text(fields []data.Field, values []float64) string {
	var parts []string
	for _, i := range c.features {
		f, v := &fields[i], values[i]
		switch {
		case math.IsNaN(v) || f.Text != nil:
			continue
		case f.Kind == data.Categorical:
			if v < 0 || int(v) >= len(f.Levels) {
				return ""
			}
			return f.Levels[int(v)]
		case f.From == nil:
			return humanize.Exact(v)
		}
		if date, ok := f.DateText(v); ok {
			return date
		}
		parts = append(parts, f.From.Part.String()+"="+humanize.Exact(v))
	}
	return strings.Join(parts, " ")
}
