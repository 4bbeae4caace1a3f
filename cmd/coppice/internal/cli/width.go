package cli

import (
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/coppice-ml/coppice/internal/humanize"
)

// Width is the most columns of a terminal that a line of output has.
const Width = 100

const (
	gap        = 2  // blanks between the columns of a grid
	leastFirst = 24 // characters of the names in the first column of a grid
	longText   = 40 // characters to which other columns of text are wrapped before that
	leastWrap  = 30 // and behind it
)

// fit makes a grid fit: names in its first column are shortened, other columns of text are wrapped,
// and columns of numbers that have no room left stand below, in grids with the same first column.
func (g *Grid) fit(width int) []*Grid {
	if g.width() <= width {
		return []*Grid{g}
	}
	own := g.columns(len(g.Columns), func(i int) int { return i })
	own.wrap(width, longText)
	own.shortenFirst(max(leastFirst, own.column(0)-max(0, own.width()-width)))
	own.wrap(width, leastWrap)
	var all []*Grid
	for from := 1; from < len(own.Columns); {
		to := from + 1
		for to < len(own.Columns) && own.part(from, to+1).width() <= width {
			to++
		}
		all = append(all, own.part(from, to))
		from = to
	}
	return append(all, own)[:max(1, len(all))]
}

// wrap narrows the columns of text behind the first, the last one first, to so many characters at
// least.
func (g *Grid) wrap(width, least int) {
	for i := len(g.Columns) - 1; i > 0; i-- {
		if over := g.width() - width; over > 0 && !g.Columns[i].Right {
			g.Columns[i].Wrap = min(g.column(i), max(least, g.column(i)-over))
		}
	}
}

// part returns the first column and those from one to before another.
func (g *Grid) part(from, to int) *Grid {
	return g.columns(1+to-from, func(i int) int {
		if i == 0 {
			return 0
		}
		return from + i - 1
	})
}

// columns returns a grid of n columns, copies of those at the places that a function returns.
func (g *Grid) columns(n int, at func(i int) int) *Grid {
	part := &Grid{}
	for i := range n {
		part.Columns = append(part.Columns, g.Columns[at(i)])
	}
	chosen := func(rows [][]string) (all [][]string) {
		for _, row := range rows {
			cells := make([]string, n)
			for i := range cells {
				if at(i) < len(row) {
					cells[i] = row[at(i)]
				}
			}
			all = append(all, cells)
		}
		return all
	}
	part.Rows, part.Footer = chosen(g.Rows), chosen(g.Footer)
	return part
}

// shortenFirst limits the names of the first column.
func (g *Grid) shortenFirst(width int) {
	g.Columns[0].Name = humanize.Shorten(g.Columns[0].Name, width)
	for _, row := range slices.Concat(g.Rows, g.Footer) {
		row[0] = humanize.Shorten(row[0], width)
	}
}

// width returns how many columns of a terminal the grid has.
func (g *Grid) width() int {
	sum := 0
	for i := range g.Columns {
		sum += g.column(i) + gap
	}
	return max(0, sum-gap)
}

// column returns the width of a column.
func (g *Grid) column(at int) int {
	width := text.LongestLineLen(g.Columns[at].Name)
	for _, row := range slices.Concat(g.Rows, g.Footer) {
		if at < len(row) {
			width = max(width, text.LongestLineLen(row[at]))
		}
	}
	if wrap := g.Columns[at].Wrap; wrap > 0 {
		return min(width, wrap)
	}
	return width
}

// Text prints a paragraph in lines of at most Width columns.
func (c *Console) Text(paragraph string) {
	c.Printf("%s\n", strings.Join(wrapWords(paragraph, Width), "\n"))
}

// joined stands for a plus-minus with its blanks, at which no line is broken.
const joined = "\u00a0±\u00a0"

// wrapWords sets a text in lines of at most so many characters, broken at blanks. A word that is
// longer loses its end.
func wrapWords(line string, width int) []string {
	lines := []string{""}
	line = strings.ReplaceAll(line, " ± ", joined)
	for i, word := range strings.Split(line, " ") {
		word = strings.ReplaceAll(word, joined, " ± ")
		word = humanize.Shorten(word, width)
		last := &lines[len(lines)-1]
		switch {
		case i == 0:
			*last = word
		case text.StringWidthWithoutEscSequences(*last)+1+text.StringWidthWithoutEscSequences(word) > width:
			lines = append(lines, word)
		default:
			*last += " " + word
		}
	}
	return lines
}
