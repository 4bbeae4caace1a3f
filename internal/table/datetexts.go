package table

import (
	"fmt"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/option"
)

// dateTexts recognises columns of texts that are dates: the year comes first, or all texts together
// show whether the day or the month does. Where they do not, nothing is guessed.
func dateTexts(t *distinct) *verdict {
	best, other := t.orders()
	if t.total == 0 || !t.nearlyAll(t.total-best.misses, best.odd) {
		return nil
	}
	switch name := t.column.Field.Name; {
	case best.misses > 0:
		return &verdict{kind: data.Categorical, note: fmt.Sprintf(
			"is categorical though %d of %d values are dates: %s (%s makes it a date column)",
			t.total-best.misses, t.total, t.none(best.odd), t.missingFlag(best.odd))}
	case other.misses > 0:
		v := best.verdict()
		v.note = fmt.Sprintf("holds dates with the %s first, as %s shows", orderWord(best.format),
			t.shown(other.odd[0]))
		return v
	case best.last >= 0:
		return &verdict{kind: data.Categorical, note: fmt.Sprintf(
			"is categorical: the day or the month may come first in all its dates, such as %s "+
				option.Expand("({date} %s=dmy or {date} %s=mdy decides)"),
			t.shown(best.last), name, name)}
	}
	best.format = data.YearFirst
	return best.verdict()
}

// order is what the texts of a column are as dates of a format.
type order struct {
	format data.DateFormat
	dates  []float64 // by code; those of blanks are NaN, those of texts that are no dates 0
	misses int       // rows of texts that are no dates
	odd    []int     // these texts, the first in the table first; not all if they are too many
	last   int       // the first text whose year comes last, -1: none
}

// orderOf reads all texts by a format, but for those behind more misses than a date column may
// have.
func orderOf(t *distinct, format data.DateFormat) *order {
	o := &order{format: format, dates: make([]float64, len(t.levels)), last: -1}
	for code, level := range t.levels {
		if level == "" { // blanks in quotes are missing
			o.dates[code] = math.NaN()
			continue
		}
		var ok bool
		if o.dates[code], ok = data.ParseDate(level, format); !ok {
			o.odd = append(o.odd, code)
			if o.misses += t.rows[code]; len(o.odd) > 1 && !t.nearlyAll(t.total-o.misses, o.odd) {
				break
			}
		} else if _, first := data.ParseDate(level, data.YearFirst); !first {
			o.last = t.earlier(o.last, code)
		}
	}
	slices.SortFunc(o.odd, func(a, b int) int { return t.first[a] - t.first[b] })
	return o
}

// orders reads all texts with the day and with the month first, the order of fewer misses first.
func (t *distinct) orders() (best, other *order) {
	best, other = orderOf(t, data.DayFirst), orderOf(t, data.MonthFirst)
	if other.misses < best.misses {
		return other, best
	}
	return best, other
}

// verdict makes the column one of dates.
func (o *order) verdict() *verdict {
	v := &verdict{kind: data.Date, num: o.dates}
	if o.format != data.YearFirst {
		v.format = o.format.String()
	}
	return v
}
