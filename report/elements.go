package report

import (
	"embed"
	"fmt"
	"html/template"
	"math"
	"strings"
	"sync"

	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/report/plot"
)

// content is what a section found. Its parts are the elements that show it, complete without any
// script.
type content interface{ parts() []template.HTML }

// scripted is content of which scripts need some.
type scripted interface{ forScripts() any }

//go:embed assets
var assets embed.FS

// elements are the templates of assets/elements.html. They escape texts by where these stand.
var elements = sync.OnceValue(func() *template.Template {
	return template.Must(template.ParseFS(assets, "assets/elements.html"))
})

// element executes a template. Names and fields are of this package, so only its own faults fail.
func element(name string, value any) template.HTML {
	var b strings.Builder
	if err := elements().ExecuteTemplate(&b, name, value); err != nil {
		panic(err)
	}
	return template.HTML(b.String())
}

func paragraph(format string, args ...any) template.HTML {
	return element("paragraph", fmt.Sprintf(format, args...))
}

func note(format string, args ...any) template.HTML {
	return element("note", fmt.Sprintf(format, args...))
}

func notes(texts []string) []template.HTML {
	var all []template.HTML
	for _, text := range texts {
		all = append(all, note("%s", text))
	}
	return all
}

func heading(text string) template.HTML { return element("heading", text) }

// folded is what opens at a click.
func folded(summary string, inner ...template.HTML) template.HTML {
	return element("folded", struct {
		Summary string
		Inner   []template.HTML
	}{summary, inner})
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
	Inner template.HTML // before the text
	Text  string
	Key   string // sorts; "" = the text
	Class string
	Mark  bool
}

// Class0 returns the class of a cell: its own, else that of its column.
func (g *grid) Class0(column int, c cell) string {
	if c.Class != "" {
		return c.Class
	}
	return g.Columns[column].Class
}

// Style returns the classes of the whole: tables of few columns with a long one stack on phones.
func (g *grid) Style() string {
	style := "table " + g.Class
	for _, c := range g.Columns {
		if c.Class == "long" && len(g.Columns) <= 6 {
			return style + " longs"
		}
	}
	return style
}

func table(g *grid) template.HTML { return element("table", g) }

// text, amount and count make cells.
func text(s string) cell { return cell{Text: s} }

func amount(x number, digits int) cell {
	return cell{Text: numberWords(x, digits), Key: fmt.Sprint(float64(x))}
}

func count(n int) cell { return cell{Text: fmt.Sprint(n)} }

// figure is a chart with its caption.
type figure struct {
	Caption string
	SVG     template.HTML
	Wide    bool // as wide as the page
}

// wideChart is the width of a wide figure's chart, in pixels.
const wideChart = 700

// figureOf draws a chart; what is drawn by package plot has its texts escaped.
func figureOf(caption string, p *plot.Panel) figure {
	return figure{Caption: caption, SVG: template.HTML(p.SVG())}
}

// figures puts charts side by side; those without any point are left out.
func figures(all ...figure) template.HTML {
	var some []figure
	for _, f := range all {
		if f.SVG != "" {
			some = append(some, f)
		}
	}
	return element("figures", some)
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

// gauge draws a value as a bar, with its interval unless the ends are equal.
func gauge(value, low, high, from, to number) template.HTML {
	return template.HTML(plot.Gauge(float64(value), float64(low), float64(high),
		[2]float64{float64(from), float64(to)}, low < 0))
}

// share writes a part of a whole in percent.
func share(part, whole float64) string {
	if whole == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f %%", 100*part/whole)
}
