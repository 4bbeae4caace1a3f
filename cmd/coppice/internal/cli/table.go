package cli

import (
	"fmt"
	"io"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// Grid is a table in text. Its columns are aligned, with two blanks between them.
type Grid struct {
	Columns []Column
	Rows    [][]string
	Footer  [][]string // rows below a line
}

// Column describes how a column of a grid is printed.
type Column struct {
	Name  string
	Right bool // aligned to the right, as numbers are
	Wrap  int  // break lines at this width; 0 = never
}

// Numbers returns right-aligned columns of these names.
func Numbers(names ...string) []Column {
	columns := make([]Column, len(names))
	for i, name := range names {
		columns[i] = Column{Name: name, Right: true}
	}
	return columns
}

// Add adds a row, one text for each column.
func (g *Grid) Add(cells ...string) { g.Rows = append(g.Rows, cells) }

// Print writes the grid in at most Width columns, as fit describes.
func (g *Grid) Print(w io.Writer) {
	for i, part := range g.fit(Width) {
		if i > 0 {
			fmt.Fprintln(w)
		}
		part.write(w)
	}
}

func (g *Grid) write(w io.Writer) {
	t := table.NewWriter()
	t.SetOutputMirror(w)
	t.SetStyle(table.Style{
		Box: table.BoxStyle{PaddingRight: "  ", MiddleHorizontal: "─"},
		Format: table.FormatOptions{Header: text.FormatDefault, Footer: text.FormatDefault,
			Row: text.FormatDefault},
		Options: table.Options{SeparateFooter: true},
	})
	t.SuppressTrailingSpaces()
	configs := make([]table.ColumnConfig, len(g.Columns))
	header := make(table.Row, len(g.Columns))
	for i, c := range g.Columns {
		configs[i] = table.ColumnConfig{Number: i + 1}
		if c.Right {
			configs[i].Align = text.AlignRight
			configs[i].AlignHeader, configs[i].AlignFooter = text.AlignRight, text.AlignRight
		}
		if c.Wrap > 0 {
			configs[i].WidthMax, configs[i].WidthMaxEnforcer = c.Wrap, text.WrapSoft
		}
		header[i] = c.Name
	}
	t.SetColumnConfigs(configs)
	t.AppendHeader(header)
	for _, row := range g.Rows {
		t.AppendRow(cells(row))
	}
	for _, row := range g.Footer {
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
