package exact_test

import (
	"context"
	"math"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/criterion"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/growtest"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/tree"
)

// TestPermutedCopies: of columns of noise with 2, 50 and any number of values the permuted copies
// gain as much as the columns, and less than a column that predicts the label.
func TestPermutedCopies(t *testing.T) {
	const n, trees = 200, 300
	schema := data.Schema{Fields: []data.Field{{Name: "two"}, {Name: "many"}, {Name: "fifty", Kind: data.Categorical}, {Name: "signal"}}}
	for range 50 {
		schema.Fields[2].Levels = append(schema.Fields[2].Levels, string(rune('a'+len(schema.Fields[2].Levels))))
	}
	var gain [8]float64
	for seed := range uint64(10) {
		r := rng.New(seed)
		columns := []data.Column{data.Numbers(make([]float64, n)), data.Numbers(make([]float64, n)), data.Codes(make([]uint32, n)), data.Numbers(make([]float64, n))}
		pop := &grow.Population{Rows: data.AllRows(n), Class: make([]uint32, n), Classes: 2}
		for i := range n {
			pop.Class[i] = uint32(r.Intn(2))
			columns[0].Numbers()[i], columns[1].Numbers()[i], columns[2].Codes()[i] = float64(r.Intn(2)), r.Float64(), uint32(r.Intn(50))
			columns[3].Numbers()[i] = r.Float64() + 0.3*float64(pop.Class[i])
		}
		frame, err := data.NewFrame(schema, columns)
		if err != nil {
			t.Fatal(err)
		}
		prepared, err := growtest.PrepareRanked(context.Background(), frame, nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		copied := prepared.WithPermutedCopies(seed)
		gini, _ := criterion.ByName("gini")
		for i := range uint64(trees / 10) {
			p := &problem{pop: *pop}
			growtest.Bootstrap(&p.pop)
			grown, err := copied.Grow(context.Background(), &p.pop, growtest.Config{Criterion: gini, Mtry: 2, Seed: seed<<8 + i, Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			for n := range int32(grown.Len()) {
				if s := grown.SplitOf(n); s.Kind != tree.Leaf {
					gain[s.Feature] += s.Gain / trees
				}
			}
		}
	}
	for i, name := range []string{"two", "many", "fifty"} {
		if d := gain[i] - gain[4+i]; math.Abs(d) > 0.15*(gain[i]+gain[4+i]) {
			t.Errorf("%s gains %g, its permuted copy %g", name, gain[i], gain[4+i])
		}
	}
	if gain[3] < 1.5*gain[7] || gain[2] < 2*gain[0] {
		t.Errorf("gains %v: the signal must gain more than its permuted copy, many categories more than two values", gain)
	}
}
