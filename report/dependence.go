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
	Rows     int      // that were averaged
	Outputs  []string // classes, or the label
	First    int      // the output that is drawn alone; -1 = those of all classes are drawn
	Classes  bool     // outputs are probabilities
	Features []featureDependence
}

// featureDependence is how predictions depend on a column.
type featureDependence struct {
	Name   string
	of     *feature   // its values in the rows
	values []float64  // of numbers
	names  []string   // of categories
	Mean   [][]number // by output and value: partial dependence
	// by output and value: accumulated local effects, moved to the mean prediction; nil where they
	// are not defined
	Local [][]number
	// the values of Local, which may be others
	at      []float64
	atNames []string
	Each    [][]number // by row and value, of the first output: single rows
}

// The sizes of the section.
const (
	dependenceFeatures = 8
	dependenceRows     = 300
	dependencePoints   = 24
	dependenceLines    = 30 // rows whose own curves are drawn
)

func dependenceOf(ctx context.Context, s *subject) (content, error) {
	if s.data == nil {
		return nil, errNoTable
	}
	r := &dependenceReport{Outputs: s.outputNames()}
	r.Classes = s.spec.Task.Classes()
	switch at := s.positive(); {
	case at >= 0 && at < len(r.Outputs):
		r.First = at
	case r.Classes && len(r.Outputs) > 1:
		r.First = -1
	}
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
	f := &featureDependence{Name: name, of: s.feature(name, rows)}
	f.values, f.names = axisValues(field, &d.Axes[0])
	n, width := d.Axes[0].Len(), d.Outputs
	for k := range width {
		line := make([]number, n)
		for i := range n {
			line[i] = number(d.At(i, 0)[k])
		}
		f.Mean = append(f.Mean, line)
	}
	for i := range min(dependenceLines, d.Rows) {
		if r.First < 0 {
			break
		}
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
	f.at, f.atNames = axisValues(&s.spec.Schema.Fields[s.spec.Schema.Index(f.Name)], &e.Axes[0])
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

// axisValues returns the values of an axis: numbers as charts have them, or texts.
func axisValues(field *data.Field, a *explain.Axis) (values []float64, names []string) {
	if a.Levels != nil {
		return nil, a.Levels
	}
	for _, v := range a.Values {
		values = append(values, chartNumber(field, v))
	}
	return values, nil
}
