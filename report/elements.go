package report

import (
	"cmp"
	"embed"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/internal/figure"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/report/plot"
)

// content is what a section found. Its parts are the elements that show it, complete without any
// script.
type content interface{ parts() []piece }

// scripted is content of which scripts need some.
type scripted interface{ forScripts() any }

//go:embed assets
var assets embed.FS

func paragraph(format string, args ...any) piece {
	return el("p", fmt.Sprintf(format, args...))
}

func note(format string, args ...any) piece {
	return el("p", class("note"), fmt.Sprintf(format, args...))
}

func notes(texts []string) []piece {
	var all []piece
	for _, text := range texts {
		all = append(all, note("%s", text))
	}
	return all
}

func heading(text string) piece { return el("h3", text) }

// folded is what opens at a click.
func folded(summary string, inner ...piece) piece {
	return el("details", el("summary", summary), inner)
}

// grid is a table of the page. The first cell of a row is its head.
type grid struct {
	Caption string
	Class   string // of its style: confusion, rows
	Tall    bool   // scrolls by itself
	Columns []column
	Rows    [][]cell
}

// column is the head of a column.
type column struct {
	Name  string
	Class string // number: to the right; long: texts
	Sort  bool   // a script lets readers sort by it
}

// cell is a field of a table.
type cell struct {
	Inner piece // before the text
	Text  string
	Key   string // sorts; "" = the text
	Class string
	Mark  bool
}

// style returns the classes of the whole: tables of few columns with a long one stack on phones.
func (g *grid) style() string {
	style := "table " + g.Class
	for _, c := range g.Columns {
		if c.Class == "long" && len(g.Columns) <= 6 {
			return style + " longs"
		}
	}
	return style
}

func table(g *grid) piece {
	scroll := "scroll"
	if g.Tall {
		scroll += " tall"
	}
	heads := each(g.Columns, func(c column) piece {
		sort := ""
		if c.Sort {
			sort = "yes"
		}
		return el("th", attr{"scope", "col"}, class(c.Class), attr{"data-sort", sort}, c.Name)
	})
	return el("div", class(g.style()),
		el("p", class("caption"), attr{"aria-hidden", "true"}, g.Caption),
		scrolled(g.Caption, scroll, el("table", el("caption", class("hidden"), g.Caption),
			el("thead", el("tr", heads)), el("tbody", each(g.Rows, g.line)))))
}

// wordTable shows a table of words and numbers that a model describes itself by.
func wordTable(t *model.Table, caption string) []piece {
	g := &grid{Caption: cmp.Or(t.Caption, caption), Tall: len(t.Rows) > tallColumns}
	for _, c := range t.Columns {
		g.Columns = append(g.Columns, column{c.Name, map[bool]string{false: "number"}[c.Text], false})
	}
	for _, row := range t.Rows {
		line := make([]cell, len(row))
		for i, field := range row {
			line[i] = text(field)
		}
		g.Rows = append(g.Rows, line)
	}
	return append([]piece{table(g)}, notes(t.Notes)...)
}

// line makes a row of a table.
func (g *grid) line(cells []cell) piece {
	var all []piece
	for i, c := range cells {
		name, scope := "td", ""
		if i == 0 {
			name, scope = "th", "row"
		}
		inner := any(c.Text)
		if c.Mark {
			inner = el("mark", c.Text)
		}
		all = append(all, el(name, attr{"scope", scope}, class(cmp.Or(c.Class, g.Columns[i].Class)),
			attr{"data-key", c.Key}, c.Inner, inner))
	}
	return el("tr", all) + "\n"
}

// text, amount and count make cells.
func text(s string) cell { return cell{Text: s} }

func amount(x number, digits int) cell {
	return cell{Text: numberWords(x, digits), Key: fmt.Sprint(float64(x))}
}

func count(n int) cell { return cell{Text: fmt.Sprint(n)} }

// captioned is a chart with its caption.
type captioned struct {
	Caption string
	SVG     piece
	Wide    bool // as wide as the page
}

// wideChart is the width of a wide chart, in pixels.
const wideChart = 700

// figureOf draws a chart; what is drawn by package plot has its texts escaped.
func figureOf(caption string, p *figure.Panel) captioned {
	return captioned{Caption: caption, SVG: piece(plot.DrawPanel(p))}
}

// figures puts charts side by side; those without any point are left out.
func figures(all ...captioned) piece {
	var some []captioned
	for _, f := range all {
		if f.SVG != "" {
			some = append(some, f)
		}
	}
	return el("div", class("grid"), each(some, func(f captioned) piece {
		return el("figure", class(map[bool]string{true: "wide"}[f.Wide]), el("figcaption", f.Caption),
			f.SVG)
	}))
}

// numberWords writes a number; what is not known is a dash.
func numberWords(x number, digits int) string {
	if v := float64(x); !math.IsNaN(v) && !math.IsInf(v, 0) {
		return humanize.Number(v, digits)
	}
	return "–"
}

// cellWords writes a label or a prediction: a text, a number, or nil.
func cellWords(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case number:
		return numberWords(v, 4)
	}
	return "–"
}

// valueCell is a cell of cellWords, which sorts numbers as such.
func valueCell(v any) cell {
	c := cell{Text: cellWords(v)}
	if x, isNumber := v.(number); isNumber {
		c.Key = fmt.Sprint(float64(x))
	}
	return c
}

// share writes a part of a whole in percent.
func share(part, whole float64) string {
	if whole == 0 {
		return "–"
	}
	return humanize.NarrowPercent(part / whole)
}
