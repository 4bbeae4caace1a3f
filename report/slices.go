package report

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
)

// sliceReport is the content of the section about rows that are predicted worst.
type sliceReport struct {
	Loss    string // what is averaged
	Overall number
	Rows    int
	Slices  []slice
}

// slice is the rows with some values of a column, and their mean loss.
type slice struct {
	Column string
	Values string
	Rows   int
	Mean   number
	Low    number // the interval of 95 % of the mean
	High   number
	low    float64
}

// The limits of slices.
const (
	sliceRows    = 30   // of a slice, at least
	sliceGroups  = 5    // intervals of a numeric column
	listedSlices = 20   // at most
	certain      = 3.5  // standard errors above the mean of all rows, at least
	normal95     = 1.96 // standard errors to each side of an interval of 95 %
)

func (r *sliceReport) parts() []piece {
	if len(r.Slices) == 0 {
		return []piece{note("For no values of a single column is the %s clearly greater "+
			"than %s, that of all %d rows.", r.Loss, numberWords(r.Overall, 4), r.Rows)}
	}
	most := number(0)
	for _, s := range r.Slices {
		most = max(most, s.High)
	}
	g := &grid{Caption: fmt.Sprintf("Slices with the greatest %s, and intervals of 95 %%", r.Loss),
		Columns: []column{{Name: "column"}, {Name: "values"},
			{Name: "rows", Class: "number", Sort: true}, {Name: r.Loss, Class: "measured", Sort: true},
			{Name: "times the mean", Class: "number", Sort: true}}}
	for _, s := range r.Slices {
		mean := amount(s.Mean, 3)
		mean.Inner = gauge(s.Mean, 0, most, s.Low, s.High)
		g.Rows = append(g.Rows, []cell{text(s.Column), text(s.Values), count(s.Rows), mean,
			amount(s.Mean/r.Overall, 3)})
	}
	return []piece{paragraph("The %s of all %d rows is %s. These rows have a greater one, by "+
		"more than chance explains.", r.Loss, r.Rows, numberWords(r.Overall, 4)), table(g)}
}

func slicesOf(_ context.Context, s *subject) (content, error) {
	switch {
	case s.data == nil:
		return nil, errNoTable
	case s.sample == nil:
		return nil, errNoLabel
	}
	losses, name := s.losses()
	if losses == nil {
		return nil, missing("Slices are compared for classes and for numbers. The task of this model is "+
			"%s, where single rows are neither right nor wrong.", s.spec.Task)
	}
	overall, _ := meanAndError(losses, data.AllRows(len(losses)))
	r := &sliceReport{Loss: name, Overall: number(overall), Rows: len(losses)}
	for i := range s.spec.Schema.Fields {
		at := s.data.Schema.Index(s.spec.Schema.Fields[i].Name)
		for _, g := range groupsOf(&s.data.Schema.Fields[at], &s.data.Columns[at]) {
			if len(g.rows) < sliceRows || 2*len(g.rows) > len(losses) {
				continue
			}
			mean, se := meanAndError(losses, g.rows)
			if se > 0 && mean > overall+float64(certain*se) {
				half := float64(normal95 * se)
				r.Slices = append(r.Slices, slice{s.spec.Schema.Fields[i].Name, g.name, len(g.rows),
					number(mean), number(mean - half), number(mean + half), mean - half})
			}
		}
	}
	slices.SortStableFunc(r.Slices, func(a, b slice) int { return cmp.Compare(b.low, a.low) })
	r.Slices = r.Slices[:min(len(r.Slices), listedSlices)]
	return r, nil
}

// losses returns how wrong the prediction of each row is: 1 for a wrong class, the absolute error
// of a number; nil of other tasks.
func (s *subject) losses() (losses []float64, name string) {
	n := s.sample.Rows()
	switch {
	case s.sample.Class != nil && s.sample.Width > 1:
		losses = make([]float64, n)
		for i, class := range s.sample.Class {
			if s.sample.Label(i) != int(class) {
				losses[i] = 1
			}
		}
		return losses, "error rate"
	case s.spec.Task == data.Regression && s.sample.Width == 1:
		losses = make([]float64, n)
		for i, y := range s.sample.Y {
			losses[i] = math.Abs(y - s.sample.Pred[i])
		}
		return losses, "mean absolute error"
	}
	return nil, ""
}

// meanAndError returns the mean over some rows and its standard error.
func meanAndError(values []float64, rows []int32) (mean, se float64) {
	n := float64(len(rows))
	for _, row := range rows {
		mean += values[row]
	}
	mean /= n
	for _, row := range rows {
		d := values[row] - mean
		se += float64(d * d)
	}
	return mean, math.Sqrt(se) / n
}

// group is the rows with some values of a column.
type group struct {
	name string
	rows []int32
}

// groupsOf divides the rows of a column: by category, or into intervals with about as many rows
// each; and those without a value.
func groupsOf(f *data.Field, c *data.Column) []group {
	if f.Kind == data.Categorical {
		groups := make([]group, len(f.Levels)+1)
		groups[len(f.Levels)].name = "missing or unseen"
		for i, level := range f.Levels {
			groups[i].name = humanize.Shorten(level, 60)
		}
		for row, code := range c.Codes() {
			k := min(int(code), len(f.Levels))
			groups[k].rows = append(groups[k].rows, int32(row))
		}
		return groups
	}
	absent := group{name: "missing"}
	var known []int32
	values := c.Numbers()
	for row, v := range values {
		if math.IsNaN(v) {
			absent.rows = append(absent.rows, int32(row))
		} else {
			known = append(known, int32(row))
		}
	}
	slices.SortStableFunc(known, func(a, b int32) int {
		return cmp.Compare(values[a], values[b])
	})
	groups := []group{absent}
	for from := 0; from < len(known); {
		to := min(len(known), from+max(1, (len(known)+sliceGroups-1)/sliceGroups))
		last := values[known[to-1]]
		for to < len(known) && values[known[to]] == last {
			to++
		}
		groups = append(groups, group{spanWords(f, values[known[from]], last), known[from:to]})
		from = to
	}
	return groups
}
