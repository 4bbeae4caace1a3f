package describe

import (
	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/model"
)

// PrintTable prints the first rows of a table that describes a model.
func PrintTable(c *cli.Console, t *model.Table, limit int) {
	var g cli.Grid
	for _, h := range t.Columns {
		g.Columns = append(g.Columns, cli.Column{Name: h.Name, Right: !h.Text})
	}
	g.Rows = t.Rows[:min(limit, len(t.Rows))]
	g.Print(c.Out)
}
