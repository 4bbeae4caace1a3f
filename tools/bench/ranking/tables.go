//go:build linux

package ranking

import (
	"context"
	"fmt"
	"math"
	"path/filepath"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/libsvm"
	"github.com/coppice-ml/coppice/internal/rng"
)

// made is a table that is generated: the grade of a row rises with a score of its columns, with an
// effect of its query on columns, and with noise.
type made struct {
	name                   string
	queries, rows, columns int // rows is the mean of a query, which has half to one and a half of it
	noise                  float64
	grade                  func(z float64) float64 // of a score with a mean of 0 and a deviation near 1
}

// steps returns the number of limits that a score exceeds.
func steps(limits ...float64) func(z float64) float64 {
	return func(z float64) float64 {
		grade := 0.0
		for _, l := range limits {
			if z > l {
				grade++
			}
		}
		return grade
	}
}

// tables are one of files, and four that differ in the length of queries and in what grades are.
var tables = []made{
	{name: "lambdarank"},
	{"web", 400, 60, 30, 0.8, steps(0, 0.8, 1.5, 2.2)},
	{"clicks", 1200, 15, 15, 1.5, steps(1.2)},
	{"long lists", 80, 400, 25, 0.6, steps(1.9, 2.5)},
	{"counts", 500, 25, 20, 0.6, func(z float64) float64 {
		return math.Floor(min(12, max(0, math.Exp(0.9*z)-0.6)))
	}},
}

// table reads or makes a table.
func (b *bench) table(ctx context.Context, name string) (*data.Dataset, error) {
	for i, t := range tables {
		switch {
		case t.name != name:
		case t.queries == 0:
			at := func(file string) string { return filepath.Join(b.Data, "lambdarank", file) }
			f, err := libsvm.Open(data.ReadOptions{}, at("rank.train.gz"), at("rank.test.gz")).Frame(ctx)
			if err != nil {
				return nil, err
			}
			return data.Roles{Label: libsvm.Label, Group: libsvm.Query, Task: data.Ranking}.Apply(f)
		default:
			if b.Quick {
				t.queries = 20
			}
			return t.make(rng.New(uint64(i)))
		}
	}
	return nil, fmt.Errorf("there is no table %q", name)
}

func (t *made) make(s *rng.Stream) (*data.Dataset, error) {
	columns := make([]data.NamedColumn, t.columns)
	values := make([][]float64, t.columns)
	var y, group []float64
	for q := range t.queries {
		shift := make([]float64, t.columns) // what all rows of a query share does not tell their order
		for j := range shift {
			shift[j] = 0.7 * normal(s)
		}
		for range t.rows/2 + s.Intn(t.rows) {
			x := make([]float64, t.columns)
			for j := range x {
				x[j] = normal(s)
				values[j] = append(values[j], x[j]+shift[j])
			}
			z := 0.5*x[0] + 0.4*x[1]*x[2] + 0.5*math.Sin(2*x[3]) + 0.4*math.Abs(x[4]) - 0.3*x[5]*x[5]/1.4 +
				t.noise*normal(s)
			y = append(y, t.grade(z))
			group = append(group, float64(q))
		}
	}
	for j := range columns {
		columns[j] = data.NamedColumn{Name: fmt.Sprint("x", j), Values: values[j]}
	}
	f, err := data.FromColumns(append(columns, data.NamedColumn{Name: "y", Values: y},
		data.NamedColumn{Name: "q", Values: group})...)
	if err != nil {
		return nil, err
	}
	return data.Roles{Label: "y", Group: "q", Task: data.Ranking}.Apply(f)
}

// normal returns a number of a normal distribution, by twelve uniform ones.
func normal(s *rng.Stream) float64 {
	sum := -6.0
	for range 12 {
		sum += s.Float64()
	}
	return sum
}
