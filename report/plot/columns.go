package plot

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/model"
)

// typical returns a table of one row: the median of the finite values of each numeric column and
// the most frequent level of each categorical one, of equally frequent ones the first. A column
// without such a value is missing there.
func typical(spec *model.Spec, f *data.Frame) []data.Column {
	row := make([]data.Column, len(f.Columns))
	for i := range f.Columns {
		if c := &f.Columns[i]; c.Codes() != nil {
			row[i] = data.Codes([]uint32{mode(c.Codes(), len(spec.Schema.Fields[i].Levels))})
		} else {
			row[i] = data.Numbers([]float64{median(c.Numbers())})
		}
	}
	return row
}

func mode(codes []uint32, levels int) uint32 {
	counts := make([]int, levels)
	best := uint32(data.MissingCode)
	for _, c := range codes {
		if int(c) < levels {
			counts[c]++
		}
	}
	for c, n := range counts {
		if n > 0 && (best == data.MissingCode || n > counts[best]) {
			best = uint32(c)
		}
	}
	return best
}

func median(values []float64) float64 {
	known := make([]float64, 0, len(values))
	for _, v := range values {
		if finite(v) {
			known = append(known, v)
		}
	}
	if len(known) == 0 {
		return math.NaN()
	}
	slices.Sort(known)
	low, high := known[(len(known)-1)/2], known[len(known)/2]
	if low == high {
		return low
	}
	return float64(low/2) + float64(high/2)
}

// mostFixed is the number of fixed columns that a note names.
const mostFixed = 5

// fixedWords lists the columns used beside those drawn, with the values at which they are fixed.
func fixedWords(spec *model.Spec, used []bool, drawn []int, row []data.Column) string {
	var words []string
	more := 0
	for i, u := range used {
		switch {
		case !u || slices.Contains(drawn, i):
		case len(words) == mostFixed:
			more++
		default:
			words = append(words,
				columnName(&spec.Schema.Fields[i])+" = "+valueWords(&spec.Schema.Fields[i], &row[i]))
		}
	}
	if len(words) == 0 {
		return "The model uses no other column."
	}
	text := strings.Join(words, ", ")
	if more > 0 {
		text += fmt.Sprintf(", +%d more", more)
	}
	return "The other columns of the model are held at their median or most frequent category: " +
		text + "."
}

func valueWords(field *data.Field, c *data.Column) string {
	levels := field.Levels
	switch {
	case c.Codes() == nil && math.IsNaN(c.Number(0)), c.Codes() != nil &&
		uint(c.Code(0)) >= uint(len(levels)):
		return "missing"
	case c.Codes() == nil:
		if date, ok := field.DateText(c.Number(0)); ok {
			return date
		}
		return humanize.Number(c.Number(0), 4)
	}
	return levels[c.Code(0)]
}
