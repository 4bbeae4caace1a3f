package cli

import (
	"fmt"
	"math"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/kernel"
)

// Chart is a curve over whole numbers from 1 up, plotted in characters of 2 x 4 dots each. The
// horizontal axis is logarithmic if the last number is greater than LogFrom.
type Chart struct {
	X       []int // ascending, from 1 up
	Y       []float64
	Columns int // characters
	Lines   int
}

// LogFrom is the greatest last number of a linear horizontal axis.
const LogFrom = 40

// braille holds the bit of each dot, by line and column. A character is the sum of its bits and
// U+2800.
var braille = [4][2]rune{{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}

// Draw returns the lines of the chart, with both axes.
func (c *Chart) Draw() []string {
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range c.Y {
		low, high = min(low, v), max(high, v)
	}
	cells := make([][]rune, c.Lines)
	for i := range cells {
		cells[i] = make([]rune, c.Columns)
	}
	before := -1 // height of the previous dot; -1 = there is none
	for dot := range 2 * c.Columns {
		v, ok := c.at(dot)
		if !ok {
			continue
		}
		at := 0
		// Halves are subtracted, because the difference of large values overflows.
		if half := float64(high/2) - float64(low/2); half > 0 {
			at = int(math.Round((float64(high/2) - float64(v/2)) / half * float64(4*c.Lines-1)))
		}
		from, to := at, at // steep parts are drawn without gaps
		if before >= 0 {
			from, to = min(at, before), max(at, before)
		}
		for k := from; k <= to; k++ {
			cells[k/4][dot/2] |= braille[k%4][dot%2]
		}
		before = at
	}
	ends := [2]string{humanize.Metric(high), humanize.Metric(low)}
	width := max(utf8.RuneCountInString(ends[0]), utf8.RuneCountInString(ends[1]))
	var lines []string
	for i, row := range cells {
		label, edge := "", "│"
		switch i {
		case 0:
			label, edge = ends[0], "┤"
		case c.Lines - 1:
			label, edge = ends[1], "┤"
		}
		for k, dots := range row {
			if row[k] = ' '; dots > 0 {
				row[k] = 0x2800 + dots
			}
		}
		lines = append(lines, fmt.Sprintf("%*s %s%s", width, label, edge,
			strings.TrimRight(string(row), " ")))
	}
	margin := strings.Repeat(" ", width+1)
	axis, labels := c.axis()
	return append(lines, margin+"└"+axis, margin+" "+labels)
}

// place returns the column of dots at which a number stands.
func (c *Chart) place(x int) int {
	last := c.X[len(c.X)-1]
	if last == 1 {
		return 0
	}
	fraction := float64(x-1) / float64(last-1)
	if last > LogFrom {
		fraction = kernel.Log2(float64(x)) / kernel.Log2(float64(last))
	}
	return int(math.Round(fraction * float64(2*c.Columns-1)))
}

// at returns the value of the curve at a column of dots. Where several points share the column it
// is the last one; between points it is interpolated. It is false before the first and behind the
// last point.
func (c *Chart) at(dot int) (float64, bool) {
	// the last point that is not to the right of the dot
	i := sort.Search(len(c.X), func(i int) bool { return c.place(c.X[i]) > dot }) - 1
	if i < 0 {
		return 0, false
	}
	left := c.place(c.X[i])
	if left == dot || i == len(c.X)-1 {
		return c.Y[i], left == dot
	}
	right := c.place(c.X[i+1])
	fraction := float64(dot-left) / float64(right-left)
	return float64(c.Y[i]*(1-fraction)) + float64(c.Y[i+1]*fraction), true
}

// axis returns the horizontal axis and the numbers below it.
func (c *Chart) axis() (axis, labels string) {
	last := c.X[len(c.X)-1]
	line := []rune(strings.Repeat("─", c.Columns))
	text := []rune(strings.Repeat(" ", c.Columns+10))
	free := 0 // the first character of text that no label uses
	mark := func(x int) {
		name := strconv.Itoa(x)
		at := c.place(x) / 2
		start := max(0, at-len(name)/2)
		if start < free {
			return
		}
		line[at] = '┬'
		copy(text[start:], []rune(name))
		free = start + len(name) + 1
	}
	for _, x := range c.ticks(last) {
		mark(x)
	}
	return string(line), strings.TrimRight(string(text), " ")
}

// ticks returns the numbers to mark: 1, 2 and 5 times powers of ten, and the last.
func (c *Chart) ticks(last int) []int {
	var ticks []int
	for base := 1; base <= last; base *= 10 {
		for _, digit := range []int{1, 2, 5} {
			if x := digit * base; digit <= last/base && x < last &&
				c.place(last)-c.place(x) > 2*len(strconv.Itoa(last))+2 {
				ticks = append(ticks, x)
			}
		}
		if base > last/10 {
			break
		}
	}
	return append(ticks, last)
}
