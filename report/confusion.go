package report

import (
	"fmt"
)

// confusion is a table of rows by two labels each. The words are of its caption and its margins.
type confusion struct {
	caption, corner, last string
	classes               []string
	counts                [][]int64 // [down][across]
}

// Depths of the colours of cells, and the number of classes from which the table is set small.
const (
	depths       = 6
	smallClasses = 12
)

// table colours the cells of a row by their fraction of it: blue on the diagonal, orange beside it.
func (c *confusion) table() piece {
	g := &grid{Caption: c.caption, Class: "confusion", Columns: []column{{Name: c.corner}}}
	if len(c.classes) > smallClasses {
		g.Class += " small"
	}
	for _, class := range c.classes {
		g.Columns = append(g.Columns, column{Name: class, Class: "number"})
	}
	g.Columns = append(g.Columns, column{Name: c.last, Class: "number"})
	for i, counts := range c.counts {
		sum := int64(0)
		for _, n := range counts {
			sum += n
		}
		line := []cell{text(c.classes[i])}
		for k, n := range counts {
			field := cell{Text: fmt.Sprint(n), Class: "number"}
			if n > 0 {
				side := map[bool]string{true: "right", false: "wrong"}[i == k]
				field.Class += fmt.Sprintf(" %s%d", side, (n*depths+sum-1)/sum)
			}
			line = append(line, field)
		}
		g.Rows = append(g.Rows, append(line, text(share(float64(counts[i]), float64(sum)))))
	}
	return table(g)
}
