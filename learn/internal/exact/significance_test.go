package exact_test

import (
	"math"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/criterion"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/growtest"
	"github.com/coppice-ml/coppice/learn/internal/exact/weighted"
	"github.com/coppice-ml/coppice/learn/internal/grow"
)

// TestChi2ByHand: two and two rows separated without error have chi-squared 4 with 1 degree of
// freedom, p = 0.0455.
func TestChi2ByHand(t *testing.T) {
	nan := math.NaN()
	schema := data.Schema{Fields: []data.Field{{Name: "x"}}}
	categories := data.Schema{Fields: []data.Field{{Name: "x", Kind: data.Categorical, Levels: []string{"a", "b"}}}}
	for _, c := range []struct {
		name   string
		schema data.Schema
		column data.Column
	}{
		{"numbers", schema, data.Numbers([]float64{1, 2, 3, 4})},
		{"known and missing", schema, data.Numbers([]float64{1, 1, nan, nan})},
		{"categories", categories, data.Codes([]uint32{0, 0, 1, 1})},
		{"category and missing", categories, data.Codes([]uint32{1, 1, data.MissingCode, data.MissingCode})},
	} {
		frame, err := data.NewFrame(c.schema, []data.Column{c.column})
		if err != nil {
			t.Fatal(err)
		}
		p := &problem{frame: frame, pop: grow.Population{Rows: data.AllRows(4), Class: []uint32{0, 0, 1, 1}, Classes: 2}}
		p.row, _ = criterion.ByName("gini")
		for limit, nodes := range map[float64]int{0: 3, 0.0456: 3, 0.0455: 1} {
			if got := growWith(t, p, growtest.Config{Chi2: limit, Workers: 1}); got.Len() != nodes {
				t.Errorf("%s: %d nodes with a limit of %g, want %d", c.name, got.Len(), limit, nodes)
			}
		}
	}
}

// TestChi2 checks every split of a tree against the test, and that the limit bites.
func TestChi2(t *testing.T) {
	const limit = 0.01
	p := table(1500, "entropy")
	// all values known, so that the children's rows are the branches of the test
	for c := range p.frame.Columns {
		for i, x := range p.frame.Columns[c].Numbers() {
			if math.IsNaN(x) {
				p.frame.Columns[c].Numbers()[i] = 0
			}
		}
	}
	full := growWith(t, p, growtest.Config{Workers: 1})
	got := growWith(t, p, growtest.Config{Chi2: limit, Workers: 2})
	if got.NumLeaves() < 5 || 2*got.NumLeaves() > full.NumLeaves() {
		t.Fatalf("%d leaves, %d without the test", got.NumLeaves(), full.NumLeaves())
	}
	for n := range int32(got.Len()) {
		if first := got.Child(n); first >= 0 {
			counts := append(append([]float64{}, got.Value(first)...), got.Value(first+1)...)
			if pv := criterion.Independence(counts, 3); pv > limit {
				t.Errorf("node %d was split with p = %g", n, pv)
			}
		}
	}
}

// TestChi2OnNoise: where the class depends on nothing a strict limit leaves a single node. It must
// be strict: the best of very many sets of 30 categories looks far from independent.
func TestChi2OnNoise(t *testing.T) {
	p := table(1500, "gini")
	r := rng.New(12)
	for i := range p.pop.Class {
		p.pop.Class[i] = uint32(r.Intn(3))
	}
	if got := growWith(t, p, growtest.Config{Chi2: 1e-15, Workers: 1}); got.Len() != 1 {
		t.Errorf("%d nodes on noise", got.Len())
	}
	if got := growWith(t, p, growtest.Config{Chi2: 1e-15, Mtry: 2, Workers: 1}); got.Len() != 1 {
		t.Errorf("%d nodes on noise, with sampled columns", got.Len())
	}
}

// TestC45Chi2: a multiway split is tested as one table of a branch per level.
func TestC45Chi2(t *testing.T) {
	frame, err := data.NewFrame(data.Schema{Fields: []data.Field{{Name: "x", Kind: data.Categorical, Levels: []string{"a", "b", "c"}}}},
		[]data.Column{data.Codes([]uint32{0, 0, 0, 1, 1, 1, 2, 2, 2})})
	if err != nil {
		t.Fatal(err)
	}
	// Branches (3, 0), (0, 3) and (2, 1): chi-squared is 6.3, 2 degrees of freedom, p = 0.0429.
	p := &problem{frame: frame, pop: grow.Population{Rows: data.AllRows(9), Class: []uint32{0, 0, 0, 1, 1, 1, 0, 0, 1}, Classes: 2}}
	p.row, _ = criterion.ByName("entropy")
	for limit, nodes := range map[float64]int{0: 4, 0.043: 4, 0.0428: 1} {
		if got := growWith(t, p, growtest.Config{Chi2: limit, C45: &weighted.C45{ByGain: true}, Workers: 1}); got.Len() != nodes {
			t.Errorf("%d nodes with a limit of %g, want %d", got.Len(), limit, nodes)
		}
	}
}
