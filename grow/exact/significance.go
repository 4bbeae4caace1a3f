package exact

import "github.com/coppice-ml/coppice/grow/criterion"

// contingency is the weight of each class in each branch of a split.
type contingency struct {
	t       *task
	table   []float64 // branch after branch
	missing []float64
}

func newContingency(t *task, b *split) contingency {
	return contingency{t: t, table: make([]float64, max(2, int(b.arity))*t.width), missing: make([]float64, t.width)}
}

// add adds a row that goes to a branch, -1 if its value is missing.
func (c *contingency) add(pos uint32, branch int) {
	if w := c.t.width; branch < 0 {
		c.t.add(c.missing, pos, 0)
	} else {
		c.t.add(c.table[branch*w:(branch+1)*w], pos, 0)
	}
}

// p returns the p-value of the chi-squared test that class and branch are independent (Quinlan
// 1986). Rows without a value are left out, unless the split parts them from all others: then they
// are the second branch.
func (c *contingency) p() float64 {
	used, w := 0, c.t.width
	for at := 0; at < len(c.table); at += w {
		if c.t.weightOf(c.table[at:at+w]) > 0 {
			used++
		}
	}
	if used == 1 {
		c.table = append(c.table, c.missing...)
	}
	return criterion.Independence(c.table, w)
}
