package table

import (
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/data"
)

// dateTexts recognises columns of texts that are dates: the year comes first, or all texts together
// show whether the day or the month does. Where they do not, nothing is guessed.
func dateTexts(t *distinct) *verdict {
	day, month := orderOf(t, data.DayFirst), orderOf(t, data.MonthFirst)
	best, other := day, month
	if month.misses < day.misses {
		best, other = month, day
	}
	if t.total == 0 || float64(best.misses) > (1-nearly)*float64(t.total) {
		return nil
	}
	switch name := t.column.Field.Name; {
	case best.misses > 0:
		return &verdict{kind: data.Categorical, note: fmt.Sprintf(
			"is categorical though %d of %d values are dates: %s is none (--missing %s makes it "+
				"a date column)",
			t.total-best.misses, t.total, t.shown(best.odd),
			t.tokenList([]string{t.levels[best.odd]}))}
	case other.misses > 0:
		v := best.verdict()
		v.note = fmt.Sprintf("holds dates with the %s first, as %s shows", orderWord(best.format),
			t.shown(other.odd))
		return v
	case best.last >= 0:
		return &verdict{kind: data.Categorical, note: fmt.Sprintf(
			"is categorical: the day or the month may come first in all its dates, such as %s "+
				"(--date %s=dmy or --date %s=mdy decides)",
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
	odd    int       // the first of these texts, -1: none
	last   int       // the first text whose year comes last, -1: none
}

// orderOf reads all texts by a format, but for those behind more misses than a date column may
// have.
func orderOf(t *distinct, format data.DateFormat) *order {
	o := &order{format: format, dates: make([]float64, len(t.levels)), odd: -1, last: -1}
	for code, level := range t.levels {
		if level == "" { // blanks in quotes are missing
			o.dates[code] = math.NaN()
			continue
		}
		var ok bool
		if o.dates[code], ok = data.ParseDate(level, format); !ok {
			o.odd = t.earlier(o.odd, code)
			if o.misses += t.rows[code]; float64(o.misses) > (1-nearly)*float64(t.total) {
				break
			}
		} else if _, first := data.ParseDate(level, data.YearFirst); !first {
			o.last = t.earlier(o.last, code)
		}
	}
	return o
}

// verdict makes the column one of dates.
func (o *order) verdict() *verdict {
	v := &verdict{kind: data.Date, num: o.dates}
	if o.format != data.YearFirst {
		v.format = o.format.String()
	}
	return v
}
