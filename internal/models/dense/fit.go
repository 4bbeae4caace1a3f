package dense

import (
	"cmp"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
)

// Fit makes the encoding for the given rows of a frame, nil = all, a repeated row counting as
// often; rows of weight 0 are ignored. Weights are by frame row, and nil means 1. Sums run in the
// order of rows, without fused products: the same on every machine.
func Fit(f *data.Frame, rows []int32, weight []float64) (*Encoding, *Report) {
	rows = f.Chosen(rows)
	if weight != nil {
		rows = slices.DeleteFunc(slices.Clone(rows), func(r int32) bool { return weight[r] <= 0 })
	}
	e, report := &Encoding{}, &Report{}
	for i := range f.Columns {
		c := Column{Field: int32(i), Missing: -1, Unseen: -1}
		name, ok := f.Schema.Fields[i].Name, false
		if f.Columns[i].Codes() != nil || f.Schema.Fields[i].Kind == data.Categorical {
			ok = c.fitCodes(f.Columns[i].Codes(), len(f.Schema.Fields[i].Levels), rows,
				weight, name, report)
		} else {
			ok = c.fitNumbers(f.Columns[i].Numbers(), rows, weight, name, report)
		}
		if !ok {
			report.LeftOut = append(report.LeftOut, name)
			continue
		}
		e.Columns = append(e.Columns, c)
	}
	report.Width = e.Width()
	return e, report
}

// weightOf returns the weight of a row.
func weightOf(weight []float64, row int32) float64 {
	if weight == nil {
		return 1
	}
	return weight[row]
}

// fitNumbers encodes a numeric column; false: it carries no information.
func (c *Column) fitNumbers(
	x []float64, rows []int32, weight []float64, name string, report *Report,
) bool {
	c.Low, c.High = math.Inf(1), math.Inf(-1)
	missing, infinite := 0, 0
	for _, r := range rows {
		switch v := x[r]; {
		case math.IsNaN(v):
			missing++
		case math.IsInf(v, 0):
			infinite++
		default:
			c.Low, c.High = min(c.Low, v), max(c.High, v)
		}
	}
	if !(c.Low < c.High) || !c.moments(x, rows, weight) {
		return false
	}
	report.Standardised++
	if missing > 0 {
		report.Imputed = append(report.Imputed, Filled{name, missing})
	}
	if infinite > 0 {
		report.Clamped = append(report.Clamped, Filled{name, infinite})
	}
	return true
}

// moments computes mean and deviation in two passes, in a unit (a power of two, so that no bit is
// lost) in which no square overflows.
func (c *Column) moments(x []float64, rows []int32, weight []float64) bool {
	_, exponent := math.Frexp(max(math.Abs(c.Low), math.Abs(c.High)))
	unit := math.Ldexp(1, exponent-1)
	each := func(visit func(w, v float64)) {
		for _, r := range rows {
			if v := x[r]; !math.IsNaN(v) {
				visit(weightOf(weight, r), max(c.Low, min(c.High, v))/unit)
			}
		}
	}
	var total, sum float64
	each(func(w, v float64) { total += w; sum += float64(w * v) })
	first := sum / total
	var rest float64 // what rounding took from the mean
	each(func(w, v float64) { rest += float64(w * (v - first)) })
	mean := first + rest/total
	var squares float64
	each(func(w, v float64) { squares += float64(w * float64((v-mean)*(v-mean))) })
	c.Mean = max(c.Low, min(c.High, float64(mean*unit)))
	c.Scale = unit * math.Sqrt(squares/total)
	return c.Scale > 0 && !math.IsInf(c.Scale, 0) && !math.IsNaN(c.Mean)
}

// fitCodes gives places to categories; false: the column carries no information.
func (c *Column) fitCodes(
	codes []uint32, levels int, rows []int32, weight []float64, name string, report *Report,
) bool {
	count, missing, total := weighCodes(codes, levels, rows, weight)
	seen, own := heaviest(count, maxCategories)
	c.Place = make([]int32, levels)
	for code := range c.Place {
		c.Place[code] = -1
	}
	for _, code := range own {
		c.Place[code] = int32(len(c.Fraction))
		c.Fraction = append(c.Fraction, count[code])
	}
	if len(own) < len(seen) {
		c.Unseen = int32(len(c.Fraction))
		c.Fraction = append(c.Fraction, 0)
		for _, code := range seen {
			if c.Place[code] < 0 {
				c.Fraction[c.Unseen] += count[code]
			}
		}
	}
	if missing > 0 {
		c.Missing = int32(len(c.Fraction))
		c.Fraction = append(c.Fraction, missing)
	}
	if len(c.Fraction) < 2 {
		return false
	}
	for place := range c.Fraction {
		c.Fraction[place] /= total
	}
	report.Coded++
	if len(own) < len(seen) {
		report.Pooled = append(report.Pooled, Filled{name, len(seen) - len(own)})
	}
	return true
}

// weighCodes returns the weight of each category, of the rows without one, and of both together.
// Rows of unseen categories have no weight.
func weighCodes(codes []uint32, levels int, rows []int32, weight []float64) (
	count []float64, missing, total float64) {
	count = make([]float64, levels)
	for _, r := range rows {
		w := weightOf(weight, r)
		switch code := codes[r]; {
		case code == data.MissingCode:
			missing += w
		case uint(code) < uint(levels):
			count[code] += w
		default:
			continue
		}
		total += w
	}
	return count, missing, total
}

// heaviest returns the categories that have a weight, and the heaviest of them, at most so many,
// both by code. Of equal weights the lower code is the heavier one.
func heaviest(count []float64, most int) (seen, own []int) {
	for code, w := range count {
		if w > 0 {
			seen = append(seen, code)
		}
	}
	if len(seen) <= most {
		return seen, seen
	}
	own = slices.Clone(seen)
	slices.SortStableFunc(own, func(a, b int) int { return cmp.Compare(count[b], count[a]) })
	own = own[:most]
	slices.Sort(own)
	return seen, own
}
