package check

import (
	"cmp"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// counter counts the values of a column, in the bins that the profile of the training rows has.
type counter struct {
	profile *model.ColumnProfile
	field   *data.Field // of the model, whose levels are known

	rows, missing, infinite, outside, other, fresh int // fresh: of a category that is new
	bins                                           []int
	texts                                          data.UnseenTexts // that are new

	edges   []float64 // of numbers: the upper ends of all bins but the last
	low     float64   // the least and the largest number of training
	high    float64
	date    *data.DatePart     // the numbers are days of this, and the profile has dates
	scales  [scaleBins + 1]int // of numbers but 0, by the exponent
	places  map[string]int     // of categories: the bin of each level in the profile
	index   *data.LevelIndex   // of the levels of field
	levels  []string           // the last dictionary of a table
	recode  []int              // the bin of each of its codes, or one of those below
	numbers [countedAtOnce]float64
}

const (
	countedAtOnce = 1 << 10
	// exponents of two from -scaleBins/2 on are counted, and those beyond in the first and last bin
	scaleBins = 160
	// bins of recode
	isOther, isNew = -1, -2
)

// newCounter returns a counter of no values for a column of a table that became a field.
func newCounter(p *model.ColumnProfile, field *data.Field) *counter {
	c := &counter{profile: p, field: field, low: math.Inf(-1), high: math.Inf(1)}
	if field.From != nil {
		c.date = field.From
	}
	if n := p.Numbers; n != nil {
		if n.Min != nil && n.Max != nil {
			c.low, c.high = *n.Min, *n.Max
		}
		c.edges = slices.Compact(slices.Clone(n.Quantiles))
		c.bins = make([]int, len(c.edges)+1)
	}
	if p.Kind == data.Categorical {
		c.bins, c.places = make([]int, len(p.Levels)), map[string]int{}
		for i, l := range p.Levels {
			c.places[l.Level] = i
		}
	}
	return c
}

// add counts the rows of a table's column of the same kind.
func (c *counter) add(got *data.Field, column *data.Column, rows int) {
	c.rows += rows
	if codes := column.Codes(); codes != nil {
		c.addCodes(got.Levels, codes)
		c.texts.Join(column.UnseenTexts())
		return
	}
	if _, values, absent, sparse := column.Stored(); sparse {
		c.addNumbers(values, 1)
		if rest := rows - len(values); rest > 0 {
			c.addNumbers([]float64{absent}, rest)
		}
		return
	}
	for from := 0; from < rows; from += countedAtOnce {
		c.addNumbers(column.NumbersIn(from, min(from+countedAtOnce, rows), c.numbers[:]), 1)
	}
}

// addNumbers counts numbers, each so many times.
func (c *counter) addNumbers(values []float64, times int) {
	for _, v := range values {
		switch {
		case v != v:
			c.missing += times
			continue
		case math.IsInf(v, 0):
			c.infinite += times
			continue
		}
		if c.date != nil {
			v = c.date.Date(v)
		}
		if v < c.low || v > c.high {
			c.outside += times
		}
		if v != 0 {
			c.scales[scaleOf(v)] += times
		}
		if c.bins != nil {
			at, _ := slices.BinarySearch(c.edges, v)
			c.bins[at] += times
		}
	}
}

// scaleOf returns the bin of a number by its exponent.
func scaleOf(v float64) int {
	return min(max(math.Ilogb(v)+scaleBins/2, 0), scaleBins)
}

func (c *counter) addCodes(levels []string, codes []uint32) {
	if c.recode == nil || !slices.Equal(levels, c.levels) {
		c.translate(levels)
	}
	fresh := make(map[uint32]int)
	for _, code := range codes {
		if code == data.MissingCode {
			c.missing++
			continue
		}
		bin := isNew
		if int64(code) < int64(len(levels)) {
			bin = c.recode[code]
		}
		switch bin {
		case isOther:
			c.other++
		case isNew:
			c.fresh++
			fresh[code]++
		default:
			c.bins[bin]++
		}
	}
	for code, n := range fresh { // the sample is the same in any order
		if int64(code) < int64(len(levels)) {
			c.texts.AddRows(levels[code], n)
		}
	}
}

// translate finds the bin of each level of a table.
func (c *counter) translate(levels []string) {
	if c.index == nil {
		c.index = data.IndexLevels(c.field)
	}
	c.levels, c.recode = slices.Clone(levels), make([]int, len(levels))
	for code, level := range levels {
		bin := isNew
		if own := c.index.Find(level); own != data.UnseenCode {
			bin = isOther
			if at, found := c.places[c.field.Levels[own]]; found {
				bin = at
			}
		}
		c.recode[code] = bin
	}
}

// values returns how many rows have a value that is in a bin.
func (c *counter) values() int { return c.rows - c.missing - c.infinite }

// trained returns how many of the training rows are in each bin, and how many of these rows; nil if
// the profile has no bins.
func (c *counter) trained(p *model.Profile) (bins, counted []int) {
	switch n := c.profile.Numbers; {
	case n != nil && len(n.Quantiles) > 0:
		last := 0
		for i, count := range n.AtMost {
			if i == len(n.AtMost)-1 || n.Quantiles[i+1] != n.Quantiles[i] {
				bins, last = append(bins, count-last), count
			}
		}
		return append(bins, max(0, c.sampled(p)-last)), c.bins
	case c.profile.Kind == data.Categorical && c.profile.Distinct > 0:
		return c.frequent(p.Rows - c.profile.Missing)
	}
	return nil, nil
}

// frequent returns how many rows have each of the frequent levels, in bytewise order, and any other
// one, of n training rows and in the table.
//
// Levels that are rare in training are less rare elsewhere, if only as many are there that training
// has not: of the rows of the levels that at most r rows have, about (r+1) N(r+1) more belong to
// them than training shows, where N(r+1) levels have r+1 rows (Good 1953). So the bin of the others
// begins where that is little.
func (c *counter) frequent(n int) (bins, counted []int) {
	levels := c.profile.Levels
	rest := n
	for _, l := range levels {
		rest -= l.Rows
	}
	kept := len(levels)
	for ; kept > 0; kept-- {
		next := 0
		if kept < len(levels) {
			next = levels[kept].Rows
			rest += next
		} else if c.profile.OtherLevels > 0 {
			next = levels[kept-1].Rows
		}
		at := float64(levels[kept-1].Rows+next) / 2
		near := 0.0
		for _, l := range levels {
			if math.Abs(float64(l.Rows)-at) <= math.Sqrt(at) {
				near++
			}
		}
		p := float64(rest) / float64(n)
		if at*near/(2*math.Sqrt(at)+1) <= fewMoved*math.Sqrt(max(1, float64(n)*p*(1-p))) {
			break
		}
	}
	order := make([]int, len(levels))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order[:kept], func(a, b int) int {
		return cmp.Compare(levels[a].Level, levels[b].Level)
	})
	others := c.other + c.fresh
	for k, i := range order {
		if k >= kept {
			others += c.bins[i]
			continue
		}
		bins, counted = append(bins, levels[i].Rows), append(counted, c.bins[i])
	}
	return append(bins, rest), append(counted, others)
}

// fewMoved is how many standard errors of the rows of rare levels may belong to other levels.
const fewMoved = 0.25

// sampled returns how many numbers the quantiles are of.
func (c *counter) sampled(p *model.Profile) int {
	finite := p.Rows - c.profile.Missing - c.profile.Infinite
	if p.SampleRows == 0 {
		return finite
	}
	if !p.NoExtremes {
		return c.profile.Numbers.AtMost[model.ProfileQuantiles-1]
	}
	return int(float64(p.SampleRows) * (float64(finite) / float64(p.Rows)))
}

// scale returns how many times as large as in training the numbers are, a power of two: the
// quotient of the median magnitudes without zeros; 1 if that is not known.
func (c *counter) scale() float64 {
	total := 0
	for _, n := range c.scales {
		total += n
	}
	var trained []int
	if c.profile.Numbers != nil && c.profile.Kind == data.Numeric {
		for _, q := range c.profile.Numbers.Quantiles {
			if q != 0 {
				trained = append(trained, scaleOf(q))
			}
		}
	}
	if total < leastScale || len(trained) == 0 {
		return 1
	}
	slices.Sort(trained)
	at, below := 0, 0
	for ; 2*(below+c.scales[at]) <= total; at++ {
		below += c.scales[at]
	}
	return math.Ldexp(1, at-trained[len(trained)/2])
}

// leastScale is how many numbers that are not 0 tell their scale.
const leastScale = 20

// counts reports that a column counts rows or times, as far as the profile shows: its numbers are
// integers, all different, and evenly spread. New rows have further ones.
func (c *counter) countsUp(p *model.Profile) bool {
	n := c.profile.Numbers
	if n == nil || len(n.Quantiles) == 0 || c.profile.Kind != data.Numeric {
		return false
	}
	rows := p.Rows - c.profile.Missing - c.profile.Infinite
	if !c.profile.More && c.profile.Distinct < rows || rows < leastCounter {
		return false
	}
	first := n.Quantiles[0]
	width := n.Quantiles[model.ProfileQuantiles-1] - first
	for i, q := range n.Quantiles {
		even := float64(i) / (model.ProfileQuantiles - 1)
		if q != math.Trunc(q) || math.Abs((q-first)/width-even) > unevenCounter {
			return false
		}
	}
	return width > 0
}

const (
	leastCounter  = 50   // rows that show that a column counts
	unevenCounter = 0.05 // of its range: how far a quantile may be off
)

// single returns about how many rows of training are alone with their level, at most.
func (c *counter) single() int {
	singles, least := 0, 1
	for _, l := range c.profile.Levels {
		least = l.Rows
		if l.Rows == 1 {
			singles++
		}
	}
	others, rows := c.profile.OtherLevels, c.profile.OtherRows
	if others == 0 || least <= 1 {
		return singles + others
	}
	// as many singles as possible leave the others as many rows as the last level that is listed
	most := (int64(least)*int64(others) - int64(rows)) / int64(least-1)
	return singles + int(max(0, min(int64(others), most)))
}
