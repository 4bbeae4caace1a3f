package cart

import (
	"math"
	"strings"

	"github.com/coppice-ml/coppice/learn/internal/exact/presorted"
	"github.com/coppice-ml/coppice/param"
	"github.com/coppice-ml/coppice/tree"
)

// missingRule is the engine's form of a value of Missing.
type missingRule struct {
	name       Missing
	rule       presorted.Missing // unused if fractional is set
	help       string
	fractional bool // rows are divided among the children
}

// missingRules returns all rules for missing values, by their numbers.
func missingRules() []missingRule {
	return []missingRule{
		{MissingLearned, presorted.Learned,
			"with the child that makes the better split, found in training, or separate from all " +
				"known values", false},
		{MissingMajority, presorted.Majority, "with the child of more known weight", false},
		{MissingSurrogate, presorted.Surrogate,
			"where the first of the columns that best repeat the split sends them, else with the " +
				"child of more known weight (Breiman et al. 1984)", false},
		{MissingSurrogateStop, presorted.SurrogateStop,
			"where those columns send them, else no further: the node predicts", false},
		{MissingStop, presorted.Stop, "no further: the node predicts", false},
		{MissingFractional, presorted.Learned,
			"to every child in fractions, by known weight (Quinlan 1993); fractions that weigh " +
				"less than one row are no leaf", true},
	}
}

// missingParams declares the parameters of missing values.
func (l *Learner) missingParams() param.Set {
	var names []Missing
	var help []string
	for _, r := range missingRules() {
		names = append(names, r.name)
		help = append(help, r.name.String()+": "+r.help)
	}
	return param.Set{
		param.OneOf(&l.Missing, "missing", names,
			"where rows go that have no value in a node's column; "+strings.Join(help, "; ")+
				"; rules other than learned compare splits by the rows with a value"),
		param.Int(&l.Surrogates, "surrogates", 5, 0, math.MaxInt,
			"columns that stand in for one of a node, at most, if missing names them"),
	}
}

// missingRule returns the rule that the parameter names.
func (l *Learner) missingRule() missingRule { return missingRules()[l.Missing] }

// ended returns the training cost of each node that is caused by rows which end there although it
// is an inner node, in the unit of path; nil where no node stops rows. If costs are impurities such
// rows count with their node's. rows are those that the tree was grown on, with repetitions.
func (j *job) ended(t *tree.Tree, rows []int32) []float64 {
	if r := j.learner.missingRule(); r.rule != presorted.Stop && r.rule != presorted.SurrogateStop {
		return nil
	}
	cost := make([]float64, t.Len())
	total, walk := 0.0, t.Over(j.frame.Columns)
	for _, row := range rows {
		w := j.weight(row)
		total += w
		n := walk.LeafOf(row)
		if t.Kind(n) == tree.Leaf {
			continue
		}
		if j.learner.PruneBy == PruneByImpurity {
			cost[n] += float64(w * t.Stats.Impurity[n])
		} else {
			cost[n] += float64(w * j.loss(t.Value(n), row))
		}
	}
	for n := range cost {
		cost[n] /= total
	}
	return cost
}
