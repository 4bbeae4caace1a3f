package check_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/profile"
)

// normal draws from the normal distribution (Box and Muller 1958).
func normal(r *rng.Stream) float64 {
	return math.Sqrt(-2*math.Log(1-r.Float64())) * math.Cos(2*math.Pi*r.Float64())
}

const simulatedColumns = 30

// simulated draws a table of 30 columns of ten kinds. Those of index 3 are shifted by some standard
// deviations.
func simulated(t testing.TB, rows int, shift float64, r *rng.Stream) *data.Frame {
	t.Helper()
	levels := make([]string, 300)
	for i := range levels {
		levels[i] = fmt.Sprintf("level%03d", i)
	}
	var s data.Schema
	var columns []data.Column
	for i := range simulatedColumns {
		x, code := make([]float64, rows), make([]uint32, rows)
		for row := range rows {
			z, u := normal(r), r.Float64()
			switch i % 10 {
			case 0, 1:
				x[row] = z
			case 2:
				x[row] = math.Exp(2 * z)
			case 3:
				if x[row] = z; i == 3 {
					x[row] += shift
				}
			case 4: // few values
				x[row] = float64(r.Intn(10))
			case 5: // mostly 0
				if u < 0.03 {
					x[row] = 1
				}
			case 6: // counts with missing values
				if x[row] = math.Floor(-4 * math.Log(1-u)); r.Float64() < 0.05 {
					x[row] = math.NaN()
				}
			case 7: // half is 0
				x[row] = max(0, z)
			case 8: // a few categories
				code[row] = uint32(4 * u * u)
			case 9: // many, most of them rare
				code[row] = uint32(min(299, math.Floor(math.Exp(6*u)-1)))
			}
		}
		f := data.Field{Name: fmt.Sprintf("x%d", i)}
		if i%10 >= 8 {
			f.Kind, f.Levels = data.Categorical, levels
			columns = append(columns, data.Codes(code))
		} else {
			columns = append(columns, data.Numbers(x))
		}
		s.Fields = append(s.Fields, f)
	}
	f, err := data.NewFrame(s, columns)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// profiled returns a model that predicts 0 and has the profile of a table.
func profiled(f *data.Frame, o profile.Options) *model.Ensemble {
	b := profile.New(f.Schema.Fields, f.Rows(), o)
	b.Add(f, data.AllRows(f.Rows()))
	p := b.Profile(&data.Target{}, data.AllRows(f.Rows()))
	return &model.Ensemble{Meta: model.Spec{Task: data.Regression, Label: "y", Schema: known(f), Profile: p},
		Bias: []float64{0}}
}

// known returns the schema of a table whose dictionaries have the levels that rows hold.
func known(f *data.Frame) data.Schema {
	s := f.Schema.Clone()
	for i := range s.Fields {
		if s.Fields[i].Kind != data.Categorical {
			continue
		}
		held := map[uint32]bool{}
		for _, code := range f.Columns[i].Codes() {
			held[code] = true
		}
		var levels []string
		for code, level := range s.Fields[i].Levels {
			if held[uint32(code)] {
				levels = append(levels, level)
			}
		}
		s.Fields[i].Levels = levels
	}
	return s
}

// Of pairs of tables without drift few raise an alarm, and a shift of 0.3 standard deviations in
// one of 30 columns is found. The night tries 400 pairs.
func TestSimulatedDrift(t *testing.T) {
	for _, c := range []simulation{{5000, 5000, profile.Options{}}, {20_000, 1000, profile.Options{}},
		{1000, 20_000, profile.Options{NoExtremes: true}}} {
		if testing.Short() && c.rows != 5000 {
			continue
		}
		t.Run(fmt.Sprintf("%d/%d", c.training, c.rows), func(t *testing.T) {
			pairs := tier.Count(12, 24, 400)
			alarms, found := 0, 0
			for i := range pairs {
				alarm, named := c.run(t, uint64(i))
				alarms, found = alarms+alarm, found+named
			}
			t.Logf("%d of %d alarms without drift, %d shifts found", alarms, pairs, found)
			if alarms > max(4, 8*pairs/100) || 100*found < 95*pairs {
				t.Errorf("%d of %d alarms without drift, %d shifts found", alarms, pairs, found)
			}
		})
	}
}

// simulation is tables of how many rows are simulated.
type simulation struct {
	training, rows int
	options        profile.Options
}

// run returns 1 for an alarm without drift, and 1 for a shift that is found.
func (c *simulation) run(t *testing.T, seed uint64) (alarm, named int) {
	m := profiled(simulated(t, c.training, 0, rng.New(1, seed)), c.options)
	for _, shift := range []float64{0, 0.3} {
		r := checked(t, m, simulated(t, c.rows, shift, rng.New(2, seed)))
		if shift == 0 && r.Drifted > 0 {
			alarm = 1
		}
		for _, column := range r.Columns {
			if shift > 0 && column.Name == "x3" && len(column.Findings) > 0 {
				named = 1
			}
		}
	}
	return alarm, named
}
