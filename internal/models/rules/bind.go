package rules

import (
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// Bind matches the model's columns by name to those of a table. Response and Raw are the class
// probabilities, Label is what the rule that decides predicts, Leaf its place in List.
// Options.Rounds is ignored: a rule has no meaning without those before it.
func (m *Rules) Bind(s *data.Schema, o model.Options) (model.Predictor, error) {
	p := m.compile()
	k := model.RowEvaluator{Columns: p.columns, Width: 1}
	var predict func(dst, row []float64)
	switch o.Output {
	case model.Quantiles:
		return nil, model.ErrNoQuantiles
	case model.Leaf:
		predict = func(dst, row []float64) { dst[0] = float64(p.decides(row)) }
	case model.Label:
		labels := m.Labels()
		predict = func(dst, row []float64) { dst[0] = float64(labels[p.decides(row)]) }
	default:
		k.Width = m.Outputs()
		probabilities := m.Probabilities()
		predict = func(dst, row []float64) { copy(dst, probabilities[p.decides(row)]) }
	}
	k.Start = func() func(dst, row []float64) { return predict }
	return k.Bind(&m.Meta.Schema, s, o.Workers)
}

// Probabilities returns the response of each rule.
func (m *Rules) Probabilities() [][]float64 {
	probabilities := make([][]float64, len(m.List))
	present := make([]float64, m.Outputs())
	classes := 0.0
	for _, r := range m.List {
		for k, w := range r.Value {
			if w > 0 && present[k] == 0 {
				present[k] = 1
				classes++
			}
		}
	}
	for i, r := range m.List {
		total := classes
		for _, w := range r.Value {
			total += w
		}
		probabilities[i] = make([]float64, len(r.Value))
		for k, w := range r.Value {
			probabilities[i][k] = (w + present[k]) / total
		}
	}
	return probabilities
}

// Labels returns the class that each rule predicts: that of the largest probability, or where the
// model has costs that of least expected cost.
func (m *Rules) Labels() []int {
	labels := make([]int, len(m.List))
	for i, probabilities := range m.Probabilities() {
		labels[i] = m.Meta.Decision.Label(probabilities)
	}
	return labels
}

// program is a list of rules whose conditions test places in the row buffer.
type program struct {
	columns []int32
	rules   [][]test
}

// test is a condition.
type test struct {
	Condition
	at int // place of the feature in the row buffer
}

func (m *Rules) compile() *program {
	p := &program{}
	for i := range m.List {
		for _, c := range m.List[i].If {
			p.columns = append(p.columns, c.Feature)
		}
	}
	slices.Sort(p.columns)
	p.columns = slices.Compact(p.columns)
	for i := range m.List {
		tests := make([]test, len(m.List[i].If))
		for k, c := range m.List[i].If {
			at, _ := slices.BinarySearch(p.columns, c.Feature)
			tests[k] = test{c, at}
		}
		p.rules = append(p.rules, tests)
	}
	return p
}

// decides returns the first rule all of whose conditions hold.
func (p *program) decides(row []float64) int {
	for i, tests := range p.rules {
		if all(tests, row) {
			return i
		}
	}
	return len(p.rules) - 1 // never reached: the last rule has no condition
}

func all(tests []test, row []float64) bool {
	for i := range tests {
		c, x := &tests[i].Condition, row[tests[i].at]
		switch {
		case c.Kind <= Above:
			if !c.matchesNumber(x) {
				return false
			}
		case !c.matchesCode(data.CodeOf(x)):
			return false
		}
	}
	return true
}
