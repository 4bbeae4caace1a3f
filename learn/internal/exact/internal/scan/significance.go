package scan

import (
	"github.com/coppice-ml/coppice/internal/criterion"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/growth"
)

// Contingency is the weight of each class in each branch of a split.
type Contingency struct {
	t       *Task
	table   []float64 // branch after branch
	missing []float64
}

// NewContingency returns the table of a split without rows.
func NewContingency(t *Task, b *growth.Split) Contingency {
	return Contingency{t: t, table: make([]float64, max(2, int(b.Arity))*t.Width),
		missing: make([]float64, t.Width)}
}

// Add adds a row that goes to a branch, -1 if its value is missing.
func (c *Contingency) Add(pos uint32, branch int) {
	if w := c.t.Width; branch < 0 {
		c.t.Add(c.missing, pos, 0)
	} else {
		c.t.Add(c.table[branch*w:(branch+1)*w], pos, 0)
	}
}

// P returns the p-value of the chi-squared test that class and branch are independent (Quinlan
// 1986). Rows without a value are left out, unless the split separates them from all others: then
// they are the second branch.
func (c *Contingency) P() float64 {
	used, w := 0, c.t.Width
	for at := 0; at < len(c.table); at += w {
		if c.t.WeightOf(c.table[at:at+w]) > 0 {
			used++
		}
	}
	if used == 1 {
		c.table = append(c.table, c.missing...)
	}
	return criterion.Independence(c.table, w)
}
