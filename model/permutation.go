package model

import (
	"fmt"
	"math"
)

// Permutation is how much worse a model predicts rows when the values of a column are permuted
// among them (Breiman 2001; Fisher, Rudin & Dominici 2019). It belongs to the model, whatever its
// learner, and to the rows that it was computed on.
type Permutation struct {
	Set string `json:"set"` // the rows: "test" or "validation"
	// what training chose by these rows, such as "pruning"; "" = nothing
	UsedFor string     `json:"used_for,omitempty"`
	Rows    int        `json:"rows"`
	Metric  string     `json:"metric"`           // its name in package metric
	Higher  bool       `json:"higher_is_better"` // of the metric
	Value   float64    `json:"value"`            // of the metric, with no column permuted
	Repeats int        `json:"repeats"`          // permutations of each column
	Columns []Permuted `json:"columns"`          // the largest drop first
}

// Permuted is how much one column matters, or several that are permuted together.
type Permuted struct {
	// of the column; of several the columns, joined by " + "
	Name    string   `json:"name"`
	Columns []string `json:"columns,omitempty"` // nil: the column of the name alone
	// mean by which the metric gets worse: above 0 where the column is of use
	Drop float64 `json:"drop"`
	// standard error of Drop over the repeats; 0 with one repeat
	StdError float64 `json:"se"`
}

// validate checks numbers and names, as far as they do not depend on the rows.
func (p *Permutation) validate() error {
	if p == nil {
		return nil
	}
	if p.Rows < 1 || p.Repeats < 1 || p.Metric == "" || notFinite(p.Value) {
		return fmt.Errorf("permutation importance by %q on %d rows with %d repeats is %v", p.Metric,
			p.Rows, p.Repeats, p.Value)
	}
	for i := range p.Columns {
		if c := &p.Columns[i]; c.Name == "" || notFinite(c.Drop) || !(c.StdError >= 0) ||
			notFinite(c.StdError) {
			return fmt.Errorf("permutation importance of column %q is %v, its standard error %v",
				c.Name, c.Drop, c.StdError)
		}
		// bars are sampled in proportion to the first
		if i > 0 && p.Columns[i].Drop > p.Columns[i-1].Drop {
			return fmt.Errorf("permutation importance of column %q is above that of the column "+
				"before it", p.Columns[i].Name)
		}
	}
	return nil
}

func notFinite(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) }
