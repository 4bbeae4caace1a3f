package plot

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// Important returns the numeric columns that the tree splits by, at most so many: those of the
// largest total gain, or of the most splits if the tree kept no statistics. It may return none.
func (s *Subject) Important(most int) []int {
	worth := make([]float64, len(s.Spec.Schema.Fields))
	s.uses(func(n, feature int32) {
		gain := 1.0
		if s.Tree.Stats != nil {
			gain = s.Tree.Stats.Gain[n]
		}
		worth[feature] += gain
	})
	var columns []int
	for i, w := range worth {
		if w > 0 && s.Spec.Schema.Fields[i].Kind == data.Numeric {
			columns = append(columns, i)
		}
	}
	slices.SortStableFunc(columns, func(a, b int) int { return cmp.Compare(worth[b], worth[a]) })
	return columns[:min(most, len(columns))]
}

// uses calls f for every column that an inner node splits by.
func (s *Subject) uses(f func(n, feature int32)) {
	t := s.Tree
	for n := range int32(t.Len()) {
		kind := t.Kind(n)
		switch kind {
		case tree.Leaf:
		case tree.Oblique, tree.Sphere:
			for i := t.Dirs.At[n]; i < t.Dirs.At[n+1]; i++ {
				f(n, t.Dirs.Feature[i])
			}
		default:
			f(n, t.Feature(n))
		}
	}
}

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

// fixedWords lists the columns used beside those drawn, with the values at which they are fixed. of
// is what uses them: a tree or a model.
func fixedWords(spec *model.Spec, used []bool, drawn []int, row []data.Column, of string) string {
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
		if of == "model" {
			return "The model uses no other column."
		}
		return "The " + of + " tests no other column: the regions are exact."
	}
	text := strings.Join(words, ", ")
	if more > 0 {
		text += fmt.Sprintf(", +%d more", more)
	}
	return "The other columns of the " + of + " are held at their median or most frequent " +
		"category: " + text + "."
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
