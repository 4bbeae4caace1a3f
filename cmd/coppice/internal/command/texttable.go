package command

import (
	"io"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// grid is a table for people: columns line up, two blanks apart.
type grid struct {
	columns []column
	rows    [][]string
	footer  [][]string // rows below a line
}

// column is how a column of a grid is set.
type column struct {
	name  string
	right bool // numbers stand to the right
	wrap  int  // break lines at this width; 0 = never
}

// numbers returns right-aligned columns of these names.
func numbers(names ...string) []column {
	columns := make([]column, len(names))
	for i, name := range names {
		columns[i] = column{name: name, right: true}
	}
	return columns
}

func (g *grid) add(cells ...string) { g.rows = append(g.rows, cells) }

// print writes the grid.
func (g *grid) print(w io.Writer) {
	t := table.NewWriter()
	t.SetOutputMirror(w)
	t.SetStyle(table.Style{
		Box:     table.BoxStyle{PaddingRight: "  ", MiddleHorizontal: "─"},
		Format:  table.FormatOptions{Header: text.FormatDefault, Footer: text.FormatDefault, Row: text.FormatDefault},
		Options: table.Options{SeparateFooter: true},
	})
	t.SuppressTrailingSpaces()
	configs := make([]table.ColumnConfig, len(g.columns))
	header := make(table.Row, len(g.columns))
	for i, c := range g.columns {
		configs[i] = table.ColumnConfig{Number: i + 1}
		if c.right {
			configs[i].Align, configs[i].AlignHeader, configs[i].AlignFooter = text.AlignRight, text.AlignRight, text.AlignRight
		}
		if c.wrap > 0 {
			configs[i].WidthMax, configs[i].WidthMaxEnforcer = c.wrap, text.WrapSoft
		}
		header[i] = c.name
	}
	t.SetColumnConfigs(configs)
	t.AppendHeader(header)
	for _, row := range g.rows {
		t.AppendRow(cells(row))
	}
	for _, row := range g.footer {
		t.AppendFooter(cells(row))
	}
	t.Render()
}

func cells(texts []string) table.Row {
	row := make(table.Row, len(texts))
	for i, text := range texts {
		row[i] = text
	}
	return row
}
