package exact_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/criterion"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/growtest"
	"github.com/coppice-ml/coppice/learn/internal/grow"
)

// TestCountedColumnsAgree: where columns of few values are counted in tables of values and classes,
// trees are those of presorted columns. There are few classes in a word and many in vectors, one
// column or several at once. Rows count often, also too often for the counters, and one column has
// missing values.
func TestCountedColumnsAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]int{5, 40, 400, 1500}).Draw(t, "rows")
		random := rng.New(rapid.Uint64().Draw(t, "table"))
		p := &problem{pop: grow.Population{Rows: data.AllRows(n), Class: make([]uint32, n), Classes: rapid.SampledFrom([]int{3, 5, 16, 17, 33, 65}).Draw(t, "classes")}}
		p.row, _ = criterion.ByName("gini")
		levels := rapid.SampledFrom([]int{3, 16, 63, 64}).Draw(t, "levels")
		hole := rapid.IntRange(-5, 4).Draw(t, "column with missing values")
		var schema data.Schema
		var columns []data.Column
		for c := range 5 {
			num := make([]float64, n)
			for i := range num {
				if num[i] = float64(random.Intn(levels)); c == hole && random.Intn(9) == 0 {
					num[i] = math.NaN()
				}
			}
			schema.Fields, columns = append(schema.Fields, data.Field{Name: fmt.Sprint("c", c)}), append(columns, data.Numbers(num))
		}
		var err error
		if p.frame, err = data.NewFrame(schema, columns); err != nil {
			t.Fatal(err)
		}
		often := rapid.SampledFrom([]int{1, 3, 60, 30000}).Draw(t, "often")
		for i := range n {
			of := columns[i%5].Number(i)
			p.pop.Class[i] = uint32(int(max(of, 0))*p.pop.Classes/levels+random.Intn(2)) % uint32(p.pop.Classes)
			p.pop.Count = append(p.pop.Count, uint32(1+random.Intn(often)))
		}
		p.pop.Count[0] += rapid.SampledFrom([]uint32{0, 0, 40000}).Draw(t, "first row")
		cfg := growtest.Config{Workers: 1, Mtry: rapid.IntRange(1, 4).Draw(t, "mtry"), Seed: rapid.Uint64().Draw(t, "seed"),
			Limits: grow.Limits{MinLeaf: rapid.SampledFrom([]int{0, 0, 9}).Draw(t, "min leaf")}}
		if !growtest.SameTree(growWith(t, p, cfg), growRanked(t, p, cfg)) {
			t.Fatal("ranks grow another tree")
		}
	})
}
