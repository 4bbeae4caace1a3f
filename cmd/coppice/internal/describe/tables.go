package describe

import (
	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/model"
)

// PrintTable prints the first rows of a table.
func PrintTable(c *cli.Console, t *model.Table, limit int) {
	var g cli.Grid
	for _, h := range t.Columns {
		g.Columns = append(g.Columns, cli.Column{Name: h.Name, Right: !h.Text})
	}
	g.Rows = t.Rows[:min(limit, len(t.Rows))]
	g.Print(c.Out)
}

// PrintTables prints tables one below the other, each below an empty line, with their captions and
// notes.
func PrintTables(c *cli.Console, tables []model.Table) {
	for i := range tables {
		t := &tables[i]
		c.Printf("\n")
		if t.Caption != "" {
			c.Text(t.Caption)
			c.Printf("\n")
		}
		if len(t.Columns) > 0 {
			PrintTable(c, t, len(t.Rows))
		}
		for _, note := range t.Notes {
			c.Text(note)
		}
	}
}
