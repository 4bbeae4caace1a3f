package gbm

import (
	"fmt"
	"math"
	"strings"

	"github.com/coppice-ml/coppice/learn/gbm/internal/boost"
	"github.com/coppice-ml/coppice/learn/gbm/internal/fit"
	"github.com/coppice-ml/coppice/learn/gbm/internal/hist"
	"github.com/coppice-ml/coppice/learn/gbm/internal/rounds"
	"github.com/coppice-ml/coppice/learn/gbm/internal/table"
	"github.com/coppice-ml/coppice/learn/internal/boosting"
	"github.com/coppice-ml/coppice/learn/internal/weighting"
	"github.com/coppice-ml/coppice/learn/sample"
	"github.com/coppice-ml/coppice/param"
)

const maxInt = math.MaxInt

var infinite = math.Inf(1)

// usualLeaves is the default of the parameter leaves, LightGBM's. Symmetric trees ignore it, and
// refuse any other value.
const usualLeaves = 31

// symmetricDepth is the depth of symmetric trees without a limit, CatBoost's. They have up to
// mostSymmetric levels: a tree of as many has 65,536 leaves.
const (
	symmetricDepth = hist.SymmetricDepth
	mostSymmetric  = 16
)

// mostSteps is the largest leaf_steps.
const mostSteps = 100

func (l *Learner) roundParams() param.Set {
	return append(param.Set{
		param.Int(&l.Trees, "trees", 0, 1, maxInt,
			"rounds, each of which adds a tree for every output: one for regression and two "+
				"classes, one for each of more classes",
			param.Zero("chosen by the validation set, or by cross-validation and then trained on "+
				"all rows")).
			Also("n_estimators", "num_rounds", "num_round", "num_boost_round", "num_iterations",
				"iterations", "max_iter").
			Unlike("n_iter", "use trees"),
		param.Float(&l.LearningRate, "learning_rate", 0, 0, 1, "factor on what each tree adds",
			param.ExcludeMin,
			param.Zero(fmt.Sprintf("%g, with trees=0 and up to %d rows %g",
				fit.FastRate, fit.SlowRows, fit.SlowRate))).TuneLog(0.01, 0.3).
			Also("eta", "shrinkage"),
		param.Float(&l.LearningRateDecay, "learning_rate_decay", 1, 0, 1,
			"factor on the learning rate after each round", param.ExcludeMin),
		param.Parsed(&l.LearningRates, "learning_rates", "ROUND:RATE,ROUND:RATE,...", parseRates,
			ratesText,
			"learning rates that start at rounds counted from 0, in place of learning_rate before "+
				"them"),
		param.Bool(&l.Rehearse, "rehearse", true,
			"with trees=0, compare values of colsample, categories, leaves, growth and min_leaf by "+
				"cross-validation before the rounds are chosen; those that are given stay as they "+
						"are").
			TuneAmong("false"), // a search tries these values itself
		boosting.LossParam(&l.Loss),
		weighting.ClassWeight(&l.ClassWeight),
	}, boosting.EvaluationParams(&l.ValidFraction, &l.EarlyStopping, &l.Metric,
		&l.TrainingMetric)...)
}

func (l *Learner) treeParams() param.Set {
	return param.Set{
		param.AnyOf(&l.Growth, "growth",
			"what is split next; auto: as leaf, or what rehearse finds, and of fewer than "+
				"500 rows as symmetric with depth=4; leaf: the leaf of largest gain; depth: level "+
				"by level; symmetric: level by level, all nodes of a level alike").
			Unlike("grow_policy", "use growth=depth for depthwise, growth=leaf for lossguide"),
		param.Int(&l.Leaves, "leaves", param.AutoInt, 2, math.MaxInt,
			"leaves of a tree, of any growth but symmetric", param.Zero("no limit"),
			param.Automatic(fmt.Sprintf("%d, or what rehearse finds", usualLeaves))).TuneLog(4, 256).TuneWith("growth", "auto", "leaf", "depth").
			Also("num_leaves", "max_leaves", "max_leaf_nodes"),
		param.Int(&l.Depth, "depth", 0, 1, math.MaxInt, "edges from the root to the deepest leaf",
			param.Zero(fmt.Sprintf("no limit, of symmetric trees %d", symmetricDepth))).
			Also("max_depth"),
		param.Int(&l.MinLeaf, "min_leaf", 0, 1, math.MaxInt, "rows that each leaf keeps",
			param.Zero(fmt.Sprintf("2, of fewer than %d rows 1, of quantiles 1 / level, or what "+
				"rehearse finds", table.SmallTable))).TuneLog(1, 100).
			Also("min_child_samples", "min_data_in_leaf", "min_samples_leaf"),
		param.Float(&l.MinChildWeight, "min_child_weight", 1e-3, 0, math.Inf(1),
			"sum of second derivatives that each leaf keeps").TuneLog(0.001, 10).
			Also("min_sum_hessian_in_leaf"),
		param.Float(&l.Gamma, "gamma", 0, 0, math.Inf(1),
			"least gain of a split, by which the regularised loss falls "+
				"twice").
			Also("min_split_loss", "min_split_gain", "min_gain_to_split"),
		param.AnyOf(&l.GammaPrune, "gamma_prune",
			"where gamma acts; top: a split of less gain is not made, so that growth ends there; "+
				"bottom: the tree grows within its other limits, and then branches of less gain "+
				"are removed from the leaves up; symmetric trees take top alone"),
		param.Float(&l.L1, "l1", 0, 0, math.Inf(1),
			"penalty on the sum of absolute leaf values").
			Also("reg_alpha", "lambda_l1").
			Unlike("alpha", "in XGBoost it is l1, elsewhere the level of a quantile: use l1, or "+
				"loss.quantiles with loss=quantile"),
		param.Float(&l.L2, "l2", 1, 0, math.Inf(1),
			"penalty on half the sum of squared leaf values").TuneLog(0.01, 100).
			Also("lambda", "reg_lambda", "lambda_l2", "l2_leaf_reg", "l2_regularization"),
		param.Float(&l.MaxDeltaStep, "max_delta_step", 0, 0, math.Inf(1),
			"largest absolute leaf value, before the learning rate", param.Zero("no limit")),
		param.Float(&l.PathSmooth, "path_smooth", 0, 0, math.Inf(1),
			"rows of a leaf whose value is smoothed half way to that of its parent node",
			param.Zero("off")),
		param.Bool(&l.MultiOutput, "multi_output", false,
			"one tree of a round has values for all outputs, which have the same splits (Zhang & "+
				"Jung 2020), instead of a tree for each"),
		param.Bool(&l.LinearTree, "linear_tree", false,
			"leaves predict by linear functions of the numeric columns on the path to them (Shi "+
				"et al. 2019); leaves below a split by a monotone column predict constants"),
		param.Float(&l.LinearL2, "linear_l2", 1, 0, infinite,
			"penalty on half the squares of their coefficients, of columns of one size"),
		param.Bool(&l.RefitLeaves, "refit_leaves", true,
			"give leaves the values of least loss where single Newton steps do not reach them, as "+
				"medians for loss=absolute"),
		param.AnyOf(&l.SplitScore, "split_score",
			"what splits are compared by; newton: the gain by first and second derivatives; l2: "+
				"the same with the weights of rows for second derivatives; cosine: CatBoost's "+
				"cosine of leaf values and first derivatives, of growth=symmetric").
			Also("score_function"),
		param.Float(&l.RandomStrength, "random_strength", 0, 0, infinite,
			"standard deviation of what is added at random to the scores of the columns of a "+
				"level, in those of first derivatives, falling with the rounds, as in CatBoost; "+
				"of growth=symmetric", param.Zero("off")),
		param.AnyOf(&l.LeafMethod, "leaf_method",
			"steps by which leaves get their values; newton: by second derivatives; gradient: by "+
				"the weights of rows").
			Also("leaf_estimation_method"),
		param.Int(&l.LeafSteps, "leaf_steps", 0, 1, mostSteps, "how many such steps",
			param.Zero(fmt.Sprintf("1, with compat=catboost and the log loss of two classes %d",
				boost.CatBoostSteps))).
			Also("leaf_estimation_iterations"),
	}
}

func (l *Learner) columnParams() param.Set {
	return param.Set{
		param.Int(&l.Bins, "bins", 255, 2, 65535, "most bins of a column's values").
			Also("max_bin", "max_bins"),
		param.Int(&l.MinBin, "min_bin", 1, 1, maxInt,
			"rows that a bin of numbers has at least; fewer are joined with the next "+
				"bin's").
			Also("min_data_in_bin"),
		param.AnyOf(&l.SplitPoints, "split_points",
			"what split points of numbers are proposed by; exact: bins of all rows, or of a sample "+
				"beyond memory; sketch: a weighted quantile sketch of all rows (Chen & Guestrin "+
				"2016); local: the same for each tree, by second derivatives"),
		param.Float(&l.SketchEps, "sketch_eps", 0.03, 1e-4, 0.5,
			"fraction of the weight between split points of a sketch, in place of bins and "+
				"min_bin"),
		param.Float(&l.Colsample, "colsample", 0, 0, 1,
			"fraction of the columns that a tree may use, sampled for each tree",
			param.Zero(fmt.Sprintf("half of them, at least %d, or what rehearse finds",
				table.FewestColumns))).Tune(0.2, 1).
			Also("colsample_bytree", "feature_fraction"),
		param.AnyOf(&l.ColsampleBy, "colsample_by",
			"what colsample=0 with colsample_node=0 samples half of the columns for; tree: each "+
				"tree; task: each tree where the label is a class, else each node"),
		fraction(&l.ColsampleLevel, "colsample_level",
			"fraction of those that a level of a tree may use").
			Also("colsample_bylevel"),
		param.Float(&l.ColsampleNode, "colsample_node", 0, 0, 1,
			"fraction of those that a node may use",
			param.Zero("all of them, or what rehearse finds")).Tune(0.2, 1).
			Also("colsample_bynode", "feature_fraction_bynode"),
		param.Bool(&l.ExtraTrees, "extra_trees", false,
			"try one random threshold of each column and node (Geurts et al. 2006)"),
		param.Parsed(&l.Monotone, "monotone", "COL=1,COL=-1,...", readNamed(direction),
			param.WriteNamed,
			"numeric columns with which predictions never fall (1) or never rise (-1)").
			Unlike("monotone_constraints", "use monotone=COL=1,COL=-1, which names columns"),
		param.Parsed(&l.Interactions, "interactions", "COL+COL+...,COL+COL+...", param.ParseGroups,
			param.WriteGroups,
			"sets of columns that may be used together on a path from root to leaf; columns of no "+
				"set are used alone; target statistics count as the columns that they are of").
			Unlike("interaction_constraints",
				"use interactions=COL+COL,COL+COL, which names columns"),
		param.Parsed(&l.ColumnWeight, "column_weight", "COL=WEIGHT,...", readNamed(weight),
			param.WriteNamed,
			"factors from 0 up on the gains of columns, and of target statistics of these, the "+
				"least of several"),
	}
}

func (l *Learner) categoryParams() param.Set {
	return append(param.Set{
		param.AnyOf(&l.Categories, "categories",
			fmt.Sprintf("how categorical columns are split; native: by sets of categories; "+
				"target: by target statistics, also of combinations of columns (Prokhorenkova et "+
				"al. 2018); both; ordinal: as numbers, in the order of their texts, or of their "+
				"values where all are numbers; auto: target if a column has %d categories, else "+
				"native", table.ManyLevels)),
		param.Int(&l.OneHot, "one_hot", 4, 0, maxInt,
			"categories of a column up to which one is split from the rest; of more, many from "+
				"many"),
		param.Int(&l.MaxCategories, "max_categories", 32, 1, maxInt,
			"categories on the smaller side of such a split", param.Zero("no limit")),
		param.Float(&l.CatSmooth, "cat_smooth", 10, 0, infinite,
			"weight that shrinks a category's mean to 0 where categories are put in order"),
		param.Float(&l.CatL2, "cat_l2", 10, 0, infinite,
			"added to l2 where many categories are split from many"),
		param.Float(&l.MinCategory, "min_category", 1, 0, infinite,
			"sum of second derivatives that a category needs to be one of many"),
		param.Int(&l.MinGroup, "min_group", 0, 1, maxInt,
			"rows by which the many on one side grow from one try to the next, and that stay on "+
				"the other", param.Zero("no limit")),
	}, l.Encode.params()...)
}

func (l *Learner) rowParams() param.Set {
	return param.Set{
		param.Chosen(&l.Sampling, "sampling", allRows, strings.Join(sample.GradientNames(), "|"),
			"rows that a round is grown on, sampled for each round; "+samplings()+"; its "+
				"parameters are set as sampling.KEY (coppice learners gbm sampling=NAME lists "+
				"them)"),
		param.Float(&l.Subsample, "subsample", 0, 0, 1,
			"short for sampling=uniform, with this fraction of the rows",
			param.Zero(fmt.Sprintf("1, or 0.8 of fewer than %d rows", rounds.FewestRehearsed))).
			Tune(0.5, 1).TuneWith("sampling", "all").
			Also("bagging_fraction"),
		param.Chosen(&l.Boosting, "boosting", plain, strings.Join(boostings, "|"),
			"earlier rounds that a round corrects; plain: all; dart: all but some, dropped at "+
				"random in each round (Vinayak & Gilad-Bachrach 2015), by boosting.drop, most and "+
				"skip; ordered: for each row models of rows before it in a random order "+
				"(Prokhorenkova et al. 2018), by boosting.permutations"),
	}
}

// samplings describes the ways to sample.
func samplings() string {
	var words []string
	for _, r := range sample.GradientTable() {
		words = append(words, r.Name+": "+r.Help)
	}
	return strings.Join(words, "; ")
}

// fraction declares a fraction above 0 and up to 1, the default.
func fraction(p *float64, name, help string) param.Param {
	return param.Float(p, name, 1, 0, 1, help, param.ExcludeMin)
}
