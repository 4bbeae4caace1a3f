package anyboost_test

import (
	"context"
	"errors"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/param"
)

// ramp is a base that is no tree: a straight line of the first column, fitted by least squares,
// whose constant and slope are then multiplied by factors.
type ramp struct{ Constant, Slope float64 }

func newRamp() *ramp { return &ramp{1, 1} }

func (l *ramp) Params() param.Set {
	return param.Set{
		param.Float(&l.Constant, "constant", 1, -9, 9, "factor on the constant"),
		param.Float(&l.Slope, "slope", 1, -9, 9, "factor on the slope"),
	}
}

func (*ramp) Capabilities() learn.Capabilities { return learn.Capabilities{} }

func (l *ramp) Prepare(_ context.Context, features data.Features, rows []int32, _ []float64,
	_ learn.Env) (learn.Fitter, error) {
	f, err := features.InMemory()
	if err != nil {
		return nil, err
	}
	return &ramps{*l, f, rows}, nil
}

type ramps struct {
	ramp
	frame *data.Frame
	rows  []int32
}

func (f *ramps) Fit(_ context.Context, t *data.Target, job learn.Job) (model.Model, error) {
	if t.Task != data.Regression {
		return nil, &learn.TaskError{Learner: "ramp", Task: t.Task}
	}
	w, x, y, xx, xy := 0.0, 0.0, 0.0, 0.0, 0.0
	for _, r := range job.Rows {
		a, b, v := t.WeightAt(r), f.frame.Columns[0].Number(int(r)), t.Y[0][r]
		w, x, y, xx, xy = w+a, x+a*b, y+a*v, xx+a*b*b, xy+a*b*v
	}
	m := &slope{Meta: model.Spec{Schema: f.frame.Schema, Label: t.Name, Task: t.Task,
		Learner: "ramp"}}
	if v := xx - x*x/w; v > 0 {
		m.By = (xy - x*y/w) / v
	}
	m.At = (y - m.By*x) / w * f.Constant
	m.By *= f.Slope
	return m, nil
}

// slope is the model At + By x.
type slope struct {
	Meta   model.Spec
	At, By float64
}

func (m *slope) Spec() *model.Spec { return &m.Meta }
func (m *slope) Outputs() int      { return 1 }

func (*slope) Describe() model.Description { return model.Description{} }

func (*slope) Children() []model.Child { return nil }

func (m *slope) Bind(*data.Schema, model.Options) (model.Predictor, error) {
	return m, nil
}
func (m *slope) Width() int { return 1 }
func (m *slope) Predict(dst []float64, f *data.Frame, rows []int32) error {
	if rows == nil {
		rows = data.AllRows(f.Rows())
	}
	for i, r := range rows {
		dst[i] = m.At + m.By*f.Columns[0].Number(int(r))
	}
	return nil
}
func (m *slope) PredictSparse([]float64, []int32, []float64) error {
	return errors.New("not called")
}

func (m *slope) PredictRow(dst, row []float64) error {
	if math.IsNaN(row[0]) {
		row[0] = 0
	}
	dst[0] = m.At + m.By*row[0]
	return nil
}
