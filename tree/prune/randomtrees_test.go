package prune_test

import (
	"slices"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/tree"
	"github.com/coppice-ml/coppice/tree/prune"
	"github.com/coppice-ml/coppice/tree/treetest"
)

// randomGrown makes a tree with all kinds of nodes and missing rules, and rows; fractions, class
// weights and statistics are those of the rows, as if it had been grown on them.
func randomGrown(t *rapid.T, splits int) (*tree.Tree, prune.Training) {
	const classes = 3
	schema := treetest.Schema().Draw(t, "schema")
	n := rapid.IntRange(1, 40).Draw(t, "rows")
	frame := treetest.Frame(schema, n).Draw(t, "frame")
	rows := prune.Training{Columns: frame.Columns, Rows: data.AllRows(n), Impurity: entropy}
	rows.Class = rapid.SliceOfN(rapid.Uint32Range(0, classes-1), n, n).Draw(t, "class")
	// most classes by the first column, so that its splits are worth keeping
	if rapid.Bool().Draw(t, "explained") {
		for i, c := range rows.Class {
			switch first := frame.Columns[0]; {
			case i%5 == 0:
			case first.Codes() == nil && first.Number(i) <= 0:
				rows.Class[i] = 0
			case first.Codes() != nil:
				rows.Class[i] = first.Code(i) % 2
			default:
				rows.Class[i] = max(1, c)
			}
		}
	}
	if rapid.Bool().Draw(t, "weighted") {
		rows.Weight = rapid.SliceOfN(rapid.SampledFrom([]float64{0.5, 1, 3}), n,
			n).Draw(t, "weight")
	}
	grown := treetest.Tree(treetest.Shape{Fields: schema.Fields, Kind: tree.Counts, Width: classes,
		Splits: splits}).Draw(t, "tree")
	return refit(t, grown, rows, false), rows
}

// weighed is a row, or a fraction of it.
type weighed struct {
	at     int
	weight float64
}

// refit copies a tree and gives the copy the fractions, class weights and statistics of the rows.
// Nodes that no row reaches have their parent's value. With keep, only nodes that divide rows get
// new fractions.
func refit(t *rapid.T, like *tree.Tree, rows prune.Training, keep bool) *tree.Tree {
	nodes := like.Len()
	fitted := *like
	fitted.Cover = nil // the statistics have it
	fitted.Fraction = make([]float64, nodes)
	if keep {
		copy(fitted.Fraction, like.Fraction)
	}
	fitted.Fraction[0] = 1
	fitted.Leaf = tree.Leaves{Kind: tree.Counts, Width: like.Leaf.Width,
		Value: make([]float64, nodes*like.Leaf.Width)}
	fitted.Stats = &tree.NodeStats{Rows: make([]uint32, nodes), Weight: make([]float64, nodes),
		Impurity: make([]float64, nodes), Gain: make([]float64, nodes)}
	parents := like.Parents()
	at := make([][]weighed, nodes)
	for i := range rows.Rows {
		w := 1.0
		if rows.Weight != nil {
			w = rows.Weight[i]
		}
		at[0] = append(at[0], weighed{i, w})
	}
	for n := range int32(nodes) {
		evaluate(&fitted, n, parents[n], at[n], rows)
		if fitted.Kind(n) == tree.Leaf {
			continue
		}
		if !keep || fitted.Missing(n) == tree.MissingFractional {
			fraction(&fitted, n, at[n], rows)
		}
		for _, p := range at[n] {
			switch next := fitted.Over(rows.Columns).Next(n, rows.Rows[p.at]); {
			case next >= 0:
				at[next] = append(at[next], p)
			case fitted.Missing(n) == tree.MissingFractional:
				for c := fitted.Child(n); c < fitted.Child(n)+fitted.Arity(n); c++ {
					if s := fitted.Fraction[c]; s > 0 {
						at[c] = append(at[c], weighed{p.at, s * p.weight})
					}
				}
			}
		}
	}
	gains(&fitted)
	if err := fitted.Validate(len(rows.Columns)); err != nil {
		t.Fatal(err)
	}
	return &fitted
}

func evaluate(t *tree.Tree, n, parent int32, rows []weighed, of prune.Training) {
	for _, p := range rows {
		t.Value(n)[of.Class[p.at]] += p.weight
		t.Stats.Weight[n] += p.weight
	}
	t.Stats.Rows[n] = uint32(len(rows))
	if len(rows) == 0 {
		copy(t.Value(n), t.Value(parent))
		return
	}
	entropy(t.Stats.Impurity[n:n+1], t.Value(n))
	t.Stats.Impurity[n] /= t.Stats.Weight[n]
}

// fraction sets the fractions of a node's children.
func fraction(t *tree.Tree, n int32, rows []weighed, of prune.Training) {
	clear(t.Fraction[t.Child(n) : t.Child(n)+t.Arity(n)])
	sum := 0.0
	for _, p := range rows {
		if c := known(t, n, of.Columns, of.Rows[p.at]); c >= 0 {
			t.Fraction[c] += p.weight
			sum += p.weight
		}
	}
	for c := t.Child(n); c < t.Child(n)+t.Arity(n); c++ {
		if sum == 0 {
			t.Fraction[c] = 1 / float64(t.Arity(n))
		} else {
			t.Fraction[c] /= sum
		}
	}
}

// known returns the child of inner node n that a row goes to if its value is known, else -1.
func known(t *tree.Tree, n int32, columns []data.Column, row int32) int32 {
	switch t.Kind(n) {
	case tree.Numeric:
		return t.NextNumeric(n, columns[t.Feature(n)].Number(int(row)))
	case tree.Oblique, tree.Sphere:
		return t.NextNumeric(n, t.Project(n, func(f int32) float64 { return columns[f].Number(int(row)) }))
	}
	return t.NextCode(n, columns[t.Feature(n)].Code(int(row)))
}

func gains(t *tree.Tree) {
	for n := range int32(t.Len()) {
		if t.Kind(n) == tree.Leaf {
			continue
		}
		gain := t.Stats.Weight[n] * t.Stats.Impurity[n]
		for c := t.Child(n); c < t.Child(n)+t.Arity(n); c++ {
			gain -= t.Stats.Weight[c] * t.Stats.Impurity[c]
		}
		t.Stats.Gain[n] = max(0, gain)
	}
}

// arrived returns, for every node, the weight of each class among the rows that reach it, and among
// those that end there, by walking every row down the tree.
func arrived(t *tree.Tree, rows prune.Training) (reach, end [][]float64) {
	reach, end = make([][]float64, t.Len()), make([][]float64, t.Len())
	for n := range reach {
		reach[n], end[n] = make([]float64, t.Leaf.Width), make([]float64, t.Leaf.Width)
	}
	for i, row := range rows.Rows {
		w := 1.0
		if rows.Weight != nil {
			w = rows.Weight[i]
		}
		t.Over(rows.Columns).Visit(row, func(n int32, fraction float64, last bool) {
			reach[n][rows.Class[i]] += w * fraction
			if last {
				end[n][rows.Class[i]] += w * fraction
			}
		})
	}
	return reach, end
}

// mistakes returns the total and the weight that is not of the class.
func mistakes(counts []float64, class int) (total, wrong float64) {
	for k, w := range counts {
		total += w
		if k != class {
			wrong += w
		}
	}
	return total, wrong
}

func majority(counts []float64) int { return slices.Index(counts, slices.Max(counts)) }

// sameShape reports whether two trees have the same splits.
func sameShape(a, b *tree.Tree) bool {
	return slices.Equal(a.Nodes, b.Nodes)
}
