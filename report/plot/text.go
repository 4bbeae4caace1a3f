package plot

import (
	"fmt"
	"io"
	"math"
	"strings"
	"unicode/utf8"
)

// The size of a chart in characters, without its axes.
const (
	textColumns = 68
	textLines   = 16
)

// letters stand for the curves of a chart, in their order.
const letters = "abcdefghijklmnopqrstuvwxyz"

// Text draws the figure in characters for a terminal, its charts one below the other. Curves with
// one name in the legend have one letter; joined points are a line of that letter, and Points are
// dots. Where curves cross, the later one is on top. But marks that no line joins, which are few,
// are on top of all lines. The errors are those of Write.
func (fig *Figure) Text(w io.Writer) error {
	if n := len(fig.Charts); n < 1 {
		return fmt.Errorf("a figure of %d charts", n)
	}
	lines := []string{fig.Title}
	if fig.Subtitle != "" {
		lines = append(lines, wrap(strings.Fields(fig.Subtitle), " ")...)
	}
	for i := range fig.Charts {
		c := &fig.Charts[i]
		if err := check(c); err != nil {
			return fmt.Errorf("chart %d: %w", i, err)
		}
		lines = append(lines, "")
		lines = append(lines, chartText(c)...)
	}
	if len(fig.Notes) > 0 {
		lines = append(lines, "")
	}
	for _, n := range fig.Notes {
		lines = append(lines, wrap(strings.Fields(n), " ")...)
	}
	_, err := io.WriteString(w, strings.Join(lines, "\n")+"\n")
	return err
}

// wrap puts items in lines as wide as a chart with its axis, with a space between two.
func wrap(items []string, space string) []string {
	var lines []string
	line := ""
	for _, item := range items {
		if line != "" && utf8.RuneCountInString(line)+len(space)+utf8.RuneCountInString(item) >
			textColumns+10 {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += space
		}
		line += item
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// grille is a chart in characters.
type grille struct {
	x, y  axis
	cells [textLines][textColumns]rune
}

// text returns the lines of a chart.
func chartText(c *Chart) []string {
	g := grille{}
	g.x, g.y = axes(c)
	for _, a := range []struct {
		*axis
		most int
	}{{&g.x, 8}, {&g.y, 6}} {
		if a.mark(a.most); a.log {
			a.markCounts()
		}
	}
	looks := looks(c)
	for _, marks := range []bool{false, true} {
		for i := range c.Curves {
			if u := &c.Curves[i]; (u.Style == Marks) == marks {
				g.curve(u, letterOf(looks, u))
			}
		}
	}
	lines := []string{c.Y.Label}
	lines = append(lines, g.frame()...)
	lines = append(lines, fmt.Sprintf("%*s", len(tickMargin)+textColumns, c.X.Label))
	var legend []string
	for i, l := range looks {
		item := string(letters[i%len(letters)]) + " " + l.name
		if l.style == Points {
			item = "· " + l.name
		}
		legend = append(legend, item)
	}
	return append(lines, wrap(legend, "   ")...)
}

// letterOf returns the letter of a curve: that of its entry in the legend, else that of the next
// entry of its colour. Without both it is a mark of its own.
func letterOf(looks []look, u *Curve) rune {
	for i, l := range looks {
		if l == (look{u.Name, u.Style, u.Colour}) {
			return rune(letters[i%len(letters)])
		}
	}
	for i, l := range looks {
		if l.colour == u.Colour {
			return rune(letters[i%len(letters)])
		}
	}
	if u.Style == Dashes {
		return '-'
	}
	return '*'
}

// curve sets a curve.
func (g *grille) curve(u *Curve, letter rune) {
	before := [2]int{-1, -1}
	for k := range u.X {
		if !drawn(u, k) {
			continue
		}
		at := [2]int{slot(g.x.fraction(u.X[k]), textColumns),
			textLines - 1 - slot(g.y.fraction(u.Y[k]), textLines)}
		switch {
		case u.Style == Bars:
			base := textLines - 1 - slot(g.y.fraction(min(g.y.high, max(g.y.low, 0))), textLines)
			for line := min(base, at[1]); line <= max(base, at[1]); line++ {
				g.cells[line][at[0]] = letter
			}
			continue
		case u.Style == Points:
			if g.cells[at[1]][at[0]] == 0 {
				g.cells[at[1]][at[0]] = '·'
			}
			continue
		case u.Style != Marks && before[0] >= 0:
			g.line(before, at, letter)
		}
		g.cells[at[1]][at[0]] = letter
		before = at
	}
}

// line sets the cells from one place to another.
func (g *grille) line(from, to [2]int, letter rune) {
	steps := max(abs(to[0]-from[0]), abs(to[1]-from[1]))
	for s := 1; s < steps; s++ {
		x := from[0] + int(math.Round(float64(s*(to[0]-from[0]))/float64(steps)))
		y := from[1] + int(math.Round(float64(s*(to[1]-from[1]))/float64(steps)))
		g.cells[y][x] = letter
	}
}

func abs(n int) int { return max(n, -n) }

// slot returns the cell of a fraction of an axis of n cells.
func slot(fraction float64, n int) int { return min(n-1, max(0, int(fraction*float64(n)))) }

// tickMargin is what stands left of the axis.
const tickMargin = "          "

// frame returns the lines of the chart with both axes.
func (g *grille) frame() []string {
	ticks := map[int]string{}
	for _, t := range g.y.ticks {
		ticks[textLines-1-slot(g.y.fraction(t.at), textLines)] = t.text
	}
	var lines []string
	for i, row := range g.cells {
		edge := "│"
		if ticks[i] != "" {
			edge = "┤"
		}
		for k, r := range row {
			if r == 0 {
				row[k] = ' '
			}
		}
		lines = append(lines, fmt.Sprintf("%*s %s%s", len(tickMargin)-2, ticks[i], edge,
			strings.TrimRight(string(row[:]), " ")))
	}
	base, names := []rune(strings.Repeat("─", textColumns)),
		[]rune(strings.Repeat(" ", len(tickMargin)+textColumns+8))
	free := 0
	for _, t := range g.x.ticks {
		at, width := slot(g.x.fraction(t.at), textColumns), utf8.RuneCountInString(t.text)
		start := max(0, len(tickMargin)+at-width/2)
		if start < free || start+width > len(names) {
			continue
		}
		base[at] = '┬'
		copy(names[start:], []rune(t.text))
		free = start + width + 1
	}
	return append(lines, strings.Repeat(" ", len(tickMargin)-1)+"└"+string(base),
		strings.TrimRight(string(names), " "))
}
