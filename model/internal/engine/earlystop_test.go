package engine

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/tree"
)

// TestEarlyBounds: the bounds of every stage hold for the sums of all trees, whether trees are
// compiled or used in place, and rows stop where they should.
func TestEarlyBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rng.New(rapid.Uint64().Draw(t, "seed"))
		s := Source{Outputs: rapid.IntRange(1, 3).Draw(t, "outputs"), Mean: rapid.Bool().Draw(t, "mean")}
		kind, width := tree.Scalar, 1
		if rapid.Bool().Draw(t, "vectors") {
			kind, width = rapid.SampledFrom([]tree.LeafKind{tree.Vector, tree.Counts}).Draw(t, "kind"), s.Outputs
		}
		for k := range rapid.IntRange(1, 120).Draw(t, "trees") {
			b := tree.NewBuilder(kind, width, false)
			for n := range int32(rapid.IntRange(0, 6).Draw(t, "splits")) {
				b.Split(n, tree.Split{Kind: tree.Numeric, Feature: int32(r.Intn(3)), SplitPoint: r.Float64(),
					Missing: tree.Missing(r.Intn(2))})
			}
			for n := range int32(b.Len()) {
				v := make([]float64, width)
				for i := range v {
					if v[i] = r.Float64(); kind != tree.Counts {
						v[i] = (v[i] - 0.3) / float64(1+k)
					}
				}
				b.SetValue(n, v)
			}
			grown, err := b.Build()
			if err != nil {
				t.Fatal(err)
			}
			output := int32(-1)
			if kind == tree.Scalar {
				output = int32(r.Intn(s.Outputs))
			}
			s.Trees, s.Output = append(s.Trees, grown.Compact()), append(s.Output, output)
			s.Weights = append(s.Weights, 0.5+r.Float64())
		}
		for range s.Outputs {
			s.Bias = append(s.Bias, r.Float64())
		}
		checkEarly(t, Compile(s), r)
		inPlace := Compile(s)
		inPlace.compiling.Do(func() {}) // there is no layout
		checkEarly(t, inPlace, r)
	})
}

func checkEarly(t *rapid.T, p *Program, r *rng.Stream) {
	want, dst := make([]float64, p.outputs), make([]float64, p.outputs)
	row := make([]float64, len(p.columns))
	for range 4 {
		for i := range row {
			row[i] = r.Float64()
		}
		p.Raw(want, row)
		stages, stop := 0, -1
		e := p.Early(1, func(low, high []float64) bool {
			for k := range want {
				if !(low[k] <= want[k] && want[k] <= high[k]) {
					t.Fatalf("stage %d: output %d is %v, not from %v to %v", stages, k, want[k], low[k], high[k])
				}
			}
			stages++
			return stages == stop
		})
		if e == nil {
			if len(p.stages()) > 1 {
				t.Fatal("no bounds")
			}
			return
		}
		if !p.RawUntil(dst, row, e) || !sameBits(dst, want) || stages != len(p.stages())-1 {
			t.Fatalf("%v after %d of %d stages, want %v", dst, stages, len(p.stages()), want)
		}
		stop, stages = 1+r.Intn(stages), 0
		if p.RawUntil(dst, row, e) || stages != stop {
			t.Fatalf("%d stages, want a stop after %d", stages, stop)
		}
	}
}

// Leaves that hold equations and rows that are divided have no bounds.
func TestNoEarlyBounds(t *testing.T) {
	b := tree.NewBuilder(tree.Scalar, 1, false)
	b.Split(0, tree.Split{Kind: tree.Numeric, Feature: 0, SplitPoint: 1, Missing: tree.MissingFractional})
	b.SetFraction(1, 0.25)
	b.SetFraction(2, 0.75)
	b.SetValue(1, []float64{1})
	b.SetValue(2, []float64{2})
	divided, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	s := Source{Outputs: 1}
	for range 40 {
		s.Trees = append(s.Trees, divided)
	}
	if Compile(s).Early(1, nil) != nil {
		t.Error("a row that is divided has bounds")
	}
}
