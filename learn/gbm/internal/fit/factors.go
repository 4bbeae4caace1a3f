package fit

import (
	"fmt"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/gbm/internal/boost"
	"github.com/coppice-ml/coppice/learn/gbm/internal/rounds"
	"github.com/coppice-ml/coppice/learn/gbm/internal/table"
)

// factors lists what a rehearsal compares, each with its challengers.
func factors() []func(r *rehearsal) []*rounds.Candidate {
	return []func(r *rehearsal) []*rounds.Candidate{columnSampling, categoryEncoding,
		treeShape}
}

// left returns which choices the user left to training.
func (r *rehearsal) left() boost.Left { return r.decision.Config.User.Left() }

// challengers returns the candidates that differ from the default in one factor each, by factor.
// What was given by hand is no factor.
func (r *rehearsal) challengers() [][]*rounds.Candidate {
	var all [][]*rounds.Candidate
	for _, of := range factors() {
		if group := of(r); len(group) > 0 {
			all = append(all, group)
		}
	}
	return all
}

// columnSampling offers all columns, and samples for each node instead of each tree. They are
// better where the target depends on many columns together: half of the columns do not hold all
// factors of a product.
func columnSampling(r *rehearsal) []*rounds.Candidate {
	columns := len(r.prepared.Frame.Columns)
	if !r.left().Columns || columns <= table.FewestColumns {
		return nil
	}
	half := table.FractionOf(0, columns)
	return []*rounds.Candidate{
		{Factor: columnsFactor, Settings: []string{"colsample=1"}, Weight: 1.6},
		{Factor: columnsFactor, Settings: []string{"colsample=1",
			fmt.Sprintf("colsample_node=%.4g", half)}, Weight: 1.6},
	}
}

// categoryEncoding offers the ways to split categories other than the default.
func categoryEncoding(r *rehearsal) []*rounds.Candidate {
	if !r.left().Categories {
		return nil
	}
	most := 0
	for i := range r.prepared.Frame.Schema.Fields {
		if f := &r.prepared.Frame.Schema.Fields[i]; f.Kind == data.Categorical {
			most = max(most, len(f.Levels))
		}
	}
	if most < fewestLevels {
		return nil
	}
	var all []*rounds.Candidate
	for _, c := range []table.Encoding{table.NativeEncoding, table.TargetEncoding,
		table.OrdinalEncoding} {
		if c != r.decision.Config.Categories &&
			(c != table.TargetEncoding || r.target.Task != data.Survival) {
			all = append(all, &rounds.Candidate{Factor: "categories",
				Settings: []string{"categories=" + c.String()}, Weight: 1})
		}
	}
	return all
}

// fewestLevels is the number of categories that a column has at least, if the encoding of
// categories is to make a difference.
const fewestLevels = 5

// treeShape offers smaller trees, larger ones of many rows, leaves of more rows, which weak signals
// need, and trees that split all nodes of a level alike. They are one factor: all of them say how
// much a tree may follow single rows. Trees of equal splits are better where the target depends on
// the same columns everywhere, as a product does. They have twice the leaves of the default and
// need more rounds, so that they wait for many rounds of few rows, or for another way to sample
// columns that is certainly ahead, as it is for products.
func treeShape(r *rehearsal) []*rounds.Candidate {
	var all []*rounds.Candidate
	add := func(left bool, weight float64, setting, upon string) {
		settings := []string{setting}
		if _, err := r.decision.with(settings); left && err == nil {
			all = append(all, &rounds.Candidate{Factor: "shape", Settings: settings, Weight: weight,
				Upon: upon})
		}
	}
	add(r.left().Leaves, 1.2, "leaves=8", "")
	own := r.decision.Config.FewestRows(len(r.rows)) // quantiles may have many rows by default
	add(r.left().MinLeaf && own != manyLeafRows, 1, fmt.Sprintf("min_leaf=%d", manyLeafRows), "")
	add(r.left().Leaves && len(r.rows) > manyRows, 1.8, "leaves=127", "")
	add(r.left().Growth, 2, "growth=symmetric", columnsFactor)
	return all
}

// columnsFactor is the factor of the sampling of columns.
const columnsFactor = "columns"

// manyRows is the number of rows of a table above which trees of 127 leaves race. They won in none
// of more than 80 races on fewer.
const manyRows = 10_000

// manyLeafRows is LightGBM's least number of rows of a leaf.
const manyLeafRows = 20
