package report

import (
	"context"
	"errors"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/model"
)

// dependenceReport is the content of the section about partial dependence.
type dependenceReport struct {
	Rows     int                 `json:"rows"`    // that were averaged
	Outputs  []string            `json:"outputs"` // classes, or the label
	First    int                 `json:"first"`   // the output that is shown first
	Classes  bool                `json:"classes"` // outputs are probabilities
	Features []featureDependence `json:"features"`
}

// featureDependence is how predictions depend on a column.
type featureDependence struct {
	Name   string     `json:"name"`
	Number bool       `json:"number"`
	Date   bool       `json:"date,omitempty"` // the numbers are dates: see chartNumber
	Values []any      `json:"values"`
	Mean   [][]number `json:"mean"` // by output and value: partial dependence
	// by output and value: accumulated local effects, moved to the mean prediction; nil where they
	// are not defined
	Local [][]number `json:"local,omitempty"`
	// At are the values of Local, where they are others than Values.
	At   []any      `json:"at,omitempty"`
	Each [][]number `json:"each"` // by row and value, of the first output: single rows
}

// The sizes of the section.
const (
	dependenceFeatures = 8
	dependenceRows     = 300
	dependencePoints   = 24
	dependenceLines    = 30 // rows whose own curves are drawn
)

func dependenceOf(ctx context.Context, s *subject) (any, error) {
	if s.data == nil {
		return nil, errNoTable
	}
	r := &dependenceReport{Outputs: s.outputNames()}
	if at := s.positive(); at >= 0 && at < len(r.Outputs) {
		r.First = at
	}
	r.Classes = s.spec.Task.Classes()
	rows := thinned(s.drawn, dependenceRows)
	points := dependencePoints
	if s.trees == nil {
		most := s.affordable(dependenceFeatures * dependencePoints)
		if most < dependenceRows {
			points /= 2
		}
		rows = thinned(rows, most)
	}
	r.Rows = len(rows)
	names, err := s.strongest(ctx, dependenceFeatures)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		f, err := r.feature(ctx, s, rows, name, points)
		if errors.Is(err, explain.ErrNoValues) {
			continue
		}
		if err != nil {
			return nil, err
		}
		r.Features = append(r.Features, *f)
	}
	if len(r.Features) == 0 {
		return nil, missing("Partial dependence: the model uses no column that has values.")
	}
	return r, nil
}

// strongest returns the columns that matter most: by Shapley values, else by splits or in the order
// of the schema.
func (s *subject) strongest(ctx context.Context, most int) ([]string, error) {
	var names []string
	e, err := s.explain(ctx)
	if absent := (*missingError)(nil); err != nil && !errors.As(err, &absent) {
		return nil, err
	}
	if err == nil {
		for _, f := range e.order {
			if e.mean[f] > 0 {
				names = append(names, s.spec.Schema.Fields[f].Name)
			}
		}
		return names[:min(most, len(names))], nil
	}
	if s.trees != nil {
		all, _ := explain.Impurity(s.trees) // without gains all features follow
		for _, i := range all {
			if i.Value > 0 && i.Columns == nil {
				names = append(names, i.Feature)
			}
		}
	}
	if names == nil {
		names = s.spec.Schema.Names()
	}
	return names[:min(most, len(names))], nil
}

// feature computes the dependence on a column.
func (r *dependenceReport) feature(
	ctx context.Context, s *subject, rows []int32, name string, points int,
) (*featureDependence, error) {
	o := explain.EffectOptions{Output: model.Response, Points: points, Individual: true,
		Workers: s.options.Workers}
	d, err := explain.PartialDependence(ctx, s.model, s.data.Frame, rows, []string{name}, o)
	if err != nil {
		return nil, err
	}
	field := &s.spec.Schema.Fields[s.spec.Schema.Index(name)]
	f := &featureDependence{Name: name, Date: isDate(field)}
	f.Values, f.Number = axisValues(field, &d.Axes[0])
	n, width := d.Axes[0].Len(), d.Outputs
	for k := range width {
		line := make([]number, n)
		for i := range n {
			line[i] = number(d.At(i, 0)[k])
		}
		f.Mean = append(f.Mean, line)
	}
	for i := range min(dependenceLines, d.Rows) {
		row := d.Individual[i*d.Rows/min(dependenceLines, d.Rows)*n*width:]
		line := make([]number, n)
		for j := range n {
			line[j] = number(row[j*width+min(r.First, width-1)])
		}
		f.Each = append(f.Each, line)
	}
	return f, r.local(ctx, s, f, d, rows, o)
}

// local adds the accumulated local effects, moved to the mean of the partial dependence. Columns
// for which they are not defined go without.
func (r *dependenceReport) local(
	ctx context.Context, s *subject, f *featureDependence, d *explain.Dependence, rows []int32,
	o explain.EffectOptions,
) error {
	e, err := explain.AccumulatedEffects(ctx, s.model, s.data.Frame, rows, []string{f.Name}, o)
	if err != nil {
		return ctx.Err()
	}
	f.At, _ = axisValues(&s.spec.Schema.Fields[s.spec.Schema.Index(f.Name)], &e.Axes[0])
	n := d.Axes[0].Len()
	for k := range e.Outputs {
		mean := 0.0
		for i := range n {
			mean += d.At(i, 0)[k] / float64(n)
		}
		line := make([]number, e.Axes[0].Len())
		for i := range line {
			line[i] = number(mean + e.Values[i*e.Outputs+k])
		}
		f.Local = append(f.Local, line)
	}
	return nil
}

// axisValues returns the values of an axis, numbers or texts.
func axisValues(field *data.Field, a *explain.Axis) (values []any, isNumber bool) {
	if a.Levels != nil {
		for _, level := range a.Levels {
			values = append(values, level)
		}
		return values, false
	}
	for _, v := range a.Values {
		values = append(values, chartNumber(field, v))
	}
	return values, true
}
