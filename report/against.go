package report

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
)

// Against is another model, B, which a section compares with the model of the page, A.
type Against struct {
	Model model.Model
	Name  string // such as that of its file; "" = its learner
	// Data is the table as this model reads it, with the same rows; nil: that of the page.
	Data *data.Dataset
}

// againstReport is the content of the section that compares two models.
type againstReport struct {
	Facts       []fact2 // of both models, where they have them
	Rows        int
	Different   int
	Labels      *int // rows that are labeled differently
	Largest     number
	Mean        number
	Metrics     []metricPair
	Undefined   string    // why there are no metrics
	Classes     []string  // of the labels
	Agreement   [][]int64 // [label of A][label of B]
	Outputs     []string
	First       int        // the output that is drawn alone, of two; -1 = all are drawn
	A           [][]number // by output and drawn row
	B           [][]number
	Slices      []slicePair
	Importances []Importance
	Most        []rowPair // the rows that differ most
}

// fact2 is a line about two models.
type fact2 struct {
	Name string
	A    string
	B    string
}

// metricPair is a metric of two models with a paired test.
type metricPair struct {
	Name   string
	Help   string
	A      number
	B      number
	Low    number // the interval of B - A
	High   number
	P      number
	Better string // A or B; "" = the interval has 0
}

// slicePair is rows in which two models differ, with their mean |difference|.
type slicePair struct {
	Rule string
	Rows int
	Mean number
}

// rowPair is a row with the predictions of two models.
type rowPair struct {
	Row   int // of the table, from 1
	Label any
	A     any
	B     any
	Gap   number
}

// pairedRows is the number of listed rows that two models predict most differently.
const pairedRows = 20

func againstOf(ctx context.Context, s *subject) (content, error) {
	switch {
	case s.options.Against == nil:
		return nil, errLeftOut
	case s.data == nil:
		return nil, errNoTable
	}
	a, b, err := s.sides()
	if err != nil {
		return nil, err
	}
	c, err := Compare(ctx, *a, *b, CompareOptions{Seed: s.options.Seed,
		Workers: s.options.Workers, Memory: s.options.Memory})
	if err != nil {
		return nil, err
	}
	r := &againstReport{Facts: factsOfBoth(a, b), Rows: c.Rows, Different: c.Different,
		Labels: c.Labels, Largest: number(c.Largest), Mean: number(c.Mean),
		Importances: c.Importances, Outputs: s.outputNames()}
	r.First = s.positive()
	if c.Undefined != nil {
		r.Undefined = c.Undefined.Error()
	}
	for _, d := range c.Metrics {
		m, _ := metric.Lookup(d.Name)
		pair := metricPair{Name: d.Name, Help: m.Help, A: number(d.A), B: number(d.B),
			Low: number(d.Low), High: number(d.High), P: number(d.P)}
		if d.Low > 0 || d.High < 0 {
			pair.Better = map[bool]string{true: "B", false: "A"}[d.B > d.A == d.Higher]
		}
		r.Metrics = append(r.Metrics, pair)
	}
	for _, found := range c.Slices {
		r.Slices = append(r.Slices, slicePair{found.Rule, found.Rows, number(found.Mean)})
	}
	r.addRows(s, c)
	return r, nil
}

// sides returns both models with their tables.
func (s *subject) sides() (a, b *Side, err error) {
	other := s.options.Against
	a = &Side{Name: cmp.Or(s.options.Model, s.spec.Learner), Model: s.model,
		Rows: s.data.Frame}
	a.Importances, _ = bySplits(s.model)
	b = &Side{Name: cmp.Or(other.Name, other.Model.Spec().Learner), Model: other.Model,
		Rows: s.data.Frame}
	b.Importances, _ = bySplits(other.Model)
	if s.sample != nil {
		a.Labeled, b.Labeled = s.data, s.data
	}
	if other.Data == nil {
		return a, b, nil
	}
	b.Rows, b.Labeled = other.Data.Frame, nil
	if s.sample != nil && labeled(other.Data) {
		own := *other.Data
		err = matchClasses(&own, other.Model.Spec())
		b.Labeled = &own
	}
	return a, b, err
}

// factsOfBoth lists what the models are, and the parameters in which two of a learner differ.
func factsOfBoth(a, b *Side) []fact2 {
	sa, sb := a.Model.Spec(), b.Model.Spec()
	da, db := a.Model.Describe(), b.Model.Describe()
	all := []fact2{{"model", a.Name, b.Name}, {"learner", sa.Learner, sb.Learner},
		{"consists of", da.Title + ": " + da.Words, db.Title + ": " + db.Words}}
	if rows := [2]string{trainingRows(a.Model), trainingRows(b.Model)}; rows != [2]string{} {
		all = append(all, fact2{"training rows", rows[0], rows[1]})
	}
	if ta, tb := sa.TrainedOn, sb.TrainedOn; ta != nil && tb != nil {
		all = append(all, fact2{"seed", fmt.Sprint(ta.Seed), fmt.Sprint(tb.Seed)},
			fact2{"hash of the training rows", ta.Table.String(), tb.Table.String()})
	}
	if sa.Learner != sb.Learner {
		return all
	}
	values := map[string]string{}
	for _, p := range parametersOf(sb).All() {
		values[p.Name] = p.Value()
	}
	for _, p := range parametersOf(sa).All() {
		if other, known := values[p.Name]; known && other != p.Value() {
			all = append(all, fact2{p.Name, p.Value(), other})
		}
	}
	return all
}

// addRows adds what single rows are made of: the points of the chart, how labels agree, and the
// rows that differ most.
func (r *againstReport) addRows(s *subject, c *Comparison) {
	a, b := &c.Predictions[0], &c.Predictions[1]
	drawn := thinned(s.drawn, shownPoints/min(a.Width, shownClasses))
	for k := range min(a.Width, shownClasses) {
		var pa, pb []number
		for _, row := range drawn {
			at := int(row)*a.Width + k
			pa, pb = append(pa, number(a.Values[at])), append(pb, number(b.Values[at]))
		}
		r.A, r.B = append(r.A, pa), append(r.B, pb)
	}
	if c.Labels != nil {
		r.Classes = s.spec.Classes
		r.Agreement = make([][]int64, len(r.Classes))
		for i := range r.Agreement {
			r.Agreement[i] = make([]int64, len(r.Classes))
		}
		for i, label := range a.Labels {
			r.Agreement[int(label)][int(b.Labels[i])]++
		}
	}
	gaps := make([]float64, c.Rows)
	for i := range gaps {
		gaps[i] = c.gap(i)
	}
	order := data.AllRows(c.Rows)
	slices.SortStableFunc(order, func(i, j int32) int { return cmp.Compare(gaps[j], gaps[i]) })
	for _, row := range order[:min(pairedRows, len(order))] {
		if gaps[row] == 0 {
			break
		}
		r.Most = append(r.Most, rowPair{Row: int(row) + 1, Label: s.labelOf(row),
			A: r.words(a, int(row)), B: r.words(b, int(row)), Gap: number(gaps[row])})
	}
}

// words writes the prediction of a row: a class with its probability, or a number.
func (r *againstReport) words(p *Predictions, row int) any {
	values := p.Values[row*p.Width : (row+1)*p.Width]
	if len(r.Classes) != p.Width {
		return number(values[0])
	}
	label := int(p.Labels[row])
	return fmt.Sprintf("%s (%.1f %%)", r.Classes[label],
		math.Round(float64(values[label]*1000))/10)
}
