package c45

import (
	"context"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/rules"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/exact/weighted"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/learn/internal/trees"
	"github.com/coppice-ml/coppice/learn/internal/weighting"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
	"github.com/coppice-ml/coppice/param"
)

// RulesName is the name of rules in the catalog.
const RulesName = "rules"

// Rules is C4.5rules with its parameters (Quinlan 1993, chapter 5): lists of if-then rules made
// from a tree. Make one with NewRules, which sets the defaults. The fields are declared, with
// default, range and meaning, in Params.
//
//	tree        grown as C4.5 does, not pruned
//	  |         a rule per leaf: the conditions of its path
//	simplify    each rule loses conditions as long as its estimated error does not rise;
//	  |         equal rules become one
//	select      of the rules of each class, those are kept that describe the class in the
//	  |         fewest bits (minimum description length)
//	arrange     the class with the fewest false positives comes first; the last rule has no
//	            condition and predicts the majority of the rows that no other decided; rules
//	            without which there are fewer errors are dropped
//
// The greedy search for subsets and all sums run in a fixed order on one worker: only the tree is
// grown by several.
//
// A row without a value fails every condition on that column, in training as in prediction.
type Rules struct {
	// Chance that the true errors of a rule exceed their estimate, by which conditions are dropped;
	// less drops more (C4.5rules' -c). Parameter confidence: a number > 0 and <= 0.5; default 0.25.
	Confidence float64
	// Drop conditions of rules as long as the estimated error does not rise. Parameter simplify:
	// true or false; default true.
	Simplify bool
	// Keep of each class only the rules that describe it in the fewest bits. Parameter select: true
	// or false; default true.
	Select bool
	// Weight of the bits that rules cost against those that their errors cost; more keeps fewer
	// rules. Parameter theory: a number >= 0; default 0.5.
	Theory float64
	// Weight that at least two children of a split of the tree need. Parameter min_leaf: a number >
	// 0; default 2.
	MinLeaf float64
	// A split of a categorical column separates one category from the rest, in place of all from
	// each other. Parameter binary: true or false; default false.
	Binary bool
	// Edges from the root to the deepest leaf of the tree. Parameter depth: an integer >= 0 (0 = no
	// limit); default 0.
	Depth int
	// Largest p-value of the chi-squared test, of class against branch, with which a split is made
	// (Quinlan 1986). Parameter chi2: a number >= 0 and <= 1 (0 = no test); default 0.
	Chi2 float64
	// Factor on the weight of each row by its class; balanced = rows / (classes x rows of the
	// class); classes not named have 1. Parameter class_weight: balanced, NAME=WEIGHT,...; default
	// "".
	ClassWeight data.ClassWeight
}

// NewRules returns rules with default parameters.
func NewRules() *Rules { return param.WithDefaults(&Rules{}) }

// Capabilities implements learn.Learner: the label has classes.
func (l *Rules) Capabilities() learn.Capabilities {
	return learn.Capabilities{Needs: learn.Needs{Classes: true},
		Summary: func() learn.Summary { return new(rulesSummary) }}
}

// Params declares the parameters.
func (l *Rules) Params() param.Set {
	return param.Set{
		param.Float(&l.Confidence, "confidence", 0.25, 0, 0.5,
			"chance that the true errors of a rule exceed their estimate, by which conditions are "+
				"dropped; less drops more (C4.5rules' -c)", param.ExcludeMin).Tune(0.01, 0.5),
		param.Bool(&l.Simplify, "simplify", true,
			"drop conditions of rules as long as the estimated error does not rise"),
		param.Bool(&l.Select, "select", true,
			"keep of each class only the rules that describe it in the fewest bits"),
		param.Float(&l.Theory, "theory", 0.5, 0, math.Inf(1),
			"weight of the bits that rules cost against those that their errors cost; more keeps "+
				"fewer rules"),
		param.Float(&l.MinLeaf, "min_leaf", 2, 0, math.Inf(1),
			"weight that at least two children of a split of the tree need", param.ExcludeMin).TuneLog(1, 50),
		param.Bool(&l.Binary, "binary", false,
			"a split of a categorical column separates one category from the rest, in place of "+
				"all from each other"),
		param.Int(&l.Depth, "depth", 0, 0, math.MaxInt,
			"edges from the root to the deepest leaf of the tree", param.Zero("no limit")),
		trees.Chi2(&l.Chi2),
		weighting.ClassWeight(&l.ClassWeight),
	}
}

// rulesSummary is what training found; it is kept as JSON in the model's Spec.
type rulesSummary struct {
	training.Trained
	Criterion  string `json:"criterion"`
	Leaves     int    `json:"tree_leaves"` // of the tree that the rules come from
	Rules      int    `json:"rules"`
	Conditions int    `json:"conditions"` // of all rules
}

// Describe implements learn.Summary.
func (s *rulesSummary) Describe(m model.Model) *training.Summary {
	found := s.Trained.Describe(m)
	found.Criterion = s.Criterion
	return found
}

// Prepare ranks the values of the numeric columns.
func (l *Rules) Prepare(ctx context.Context, features data.Features, rows []int32, _ []float64,
	env learn.Env) (learn.Fitter, error) {
	return fitting.Prepared(l, features, rows, sortColumns(ctx, env), (*Rules).fit)
}

// fit grows a tree and makes rules of it. On a cancelled context there is no model. Job.Observe is
// called after every leaf that becomes a rule; where it returns learn.Stop, the rules are those of
// the leaves before.
func (l *Rules) fit(ctx context.Context, table *sortedTable, t *data.Target,
	job learn.Job) (model.Model, error) {
	pop, _, err := table.Classes(RulesName, t, &job, l.ClassWeight)
	if err != nil {
		return nil, err
	}
	grown, err := table.Prepared.GrowC45(ctx, pop, weighted.C45{Workers: job.Workers,
		MinWeight: l.MinLeaf, Binary: l.Binary, Chi2: l.Chi2, Limits: grow.Limits{Depth: l.Depth}})
	if err != nil {
		return nil, err
	}
	s := newSample(table.Frame, pop)
	found, err := l.ofLeaves(ctx, s, grown, job.Observe)
	if err != nil {
		return nil, err
	}
	if l.Select {
		if found, err = l.selectRules(ctx, s, found); err != nil {
			return nil, err
		}
	}
	list := s.finish(arrange(s, found), l.Select)
	return l.model(list, table.Frame, t,
		rulesSummary{Trained: fitting.Trained(pop), Criterion: "entropy", Leaves: grown.NumLeaves()})
}

func (l *Rules) model(list []rules.Rule, f *data.Frame, t *data.Target,
	summary rulesSummary) (model.Model, error) {
	m := &rules.Rules{List: list, Meta: model.NewSpec(RulesName, f.Schema, t)}
	summary.Rules, summary.Conditions = len(list), m.Conditions()
	return fitting.Model(m, l.Params(), &summary)
}
