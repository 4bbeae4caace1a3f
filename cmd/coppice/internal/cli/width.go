package cli

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

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
	mostKeys   = 3  // first columns that parts of a grid repeat
)

// fit makes a grid fit: names in its first column are shortened, other columns of text are wrapped,
// and columns of numbers that have no room left stand below, in grids with the same first columns:
// as many as tell the rows apart.
func (g *Grid) fit(width int) []*Grid {
	if g.width() <= width {
		return []*Grid{g}
	}
	own := g.columns(len(g.Columns), func(i int) int { return i })
	own.wrap(width, longText)
	own.shortenFirst(max(leastFirst, own.column(0)-max(0, own.width()-width)))
	own.wrap(width, leastWrap)
	keys := g.keys()
	for keys > 1 && own.part(keys, keys, keys).width() > width/2 {
		keys--
	}
	var all []*Grid
	for from := keys; from < len(own.Columns); {
		to := from + 1
		for to < len(own.Columns) && own.part(keys, from, to+1).width() <= width {
			to++
		}
		all = append(all, own.part(keys, from, to))
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

// keys is the number of first columns that tell the rows apart, 1 where few do not.
func (g *Grid) keys() int {
	for n := 1; n < min(mostKeys+1, len(g.Columns)); n++ {
		seen := map[string]bool{}
		for _, row := range g.Rows {
			seen[strings.Join(row[:min(n, len(row))], "\x00")] = true
		}
		if len(seen) == len(g.Rows) {
			return n
		}
	}
	return 1
}

// part returns so many first columns, and those from one to before another.
func (g *Grid) part(keys, from, to int) *Grid {
	return g.columns(keys+to-from, func(i int) int {
		if i < keys {
			return i
		}
		return from + i - keys
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

// Fitting joins as many texts as fit a line of so many characters, and says how many do not.
func Fitting(texts []string, between, more string, width int) string {
	line := strings.Join(texts, between)
	for n := len(texts) - 1; n > 0 && utf8.RuneCountInString(line) > width; n-- {
		line = fmt.Sprintf("%s and %d %s", strings.Join(texts[:n], between), len(texts)-n, more)
	}
	return humanize.Shorten(line, width)
}

// Text prints a paragraph in lines of at most Width columns.
func (c *Console) Text(paragraph string) {
	c.Printf("%s\n", Paragraph(paragraph))
}

// Paragraph breaks a text in lines of at most Width columns.
func Paragraph(text string) string { return strings.Join(wrapWords(text, Width), "\n") }

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
