package catboost

import (
	"math"
	"math/bits"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/tree/treetest"
)

// Contributions are CatBoost's ShapValues, by their definition in shap_values.cpp and
// shap_prepared_trees.cpp of CatBoost 1.2. An oblivious tree is a binary tree with the last split
// at its root. A split of an unknown column leads both ways in proportion to leaf_weights. The
// statistics of a column are one player with it. Each combination of categories is a player, whose
// value is divided equally among these categories.
func TestContributionsOfRandomFiles(t *testing.T) {
	oblivious := 0
	rapid.Check(t, func(rt *rapid.T) {
		f := randomFile().Draw(rt, "file")
		for i := range f.trees {
			for j, w := range f.trees[i].weights {
				f.trees[i].weights[j] = max(0.25, w) // CatBoost's values add up where all have some
			}
		}
		o := open(t, FormatJSON(), asJSON(t, f))
		ref := o.ref.(*reference)
		m := o.model
		rows := treetest.Frame(m.Meta.Schema, 2).Draw(rt, "rows")
		got, err := explain.Shapley(t.Context(), m, rows, nil, explain.ShapleyOptions{})
		if err != nil {
			rt.Fatal(err)
		}
		for r := range rows.Rows() {
			want := ref.contributions(ref.values(valuesOf(rows, r)))
			for s := range ref.dims {
				for j, v := range got.Row(r, s) {
					w := want[s*len(ref.columns)+j]
					if got.Scores == 1 && len(m.Meta.Classes) > 0 && len(got.Classes) > 0 &&
						got.Classes[0] == m.Meta.Classes[0] { // towards the first class
						w = -w
					}
					if math.Abs(v-w) > 1e-12 {
						rt.Fatalf("row %d, score %d, column %s: %v, CatBoost has %v", r, s,
							got.Features[j], v, w)
					}
				}
			}
		}
		for i := range f.trees {
			if len(f.trees[i].splits) > 1 && f.trees[i].steps == nil {
				oblivious++
			}
		}
	})
	if oblivious == 0 {
		t.Error("no oblivious tree of several splits")
	}
}

// valuesOf returns the values of a row by column: categories are codes, -1 an unseen one.
func valuesOf(f *data.Frame, row int) []float64 {
	var values []float64
	for i := range f.Columns {
		c := &f.Columns[i]
		switch {
		case c.Codes() == nil:
			values = append(values, c.Number(row))
		case c.Code(row) == data.MissingCode:
			values = append(values, math.NaN())
		case c.Code(row) == data.UnseenCode:
			values = append(values, -1)
		default:
			values = append(values, float64(c.Code(row)))
		}
	}
	return values
}

// class returns the columns that a split's player has, ascending.
func (r *reference) class(split int32) []int {
	column := func(cat bool, place int32) int {
		return slices.IndexFunc(r.columns,
			func(c column) bool { return c.cat == cat && c.place == int(place) })
	}
	bin := r.bins[split]
	switch bin.kind {
	case oneHotBin:
		return []int{column(true, r.catAt[r.oneHots[bin.source].cat])}
	case ctrBin:
		var class []int
		for _, number := range r.ctrs[bin.source].base.cats {
			class = append(class, column(true, r.catAt[number]))
		}
		slices.Sort(class)
		return class
	}
	return []int{column(false, bin.source)}
}

// contributions returns by score and column the shares of Shapley's values of the players.
func (r *reference) contributions(v *values) []float64 {
	shares := make([]float64, r.dims*len(r.columns))
	for i := range r.trees {
		t := &r.trees[i]
		var classes [][]int
		player := make([]int, len(t.splits))
		for level, split := range t.splits {
			if t.steps != nil && t.steps[level] == [2]int32{} {
				continue
			}
			class := r.class(split)
			player[level] = slices.IndexFunc(classes,
				func(c []int) bool { return slices.Equal(c, class) })
			if player[level] < 0 {
				player[level] = len(classes)
				classes = append(classes, class)
			}
		}
		n := len(classes)
		of := make([][]float64, 1<<n)
		for set := range of {
			of[set] = r.worth(t, v, player, set)
		}
		factorial := func(n int) float64 { return math.Gamma(float64(n + 1)) }
		for p, class := range classes {
			for set := range of {
				if set>>p&1 != 0 {
					continue
				}
				size := bits.OnesCount(uint(set))
				weight := factorial(size) * factorial(n-1-size) / factorial(n)
				for s := range r.dims {
					x := r.scale * weight * (of[set|1<<p][s] - of[set][s])
					for _, column := range class {
						shares[s*len(r.columns)+column] += x / float64(len(class))
					}
				}
			}
		}
	}
	return shares
}

// worth returns the mean scores of a tree's leaves when the columns of some players are known.
func (r *reference) worth(t *fileTree, v *values, player []int, set int) []float64 {
	mean := make([]float64, r.dims)
	add := func(leaf int, weight float64) {
		for s := range mean {
			mean[s] += weight * t.values[leaf*r.dims+s]
		}
	}
	if t.steps != nil {
		r.worthBelow(t, 0, 1, v, player, set, add)
		return mean
	}
	// weightOf adds up the leaves below a node: those whose bits from level on are those of leaf
	weightOf := func(leaf, level int) float64 {
		sum := 0.0
		for l, w := range t.weights {
			if l>>level == leaf>>level {
				sum += w
			}
		}
		return sum
	}
	var visit func(level, leaf int, weight float64)
	visit = func(level, leaf int, weight float64) {
		if level == 0 {
			add(leaf, weight)
			return
		}
		last := level - 1
		for bit := range 2 {
			child, w := leaf|bit<<last, weight
			if set>>player[last]&1 == 0 {
				w *= weightOf(child, last) / weightOf(leaf, level)
			} else if (bit == 1) != r.holds(v, t.splits[last]) {
				continue
			}
			visit(last, child, w)
		}
	}
	visit(len(t.splits), 0, 1)
	return mean
}

// worthBelow adds the leaves below a node of a tree that is not oblivious.
func (r *reference) worthBelow(
	t *fileTree, n int32, weight float64, v *values, player []int, set int,
	add func(leaf int, weight float64),
) {
	step := t.steps[n]
	if step == [2]int32{} {
		add(int(t.leaf[n]), weight)
		return
	}
	for side, to := range step {
		w := weight
		if set>>player[n]&1 == 0 {
			w *= t.weightBelow(n, side) / (t.weightBelow(n, 0) + t.weightBelow(n, 1))
		} else if (side == 1) != r.holds(v, t.splits[n]) {
			continue
		}
		if to == 0 {
			add(int(t.leaf[n]), w)
			continue
		}
		r.worthBelow(t, n+to, w, v, player, set, add)
	}
}

// weightBelow returns the weight of the leaves on a side of a node.
func (t *fileTree) weightBelow(n int32, side int) float64 {
	to := t.steps[n][side]
	if to == 0 || t.steps[n+to] == [2]int32{} {
		return t.weights[t.leaf[n+to]]
	}
	return t.weightBelow(n+to, 0) + t.weightBelow(n+to, 1)
}
