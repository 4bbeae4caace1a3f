package dense

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
)

// Term is a column, or a category of one, with its coefficients.
type Term struct {
	Name string `json:"name"`
	// Coef is by how much each score rises with a unit of the column, or where the row has the
	// category; Standard with a standard deviation of the column. They are the same for categories.
	Coef     coefficients `json:"coefficient"`
	Standard []float64    `json:"standardised"`
	numeric  bool
}

// Equation is the model in the units of its columns: Constant + sum of coefficient times value. A
// missing number counts as the mean of the training rows, an unknown category as their fractions.
//
// The unit of a column may be so small, or its mean so large, that no float64 holds its coefficient
// or the constant. These are then ±Inf, or NaN where such numbers are subtracted. The standardised
// coefficients are always finite.
type Equation struct {
	Scores []string `json:"scores,omitempty"` // names, where there are several
	// Class is what the only score of two classes points towards, whichever of them is positive
	Class    string       `json:"class,omitempty"`
	Constant coefficients `json:"constant"`
	Terms    []Term       `json:"terms"`
}

// coefficients is a list whose JSON has null for ±Inf and NaN, which JSON has no numbers for.
type coefficients []float64

// MarshalJSON implements json.Marshaler.
func (n coefficients) MarshalJSON() ([]byte, error) {
	list := make([]*float64, len(n))
	for i := range n {
		if !math.IsInf(n[i], 0) && !math.IsNaN(n[i]) {
			list[i] = &n[i]
		}
	}
	return json.Marshal(list)
}

// Equation returns the model in the units of its columns.
func (m *Linear) Equation() Equation {
	e := Equation{Terms: []Term{}}
	scores := len(m.Bias)
	e.Constant = append(e.Constant, m.Bias...)
	if scores > 1 {
		for s := range scores {
			e.Scores = append(e.Scores, m.scoreName(s))
		}
	} else if m.Meta.Task.Classes() && len(m.Meta.Classes) == 2 {
		e.Class = m.Meta.Classes[1]
	}
	names := m.Encoding.Names(&m.Meta.Schema)
	at := 0
	for i := range m.Encoding.Columns {
		c := &m.Encoding.Columns[i]
		for range c.Width() {
			t := Term{Name: names[at], numeric: c.Numeric()}
			for s := range scores {
				b := m.Of(s)[at]
				t.Standard = append(t.Standard, b)
				if c.Numeric() {
					b /= c.Scale
					e.Constant[s] -= float64(b * c.Mean)
				}
				t.Coef = append(t.Coef, b)
			}
			e.Terms = append(e.Terms, t)
			at++
		}
	}
	return e
}

// scoreName names one of several scores.
func (m *Linear) scoreName(s int) string {
	if m.Meta.Task.Classes() && s < len(m.Meta.Classes) {
		return m.Meta.Classes[s]
	}
	return fmt.Sprintf("score %d", s)
}

// digits of the numbers that are listed.
const linearDigits = 6

// Describe lists the Equation: of one score each coefficient by unit and by standard deviation, of
// several those by unit.
func (m *Linear) Describe() model.Description {
	e := m.Equation()
	words := m.words()
	if e.Class != "" {
		words += ", towards " + humanize.Name(e.Class)
	}
	return model.Description{Title: "weights", Words: words,
		Table: e.table(len(m.Bias) == 1, m.Link == link.Link(link.Hazard())), Content: e}
}

// words counts the coefficients.
func (m *Linear) words() string {
	n, columns := m.Encoding.Width(), len(m.Encoding.Columns)
	words := fmt.Sprintf("%d, and a constant, for %s", n,
		humanize.Count(columns, "column", "columns"))
	if s := len(m.Bias); s > 1 {
		words += fmt.Sprintf(", of each of %d scores", s)
	}
	return words
}

// table lists the equation, of one score or of several. Of hazards it lists by which factor a unit
// of each column multiplies them.
func (e *Equation) table(one, hazard bool) *model.Table {
	t := &model.Table{Columns: []model.TableColumn{{Name: "term", Text: true}}}
	if one {
		t.Columns = append(t.Columns, model.Numbers("coefficient", "per deviation")...)
	}
	for _, score := range e.Scores {
		t.Columns = append(t.Columns, model.TableColumn{Name: humanize.Name(score)})
	}
	if hazard {
		t.Columns = append(t.Columns, model.Numbers("hazard ratio")...)
	}
	row := func(cells []string, ratio string) {
		if hazard {
			cells = append(cells, ratio)
		}
		t.Add(cells...)
	}
	row(cells("(constant)", e.Constant, one, ""), "")
	for i := range e.Terms {
		term := &e.Terms[i]
		standard := ""
		if term.numeric {
			standard = humanize.Number(term.Standard[0], linearDigits)
		}
		row(cells(humanize.Name(term.Name), term.Coef, one, standard),
			humanize.Number(kernel.Exp(term.Coef[0]), linearDigits))
	}
	return t
}

// cells is a row: a name, numbers, and of one score the coefficient by standard deviation.
func cells(name string, numbers []float64, one bool, standard string) []string {
	row := []string{name}
	for _, x := range numbers {
		row = append(row, humanize.Number(x, linearDigits))
	}
	if one {
		row = append(row, standard)
	}
	return row
}
