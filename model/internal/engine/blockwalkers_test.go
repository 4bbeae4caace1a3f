package engine

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/tree/treetest"
)

// TestTeam: many rows in many trees have the bits that the plain walk gives them, however many
// walk; sums are in the order of the trees.
func TestTeam(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		schema := treetest.Schema().Draw(t, "schema")
		s := randomSource(t, schema.Fields)
		s.Output, s.Weights = nil, nil
		few := s.Trees
		for len(s.Trees) < 60 {
			s.Trees = append(s.Trees, few[rapid.IntRange(0, len(few)-1).Draw(t, "tree")])
		}
		for i := range s.Trees {
			s.Weights = append(s.Weights, 1/float64(i+3))
			s.Output = append(s.Output, int32(i%s.Outputs))
		}
		if few[0].Leaf.Width > 1 {
			s.Output = nil
		}
		p := Compile(s)
		rows := alone/len(s.Trees) + 1
		f := treetest.Frame(schema, 6).Draw(t, "table")
		order := make([]int, rows)
		for i := range order {
			order[i] = i % 6
		}
		b := p.NewBlock(rows)
		b.Resize(rows)
		fill(b, f, order)
		raw, leaves := make([]float64, rows*p.outputs), make([]float64, rows*p.NumTrees())
		b.Raw(raw)
		b.Leaves(leaves)
		for r := range 6 {
			want, values := make([]float64, p.outputs), valuesOf(p, f, r)
			plainRaw(p, want, values)
			for same := r; same < rows; same += 6 {
				if got := raw[same*p.outputs : (same+1)*p.outputs]; !sameBits(got, want) {
					t.Fatalf("row %d: %v, in the plain walk %v", same, got, want)
				}
			}
			for i := range p.plans {
				if got, want := leaves[r*p.NumTrees()+i],
					float64(p.plans[i].leaf(0, row{values, p.place})); got != want {
					t.Fatalf("row %d ends at %v of tree %d, in the plain walk at %v", r,
						got, i, want)
				}
			}
		}
		for _, n := range []int{2, 5, 1} {
			gotRaw, gotLeaves := make([]float64, len(raw)), make([]float64, len(leaves))
			b.Team(n)
			b.Raw(gotRaw)
			b.Leaves(gotLeaves)
			if !sameBits(gotRaw, raw) || !sameBits(gotLeaves, leaves) {
				t.Fatalf("a team of %d differs from one walker", n)
			}
		}
	})
}
