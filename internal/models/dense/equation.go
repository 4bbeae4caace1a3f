package dense

import (
	"fmt"

	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
)

// Equation returns the model in the units of its columns.
func (m *Linear) Equation() model.Equation {
	e := model.Equation{Terms: []model.Term{}}
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
			t := model.Term{Name: names[at], Numeric: c.Numeric()}
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
		Table: equationTable(&e, len(m.Bias) == 1, m.Link == link.Link(link.Hazard())), Content: e}
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

// equationTable lists an equation, of one score or of several. Of hazards it lists by which factor
// a unit of each column multiplies them.
func equationTable(e *model.Equation, one, hazard bool) *model.Table {
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
		if term.Numeric {
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
