package draw

import (
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/tree"
)

// rents has leaves with equations: of one column, of many with long names, without a constant, and
// none.
func rents(t *testing.T) sample {
	schema := &data.Schema{Fields: []data.Field{{Name: "area"}, {Name: "year built"}, {Name: "distance_to_the_centre"}, {Name: "floor"}, {Name: "rooms"},
		{Name: "lift"}}}
	b := tree.NewBuilder(tree.Scalar, 1, true)
	node := func(n int32, rows int, value, constant float64, terms ...tree.Term) {
		b.SetValue(n, []float64{value})
		b.SetStats(n, rows, float64(rows), 0)
		b.SetLinear(n, constant, terms)
	}
	node(0, 100, 9.5, 0)
	b.Split(0, tree.Split{Kind: tree.Numeric, Feature: 0, SplitPoint: 50})
	node(1, 60, 7.25, 0)
	node(2, 40, 12, 11, tree.Term{Feature: 0, Coef: 1}, tree.Term{Feature: 2, Coef: -0.125})
	b.Split(1, tree.Split{Kind: tree.Numeric, Feature: 1, SplitPoint: 1955})
	node(3, 20, 6, 0, tree.Term{Feature: 0, Coef: 0.2}, tree.Term{Feature: 1, Coef: -0.0625})
	node(4, 40, 8, 0)
	b.Split(4, tree.Split{Kind: tree.Numeric, Feature: 3, SplitPoint: 2})
	node(5, 25, 8.5, 3, tree.Term{Feature: 0, Coef: -1.5}, tree.Term{Feature: 1, Coef: 2}, tree.Term{Feature: 2, Coef: 3}, tree.Term{Feature: 3, Coef: -4},
		tree.Term{Feature: 4, Coef: 5}, tree.Term{Feature: 5, Coef: 6})
	node(6, 15, 7, 0)
	return sample{"rents", build(t, b), Names{Schema: schema, Label: "rent"}, Options{}}
}
