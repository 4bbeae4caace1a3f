package plot

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/svg"
)

// axis places values on a side of a chart.
type axis struct {
	low, high float64 // low < high, both finite
	from, to  int     // pixels of low and high
	log       bool    // places by the logarithm; low > 0
	whole     bool    // ticks are integers
	ticks     []tick
}

// logFrom is the number from which counts are placed by their logarithm.
const logFrom = 40

// countAxis returns an axis of whole numbers from 1 to most.
func countAxis(most int) axis {
	a := axis{low: 1, high: float64(max(2, most)), log: most > logFrom}
	if a.log {
		a.markCounts()
	} else {
		a.markWhole(12)
	}
	return a
}

// heightAxis returns an axis of numbers from 0 to a little more than most.
func heightAxis(most float64) axis {
	a := axis{high: 1.05 * most}
	if !(a.high > 0) {
		a.high = 1
	}
	a.mark(7)
	return a
}

// tick is a mark on an axis.
type tick struct {
	at   float64
	text string
}

// at returns the place of a value; what lies beyond an end is put there.
func (a *axis) at(v float64) svg.Tenths {
	return svg.Tenths(10*a.from) + svg.Tenths(math.Round(a.fraction(v)*float64(10*(a.to-a.from))))
}

// fraction returns the place of a value from 0 to 1. Halves keep the range of the largest numbers
// finite.
func (a *axis) fraction(v float64) float64 {
	low, high := a.low, a.high
	if a.log {
		low, high, v = kernel.Log2(low), kernel.Log2(high), kernel.Log2(max(v, low))
	}
	return max(0, min(1, (float64(v/2)-float64(low/2))/(float64(high/2)-float64(low/2))))
}

// span returns an axis from the least to the greatest finite value, with some space at both ends.
func span(values []float64) axis {
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if finite(v) {
			low, high = min(low, v), max(high, v)
		}
	}
	if low > high {
		low, high = 0, 1
	}
	space := 0.08 * mean(high, -low)
	if space == 0 {
		space = max(0.5, math.Abs(low)/10)
	}
	return axis{low: max(low-space, -math.MaxFloat64), high: min(high+space, math.MaxFloat64)}
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// mostDigits is the width of the longest number that ticks write in full.
const mostDigits = 9

// mark gives the axis at most most ticks, at round numbers: multiples of 1, 2 or 5 times a power of
// ten. Where none of those lies between its ends, and where they have too many digits, the ends are
// marked.
func (a *axis) mark(most int) {
	var step, first, last float64
	var decimals int
	for n := most; n <= 2*most && !(last > first); n++ { // a single tick shows no scale
		step, decimals = roundStep((float64(a.high/2) - float64(a.low/2)) / float64(n) * 2)
		if a.whole && step < 1 {
			step, decimals = 1, 0
		}
		first, last = math.Ceil(a.low/step), math.Floor(a.high/step)
	}
	if last < first || !(last-first <= float64(2*most)) || math.Abs(first) > 1e12 ||
		math.Abs(last) > 1e12 {
		a.ticks = []tick{{a.low, humanize.Number(a.low, 4)}, {a.high, humanize.Number(a.high, 4)}}
		return
	}
	a.ticks = nil
	for k := first; k <= last; k++ {
		v := float64(k * step)
		text := strconv.FormatFloat(v, 'f', max(decimals, 0), 64)
		if len(strings.TrimPrefix(text, "-")) > mostDigits {
			text = strconv.FormatFloat(v, 'g', 4, 64)
		}
		if strings.Trim(text, "-0.") == "" {
			text = "0"
		}
		a.ticks = append(a.ticks, tick{v, text})
	}
}

// markWhole is mark with integers for ticks.
func (a *axis) markWhole(most int) {
	a.whole = true
	a.mark(most)
}

// markOf is mark for the values of a column. Days since a date have the dates for ticks, which are
// longer than numbers, so there are fewer.
func (a *axis) markOf(field *data.Field, most int) {
	if _, isDate := field.DateText(a.low); !isDate {
		a.mark(most)
		return
	}
	a.markWhole(max(2, most*2/3))
	for i, t := range a.ticks {
		text, _ := field.DateText(t.at)
		a.ticks[i].text, _, _ = strings.Cut(text, "T") // the day is enough
	}
}

// columnName is what charts call a column: days since a date are called as the date.
func columnName(field *data.Field) string {
	if field.From != nil && field.From.Part == data.Days {
		return field.From.Source
	}
	return field.Name
}

// roundStep returns the least of 1, 2 and 5 times a power of ten that is at least the given step,
// and its decimals.
func roundStep(least float64) (step float64, decimals int) {
	text := strconv.FormatFloat(least, 'e', -1, 64)
	e, err := strconv.Atoi(text[strings.IndexByte(text, 'e')+1:])
	if err != nil {
		return 1, 0
	}
	for ; ; e++ {
		for _, digit := range []string{"1", "2", "5"} {
			step, err := strconv.ParseFloat(digit+"e"+strconv.Itoa(e), 64)
			if err != nil || step >= least {
				return step, -e
			}
		}
	}
}

// markCounts gives a logarithmic axis of counts its ticks.
func (a *axis) markCounts() {
	a.ticks = nil
	for base := 1; float64(base) <= a.high; base *= 10 {
		for _, digit := range []int{1, 2, 5} {
			if v := float64(digit * base); v >= a.low && v <= a.high {
				a.ticks = append(a.ticks, tick{v, strconv.Itoa(digit * base)})
			}
		}
	}
}

// tickGap is the least space between the texts of two ticks side by side, and tickLine that between
// the base lines of two above each other, in pixels.
const (
	tickGap  = 3
	tickLine = 15
)

// thin leaves of the ticks those whose texts are clear of each other. Those are the powers of ten
// of a logarithmic axis, and every second, third or further one where that is not enough. The
// pixels of the axis are known.
func (a *axis) thin() {
	if a.log && a.crowded(1) {
		powers := slices.DeleteFunc(slices.Clone(a.ticks),
			func(t tick) bool { return strings.Trim(t.text, "0") != "1" })
		if len(powers) > 1 {
			a.ticks = powers
		}
	}
	every := 1
	for a.crowded(every) {
		every++
	}
	var kept []tick
	for i := 0; i < len(a.ticks); i += every {
		kept = append(kept, a.ticks[i])
	}
	a.ticks = kept
}

// crowded reports whether the texts of every n-th tick are too near to each other. A vertical axis
// has its low end further down.
func (a *axis) crowded(n int) bool {
	for i := n; i < len(a.ticks); i += n {
		before, t := a.ticks[i-n], a.ticks[i]
		need := tickGap + (tickStyle.Width(before.text)+tickStyle.Width(t.text)+1)/2
		if a.from > a.to {
			need = tickLine
		}
		if abs(int(a.at(t.at)-a.at(before.at))) < 10*need {
			return true
		}
	}
	return false
}
