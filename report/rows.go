package report

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// rowReport is the content of the section about single rows.
type rowReport struct {
	Scale   string // of contributions; "" = there are none
	Missing string // why there are none
	Classes []string
	Judged  bool // rows have errors, and those with the greatest come first
	Rows    []rowLine
}

// rowLine is a row with its prediction and the strongest reasons.
type rowLine struct {
	Row        int32 // of the table, from 1
	Label      any
	Prediction any
	Response   []number // probabilities, or numbers
	Wrong      number   // see subject.wrongness
	Of         string
	Reasons    []reason
}

// reason is the contribution of a feature to the prediction of a row.
type reason struct {
	Feature string
	Value   string
	Contrib number
}

// The numbers of rows and of their reasons.
const (
	worstRows     = 40
	otherRows     = 40
	reasonsOfRows = 5
)

func (r *rowReport) parts() []piece {
	var parts []piece
	if r.Missing != "" {
		parts = append(parts, note("%s", r.Missing))
	}
	if r.Scale != "" {
		parts = append(parts, paragraph("Contributions are to the %s: bars to the right, in orange, "+
			"raise it, and bars to the left, in blue, lower it.", scaleOf(r.Scale, r.of())))
	}
	labeled := slices.ContainsFunc(r.Rows, func(l rowLine) bool { return l.Label != nil })
	caption := "Rows of the table, chosen at random"
	if r.Judged {
		caption = "Rows of the table: the worst ones, then random ones"
	}
	g := &grid{Caption: caption, Class: "rows", Tall: true,
		Columns: []column{{Name: "row", Sort: true}}}
	if labeled {
		g.Columns = append(g.Columns, column{Name: "label", Sort: true})
	}
	g.Columns = append(g.Columns, column{Name: "prediction", Sort: true})
	if r.Judged {
		g.Columns = append(g.Columns, column{Name: r.wrongWords(), Class: "number", Sort: true})
	}
	if r.Scale != "" {
		g.Columns = append(g.Columns,
			column{Name: "strongest contributions (" + r.Scale + ")", Class: "long"})
	}
	most := number(0)
	for _, l := range r.Rows {
		for _, reason := range l.Reasons {
			most = max(most, reason.Contrib, -reason.Contrib)
		}
	}
	for i := range r.Rows {
		l := &r.Rows[i]
		line := []cell{count(int(l.Row))}
		if labeled {
			line = append(line, valueCell(l.Label))
		}
		line = append(line, r.predicted(l))
		if r.Judged {
			line = append(line, amount(l.Wrong, 3))
		}
		if r.Scale != "" {
			line = append(line, cell{Inner: reasonsOf(l.Reasons, most)})
		}
		g.Rows = append(g.Rows, line)
	}
	parts = append(parts, table(g))
	if len(r.Rows) > printedRows {
		parts = append(parts, el("p", class("print"), fmt.Sprint(printedRows, " rows are printed.")))
	}
	return parts
}

// printedRows is the number of rows that the style sheet prints.
const printedRows = 15

// of names what contributions are to: a class or label, or the predicted ones.
func (r *rowReport) of() string {
	of := "the prediction"
	for i, l := range r.Rows {
		if i > 0 && l.Of != of {
			return "the predicted class"
		}
		of = l.Of
	}
	return of
}

func (r *rowReport) wrongWords() string {
	if r.Classes != nil {
		return "1 − probability of the label"
	}
	return "error"
}

// predicted writes the prediction of a row: a class with its probability, or a number.
func (r *rowReport) predicted(l *rowLine) cell {
	c := valueCell(l.Prediction)
	if at := slices.Index(r.Classes, c.Text); at >= 0 && len(l.Response) == len(r.Classes) &&
		len(l.Response) > 1 {
		c.Text += " (" + share(float64(l.Response[at]), 1) + ")"
	}
	return c
}

// reasonsOf lists the contributions of a row as bars to both sides of 0.
func reasonsOf(reasons []reason, most number) piece {
	return el("ul", class("reasons"), each(reasons, func(r reason) piece {
		value := numberWords(r.Contrib, 3)
		if r.Contrib > 0 {
			value = "+" + value
		}
		return el("li", gauge(r.Contrib, -most, most, 0, 0), el("span", r.Feature+" = "+r.Value),
			el("b", strings.Replace(value, "-", "−", 1)))
	}))
}

func rowsOf(ctx context.Context, s *subject) (content, error) {
	if s.data == nil {
		return nil, errNoTable
	}
	chosen := s.chosenRows()
	r := &rowReport{Classes: s.classes(), Judged: s.judged()}
	responses, labels, err := s.predict(chosen)
	if err != nil {
		return nil, err
	}
	e, err := s.explain(ctx)
	if absent := (*missingError)(nil); errors.As(err, &absent) {
		r.Missing = absent.reason
	} else if err != nil {
		return nil, err
	} else {
		r.Scale = s.scaleWords()
	}
	for i, row := range chosen {
		l := rowLine{Row: row + 1, Response: numbers(responses[i]), Prediction: number(responses[i][0]),
			Label: s.labelOf(row)}
		if classes := s.spec.Classes; s.spec.Labels() && labels[i] < len(classes) {
			l.Prediction = classes[labels[i]]
		}
		if r.Judged {
			l.Wrong = number(s.wrongness(int(row)))
		}
		if e != nil {
			l.Of, l.Reasons = e.reasons(s, row, labels[i])
		}
		r.Rows = append(r.Rows, l)
	}
	return r, nil
}

// chosenRows returns the rows of the section, chosen once: those that are predicted worst, then
// random ones. Of models that are slow to explain they are among the explained rows.
func (s *subject) chosenRows() []int32 {
	if s.chosen != nil {
		return s.chosen
	}
	from := data.AllRows(s.data.Rows())
	if s.explainable() != nil {
		if _, slow := s.explainedNumber(); slow {
			from = s.explainedSample()
		}
	}
	if s.judged() {
		ordered := slices.Clone(from)
		slices.SortStableFunc(ordered, func(a, b int32) int {
			return cmp.Compare(s.wrongness(int(b)), s.wrongness(int(a)))
		})
		s.chosen = ordered[:min(worstRows, len(ordered))]
	}
	for _, row := range thinned(from, otherRows) {
		if !slices.Contains(s.chosen, row) {
			s.chosen = append(s.chosen, row)
		}
	}
	return s.chosen
}

// judged reports whether the prediction of a single row is right or wrong. That of a ranking or of
// a hazard is so beside other rows alone.
func (s *subject) judged() bool {
	return s.sample != nil &&
		(s.sample.Class != nil && s.sample.Width > 1 || s.spec.Task == data.Regression)
}

// wrongness orders rows by their errors: of classes 1 - the probability of the label, of numbers
// the distance to the label.
func (s *subject) wrongness(row int) float64 {
	switch p := s.sample.Pred[row*s.sample.Width:]; {
	case s.sample.Class != nil && s.sample.Width > 1:
		return 1 - p[s.sample.Class[row]]
	case s.sample.Y != nil:
		return math.Abs(s.sample.Y[row] - p[0])
	}
	return 0
}

// predict returns the responses of rows, and the classes that are chosen by them.
func (s *subject) predict(rows []int32) (responses [][]float64, labels []int, err error) {
	o := s.predicting()
	o.Output = model.Response
	p, err := s.model.Bind(&s.data.Schema, o)
	if err != nil {
		return nil, nil, err
	}
	all := make([]float64, len(rows)*p.Width())
	if err := p.Predict(all, s.data.Frame, rows); err != nil {
		return nil, nil, err
	}
	for i := range rows {
		response := all[i*p.Width() : (i+1)*p.Width()]
		responses = append(responses, response)
		label := 0
		if s.spec.Labels() {
			label = s.spec.Decision.Label(response)
		}
		labels = append(labels, label)
	}
	return responses, labels, nil
}

// reasons returns the strongest contributions to the prediction of a row, and the class or label
// that they are of. It is the positive one of two classes; among more it is the predicted one.
func (e *explained) reasons(s *subject, row int32, class int) (of string, all []reason) {
	k := 0
	switch {
	case len(e.scores) == 2 && s.positive() >= 0:
		k = s.positive()
	case len(e.scores) > 1 && class < len(e.scores):
		k = class
	}
	values := e.values.Row(slices.Index(e.all, row), k)
	order := make([]int, len(values))
	for f := range order {
		order[f] = f
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(math.Abs(values[b]), math.Abs(values[a]))
	})
	for _, f := range order[:min(reasonsOfRows, len(order))] {
		if values[f] == 0 {
			break
		}
		name := s.spec.Schema.Fields[f].Name
		all = append(all, reason{featureName(&s.spec.Schema.Fields[f]), s.cellText(name, row),
			number(e.sign * values[f])})
	}
	return e.scores[k], all
}
