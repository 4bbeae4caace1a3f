package draw

import (
	"math"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/tree"
)

// randomSample draws a tree of any kind, with names and numbers that nobody would choose.
func randomSample(t *rapid.T) sample {
	text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"a", "word_freq_internet", "<&>\"'", "\x00\x1b[0m", "名前が長い", "\\N\n", "]]>"}))
	s := sample{names: Names{Label: text.Draw(t, "label"), Impurity: text.Draw(t, "impurity")}}
	schema := &data.Schema{}
	policy := rapid.SampledFrom([]data.Policy{data.Learned, data.Refuse})
	for range rapid.IntRange(1, 4).Draw(t, "features") {
		schema.Fields = append(schema.Fields, data.Field{
			Name: text.Draw(t, "name"), Levels: rapid.SliceOfN(text, 0, 12).Draw(t, "levels"),
			Missing: policy.Draw(t, "missing policy"), Unseen: policy.Draw(t, "unseen policy"),
		})
	}
	if rapid.Bool().Draw(t, "schema") {
		s.names.Schema = schema
	}
	kind := rapid.SampledFrom([]tree.LeafKind{tree.Scalar, tree.Vector, tree.Counts}).Draw(t, "kind")
	width := 1
	if kind != tree.Scalar {
		width = rapid.SampledFrom([]int{1, 2, 3, 8, 9, 50}).Draw(t, "width")
	}
	s.names.Classes = rapid.SliceOfN(text, 0, width).Draw(t, "classes")
	s.o = Options{MaxDepth: rapid.IntRange(0, 5).Draw(t, "max depth"), Digits: rapid.IntRange(0, 20).Draw(t, "digits")}
	s.tree = randomTree(t, kind, width)
	return s
}

func randomTree(t *rapid.T, kind tree.LeafKind, width int) *tree.Tree {
	b := tree.NewBuilder(kind, width, rapid.Bool().Draw(t, "stats"))
	odd := rapid.SampledFrom([]float64{0, 1, -1, 0.1, 123456.789, 1e300, -1e300, math.MaxFloat64, -math.MaxFloat64, 5e-324})
	value := rapid.OneOf(rapid.Float64Range(0, 10), odd)
	cut := rapid.OneOf(odd, rapid.SampledFrom([]float64{math.Inf(1), math.Inf(-1)}))
	leaves := []int32{0}
	for range rapid.IntRange(0, 40).Draw(t, "splits") {
		i := rapid.IntRange(0, len(leaves)-1).Draw(t, "leaf")
		n := leaves[i]
		s := tree.Split{
			Kind:    rapid.SampledFrom([]tree.Kind{tree.Cut, tree.SetFirst, tree.SetLast}).Draw(t, "node"),
			Feature: rapid.Int32Range(0, 4).Draw(t, "feature"), Cut: cut.Draw(t, "cut"),
			Set: rapid.SliceOfN(rapid.Uint64Range(0, 1<<13), 0, 2).Draw(t, "set"), Missing: tree.Missing(rapid.IntRange(0, 1).Draw(t, "missing")),
		}
		c := b.Split(n, s)
		leaves[i] = c
		leaves = append(leaves, c+1)
	}
	for n := range int32(b.Len()) {
		b.SetValue(n, rapid.SliceOfN(value, width, width).Draw(t, "value"))
		b.SetStats(n, rapid.IntRange(0, 1000).Draw(t, "rows"), odd.Draw(t, "weight"), value.Draw(t, "impurity"))
	}
	built, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return built
}

// drawn counts the nodes not below a depth.
func drawn(t *tree.Tree, limit int) int {
	count := 0
	for _, d := range t.Depths() {
		if limit <= 0 || int(d) <= limit {
			count++
		}
	}
	return count
}
