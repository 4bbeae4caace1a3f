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

// randomCounted makes a problem of classes whose rows are counted, with columns of every kind that
// ranks have: of few and of many values, of few and of many categories, with and without missing
// values.
func randomCounted(t *rapid.T) *problem {
	n := rapid.SampledFrom([]int{2, 3, 9, 60, 500, 3000}).Draw(t, "rows")
	random := rng.New(rapid.Uint64().Draw(t, "table"))
	p := &problem{pop: grow.Population{Rows: data.AllRows(n), Class: make([]uint32, n), Classes: rapid.SampledFrom([]int{2, 2, 3, 7, 40}).Draw(t, "classes")}}
	p.row, _ = criterion.ByName("gini")
	var schema data.Schema
	var columns []data.Column
	for c := range rapid.IntRange(1, 4).Draw(t, "columns") {
		levels := rapid.SampledFrom([]int{2, 9, 63, 64, 300, 5000}).Draw(t, "levels")
		// one value in so many is missing; below 2 none is
		holes := rapid.SampledFrom([]int{0, 1, 4, 30}).Draw(t, "holes")
		f, num, code := data.Field{Name: fmt.Sprint("c", c)}, make([]float64, n), make([]uint32, n)
		for i := range n {
			code[i] = uint32(random.Intn(levels))
			if num[i] = float64(code[i]) / 4; holes > 1 && random.Intn(holes) == 0 {
				num[i], code[i] = math.NaN(), data.MissingCode
			}
		}
		column := data.Numbers(num)
		if rapid.Bool().Draw(t, "categorical") {
			f.Kind, column = data.Categorical, data.Codes(code)
			for l := range levels {
				f.Levels = append(f.Levels, fmt.Sprint("l", l))
			}
		}
		schema.Fields, columns = append(schema.Fields, f), append(columns, column)
	}
	var err error
	if p.frame, err = data.NewFrame(schema, columns); err != nil {
		t.Fatal(err)
	}
	counted := rapid.Bool().Draw(t, "counted")
	for i := range n {
		p.pop.Class[i] = uint32(random.Intn(p.pop.Classes))
		if counted {
			p.pop.Count = append(p.pop.Count, []uint32{0, 1, 1, 1, 2, 300}[random.Intn(6)])
		}
	}
	if counted {
		p.pop.Count[0] = 1
	}
	return p
}

// TestCountedSubtreesAgree: subtrees whose rows are counted by class grow as those of presorted
// columns do, under all limits.
func TestCountedSubtreesAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := randomCounted(t)
		columns := len(p.frame.Columns)
		cfg := growtest.Config{Workers: 1, Mtry: rapid.IntRange(1, max(1, columns-1)).Draw(t, "mtry"), Redraw: rapid.SampledFrom([]int{0, 10, 1000}).Draw(t, "redraw"),
			Levels: rapid.SampledFrom([]int{0, 50}).Draw(t, "levels"), Seed: rapid.Uint64().Draw(t, "seed"),
			Limits: grow.Limits{Depth: rapid.SampledFrom([]int{0, 0, 3}).Draw(t, "depth"), MinSplit: rapid.IntRange(0, 5).Draw(t, "min split"),
				MinLeaf: rapid.SampledFrom([]int{0, 0, 2, 9}).Draw(t, "min leaf"), MinGain: rapid.SampledFrom([]float64{0, 0, 0.01}).Draw(t, "min gain")}}
		if !growtest.SameTree(growWith(t, p, cfg), growRanked(t, p, cfg)) {
			t.Fatal("ranks grow another tree")
		}
	})
}
