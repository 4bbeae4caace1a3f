package main

import (
	"encoding/csv"
	"math"
	"os"
	"strconv"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// rows are rows to predict: numbers, codes of categories, NaN where missing. A code below 0 or
// beyond the levels is a category that training had not.
type rows struct {
	fields []data.Field
	values [][]float64
	single []bool // rows whose numbers single precision holds
}

// specials are numbers that conversions get wrong: zeros of both signs, those beyond the precision
// or the range of integers, those that single precision rounds, or that are subnormal there.
var specials = []float64{0, math.Copysign(0, -1), 1e30, -1e30, 0.1, -0.1, 16777217, 1 << 53, 3e38, -3e38, 1e-40, -1e-40, 1e-12}

// splitPoints returns the split points of each field.
func splitPoints(m model.Model) [][]float64 {
	points := make([][]float64, len(m.Spec().Schema.Fields))
	e, ok := model.AsTrees(m)
	if !ok {
		return points
	}
	for _, t := range e.Trees {
		for n := range int32(t.Len()) {
			if t.Kind(n) == tree.Numeric && int(t.Feature(n)) < len(points) && !math.IsInf(t.SplitPoint(n), 0) {
				points[t.Feature(n)] = append(points[t.Feature(n)], t.SplitPoint(n))
			}
		}
	}
	return points
}

// near returns a number at a split point, or next to it in double or in single precision.
func near(r *rng.Stream, t float64) float64 {
	up, down := math.Inf(1), math.Inf(-1)
	s := float32(t)
	all := []float64{t, math.Nextafter(t, up), math.Nextafter(t, down), float64(s),
		float64(math.Nextafter32(s, float32(up))), float64(math.Nextafter32(s, float32(down)))}
	return all[r.Intn(len(all))]
}

// makeRows makes rows for a model: every second one has numbers that single precision holds. With
// finite no value is missing.
func makeRows(m model.Model, n int, seed uint64, finite bool) *rows {
	r := rng.New(seed, 7)
	k := &rows{fields: m.Spec().Schema.Fields}
	points, special := splitPoints(m), specials
	if _, trees := model.AsTrees(m); !trees {
		special = []float64{0, math.Copysign(0, -1), 0.1, -0.1, 3, 12.5} // others swamp what is added
	}
	for i := range n {
		row, single := make([]float64, len(k.fields)), true
		for c := range row {
			kind := r.Float64()
			if finite {
				kind = 0.12 + 0.88*kind
			}
			switch f := &k.fields[c]; {
			case kind < 0.12:
				row[c] = math.NaN()
			case f.Kind == data.Categorical && kind < 0.22:
				row[c] = []float64{-1, float64(len(f.Levels) + 2)}[r.Intn(2)]
			case f.Kind == data.Categorical:
				row[c] = float64(r.Intn(max(1, len(f.Levels))))
			case kind < 0.22 || len(points[c]) == 0:
				row[c] = special[r.Intn(len(special))]
			case kind < 0.7:
				row[c] = near(r, points[c][r.Intn(len(points[c]))])
			default:
				row[c] = math.Round(10*points[c][r.Intn(len(points[c]))]*2*r.Float64()) / 10
			}
			if math.Abs(row[c]) > math.MaxFloat32 {
				row[c] = 3e38
			}
			if k.fields[c].Kind == data.Numeric && i%2 == 0 {
				row[c] = float64(float32(row[c]))
			}
			single = single && (k.fields[c].Kind != data.Numeric || math.IsNaN(row[c]) || float64(float32(row[c])) == row[c])
		}
		k.values, k.single = append(k.values, row), append(k.single, single)
	}
	return k
}

// write writes the rows as coppice predict reads them.
func (k *rows) write(path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	w := csv.NewWriter(f)
	record := make([]string, len(k.fields))
	for c := range record {
		record[c] = k.fields[c].Name
	}
	w.Write(record)
	for _, row := range k.values {
		for c, x := range row {
			switch f := &k.fields[c]; {
			case math.IsNaN(x):
				record[c] = ""
			case f.Kind == data.Numeric:
				record[c] = strconv.FormatFloat(x, 'g', -1, 64)
			case x < 0:
				record[c] = "never seen"
			case int(x) < len(f.Levels):
				record[c] = f.Levels[int(x)]
			default:
				record[c] = "nor this one"
			}
		}
		w.Write(record)
	}
	w.Flush()
	if w.Error() != nil {
		return w.Error()
	}
	return f.Close()
}

// forClients returns the rows as the scripts of clients read them.
func (k *rows) forClients() [][]*float64 {
	all := make([][]*float64, len(k.values))
	for i, row := range k.values {
		all[i] = make([]*float64, len(row))
		for c := range row {
			if !math.IsNaN(row[c]) {
				all[i][c] = &row[c]
			}
		}
	}
	return all
}
