package explain

import (
	"context"
	"slices"
	"strconv"

	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/internal/humanize"
)

// named names outputs, which are prediction, or prediction_0 and so on, unless they have names or
// are scores of classes.
func (r *request) named(outputs int, classes []string) []string {
	switch {
	case len(r.outputs) == outputs:
		return r.outputs
	case len(classes) == outputs:
		return classes
	case outputs == 1:
		return []string{"prediction"}
	}
	var names []string
	for k := range outputs {
		names = append(names, "prediction_"+strconv.Itoa(k))
	}
	return names
}

// number returns the number of the i-th row in the table, from 1.
func (r *request) number(i int) int {
	if r.rows == nil {
		return i + 1
	}
	return int(r.rows[i]) + 1
}

// surface has predictions, or effects, by value of one column or two.
type surface struct {
	Method     string         `json:"method"`
	Rows       int            `json:"rows"`
	Outputs    []string       `json:"outputs"`
	Axes       []explain.Axis `json:"axes"`
	Values     []float64      `json:"values"` // by value of the first axis, of the second, and by output
	Individual []float64      `json:"individual,omitempty"`
	number     func(i int) int
}

func partial(ctx context.Context, r *request) (result, error) {
	d, err := explain.PartialDependence(ctx, r.model, r.frame, r.rows, r.columns, r.options)
	if err != nil {
		return nil, err
	}
	return &surface{"partial", d.Rows, r.named(d.Outputs, d.Classes), d.Axes, d.Mean, d.Individual,
		r.number}, nil
}

func accumulated(ctx context.Context, r *request) (result, error) {
	e, err := explain.AccumulatedEffects(ctx, r.model, r.frame, r.rows, r.columns, r.options)
	if err != nil {
		return nil, err
	}
	return &surface{"accumulated", e.Rows, r.named(e.Outputs, e.Classes), e.Axes, e.Values, nil, nil}, nil
}

func (s *surface) lines(write func(fields ...string)) {
	var header []string
	for i := range s.Axes {
		header = append(header, s.Axes[i].Column)
	}
	header = append(header, s.Outputs...)
	if s.Individual != nil {
		header = append([]string{"row"}, header...)
	}
	write(header...)
	if s.Individual == nil {
		s.cells(nil, s.Values, write)
		return
	}
	s.cells([]string{"mean"}, s.Values, write)
	for row := range s.Rows {
		s.cells([]string{strconv.Itoa(s.number(row))},
			s.Individual[row*len(s.Values):][:len(s.Values)], write)
	}
}

// cells writes a line for each value of the axes.
func (s *surface) cells(before []string, values []float64, write func(fields ...string)) {
	n := len(s.Outputs)
	for cell := range len(values) / n {
		fields := slices.Clone(before)
		at := []int{cell}
		if len(s.Axes) == 2 {
			at = []int{cell / s.Axes[1].Len(), cell % s.Axes[1].Len()}
		}
		for i, place := range at {
			fields = append(fields, s.Axes[i].Text(place))
		}
		for _, x := range values[cell*n:][:n] {
			fields = append(fields, humanize.Exact(x))
		}
		write(fields...)
	}
}

// strengths are Friedman's H.
type strengths struct {
	Method  string             `json:"method"`
	Rows    int                `json:"rows"`
	Outputs []string           `json:"outputs"`
	H       []explain.Strength `json:"interactions"`
}

func interaction(ctx context.Context, r *request) (result, error) {
	h, err := explain.Interaction(ctx, r.model, r.frame, r.rows, r.columns, r.options)
	if err != nil {
		return nil, err
	}
	rows := r.frame.Rows()
	if r.rows != nil {
		rows = len(r.rows)
	}
	return &strengths{"interaction", rows, r.named(len(h[0].H), h[0].Classes), h}, nil
}

func (s *strengths) lines(write func(fields ...string)) {
	write(append([]string{"column", "with"}, s.Outputs...)...)
	for _, h := range s.H {
		fields := append(slices.Clone(h.Columns), "all others")[:2]
		for _, x := range h.H {
			fields = append(fields, humanize.Exact(x))
		}
		write(fields...)
	}
}
