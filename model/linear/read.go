package linear

import (
	"fmt"

	"github.com/coppice-ml/coppice/internal/humanize"
)

// Size is how many coefficients there are.
func (m *Linear) Size() (name, words string) {
	n, columns := m.Encoding.Width(), len(m.Encoding.Columns)
	words = fmt.Sprintf("%d, and a constant, for %s", n, humanize.Count(columns, "column", "columns"))
	if s := len(m.Bias); s > 1 {
		words += fmt.Sprintf(", of each of %d scores", s)
	}
	return "weights", words
}

// Term is a column, or a category of one, with its coefficients.
type Term struct {
	Name string `json:"name"`
	// Coef is by how much each score rises with a unit of the column, or where the row has the
	// category; Standard with a standard deviation of the column. They are the same for categories.
	Coef     []float64 `json:"coefficient"`
	Standard []float64 `json:"standardised"`
	numeric  bool
}

// Equation is the model in the units of its columns: Constant + sum of coefficient times value. A
// missing number counts as the mean of the training rows, an unknown category as their fractions.
type Equation struct {
	Scores   []string  `json:"scores,omitempty"` // names, where there are several
	Constant []float64 `json:"constant"`
	Terms    []Term    `json:"terms"`
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

// Content returns the Equation.
func (m *Linear) Content() any { return m.Equation() }

// digits of the numbers in Table.
const digits = 6

// Table lists the equation: of one score each coefficient by unit and by standard deviation, of
// several those by unit.
func (m *Linear) Table() (heading []string, rows [][]string) {
	e := m.Equation()
	heading = append([]string{"term"}, e.Scores...)
	one := len(m.Bias) == 1
	if one {
		heading = []string{"term", "coefficient", "per deviation"}
	}
	line := func(name string, numbers ...float64) {
		row := []string{name}
		for _, x := range numbers {
			row = append(row, humanize.Number(x, digits))
		}
		rows = append(rows, row)
	}
	line("(constant)", e.Constant...)
	if one {
		rows[0] = append(rows[0], "")
	}
	for _, t := range e.Terms {
		line(t.Name, t.Coef...)
		if !one {
			continue
		}
		standard := ""
		if t.numeric {
			standard = humanize.Number(t.Standard[0], digits)
		}
		last := &rows[len(rows)-1]
		*last = append(*last, standard)
	}
	return heading, rows
}
