package draw

import (
	"math"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/tree"
	"github.com/coppice-ml/coppice/tree/treetest"
)

// randomSample returns a random tree of any kind, with odd names and numbers.
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
	s.o = Options{MaxDepth: rapid.IntRange(0, 5).Draw(t, "max depth"), Digits: rapid.IntRange(0, 20).Draw(t, "digits"),
		Surrogates: rapid.Bool().Draw(t, "surrogates")}
	s.tree = randomTree(t, kind, width)
	return s
}

// randomTree returns a random tree over columns of its own, which need not fit the names.
func randomTree(t *rapid.T, kind tree.LeafKind, width int) *tree.Tree {
	odd := rapid.SampledFrom([]float64{0, 1, -1, 0.1, 123456.789, 1e300, -1e300, math.MaxFloat64, -math.MaxFloat64, 5e-324})
	var fields []data.Field
	for range 5 {
		fields = append(fields, data.Field{Levels: make([]string, rapid.SampledFrom([]int{0, 1, 3, 8, 70}).Draw(t, "levels")),
			Kind: rapid.SampledFrom([]data.Kind{data.Numeric, data.Categorical}).Draw(t, "column")})
	}
	number := rapid.OneOf(rapid.Float64Range(0, 10), odd)
	return treetest.Tree(treetest.Shape{Fields: fields, Kind: kind, Width: width, Splits: 30, Number: number}).Draw(t, "tree")
}

// shown counts the nodes not below a depth.
func shown(t *tree.Tree, limit int) int {
	count := 0
	for _, d := range t.Depths() {
		if limit <= 0 || int(d) <= limit {
			count++
		}
	}
	return count
}
