package parity

import (
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/model"
)

// goldenProbes is the number of rows that golden rows are chosen among.
const goldenProbes = 1000

// Golden returns golden rows of an imported model, which has no profile to draw them from: rows at
// split points of its trees, as Make makes them, and of a model without trees rows of random
// values. Rows that the model refuses are left out, and so are categories that it does not have. It
// returns nil if no row is left, or if the model is too wide.
func Golden(m model.Model) *model.Golden {
	s := &m.Spec().Schema
	p, err := m.Bind(s, model.Options{Workers: 1})
	most := model.GoldenCount(m)
	if err != nil || most == 0 || len(s.Fields) == 0 {
		return nil
	}
	probes := &Probes{Columns: len(s.Fields)}
	if e := m.Describe().Ensemble; e != nil {
		probes = Make(e, goldenProbes)
	} else {
		random := rng.New(1)
		for range 4 * most {
			probes.Values = append(probes.Values, randomRow(s.Fields, random)...)
		}
	}
	g, n := &model.Golden{}, probes.Rows()
	stride := max(1, n/most) // rows of all trees
	for first := range stride {
		for i := first; i < n && g.Rows < most; i += stride {
			row, response := append([]float64{}, probes.Row(i)...), make([]float64, p.Width())
			for c := range row {
				if s.Fields[c].Kind == data.Categorical && row[c] < 0 {
					row[c] = math.NaN()
				}
			}
			if p.PredictRow(response, row) != nil || slices.ContainsFunc(response, notFinite) {
				continue
			}
			g.Values, g.Predictions = append(g.Values, row...), append(g.Predictions, response...)
			g.Rows++
		}
	}
	if g.Rows == 0 {
		return nil
	}
	return g
}

// randomRow returns a row of numbers around 0, of categories, and of missing values.
func randomRow(fields []data.Field, random *rng.Stream) []float64 {
	row := make([]float64, len(fields))
	for i := range fields {
		row[i] = math.Ldexp(float64(2*random.Float64())-1, random.Intn(6)-4)
		if n := len(fields[i].Levels); fields[i].Kind == data.Categorical && n > 0 {
			row[i] = float64(random.Intn(n))
		}
		if random.Intn(8) == 0 || fields[i].Kind == data.Categorical && len(fields[i].Levels) == 0 {
			row[i] = math.NaN()
		}
	}
	return row
}

func notFinite(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) }
