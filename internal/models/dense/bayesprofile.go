package dense

import (
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/model"
)

// BayesProfile is the distribution of a numeric column, or the fraction of a category, in each
// class.
type BayesProfile struct {
	Name string `json:"name"`
	// by class, in the unit of the column, as Deviation is
	Mean        []float64 `json:"mean,omitempty"`
	Deviation   []float64 `json:"deviation,omitempty"`
	Probability []float64 `json:"probability,omitempty"` // by class
}

// BayesProfiles is what a model has of its classes.
type BayesProfiles struct {
	Classes []string       `json:"classes"`
	Prior   []float64      `json:"prior"`
	Columns []BayesProfile `json:"columns"`
}

// Profiles returns what the model has of its classes, in the units of the columns.
func (m *Bayes) Profiles() BayesProfiles {
	p := BayesProfiles{Classes: m.Meta.Classes, Prior: m.Prior, Columns: []BayesProfile{}}
	names, width := m.Encoding.Names(&m.Meta.Schema), m.Encoding.Width()
	at := 0
	for i := range m.Encoding.Columns {
		column := &m.Encoding.Columns[i]
		for range column.Width() {
			own := BayesProfile{Name: names[at]}
			for c := range m.Prior {
				a, v := m.Mean[c*width+at], m.Variance[c*width+at]
				if column.Numeric() {
					own.Mean = append(own.Mean, column.number(a))
					own.Deviation = append(own.Deviation, math.Sqrt(v)*column.Scale)
				} else {
					own.Probability = append(own.Probability, a)
				}
			}
			p.Columns = append(p.Columns, own)
			at++
		}
	}
	return p
}

// digits of the numbers that are listed.
const bayesDigits = 4

// Describe lists for each class its prior, mean ± standard deviation of the numeric columns, and
// probabilities of the categories.
func (m *Bayes) Describe() model.Description {
	p := m.Profiles()
	t := model.NewTable("column")
	prior := []string{"(prior)"}
	for c, w := range p.Prior {
		t.Columns = append(t.Columns, model.TableColumn{Name: humanize.Name(p.Classes[c])})
		prior = append(prior, humanize.NarrowPercent(w))
	}
	t.Add(prior...)
	for _, column := range p.Columns {
		row := []string{humanize.Name(column.Name)}
		for c := range p.Prior {
			if column.Probability != nil {
				row = append(row, humanize.NarrowPercent(column.Probability[c]))
			} else {
				row = append(row, humanize.Number(column.Mean[c], bayesDigits)+" ± "+
					humanize.Number(column.Deviation[c], bayesDigits))
			}
		}
		t.Add(row...)
	}
	words := fmt.Sprintf("%d, one for each class, of %s", len(m.Prior),
		humanize.Count(len(m.Encoding.Columns), "column", "columns"))
	return model.Description{Title: "profiles", Words: words, Table: t, Content: p}
}
