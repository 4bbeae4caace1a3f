package gbm

import (
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/loss"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model/training"
	"github.com/coppice-ml/coppice/param"
)

// Learner is gradient boosting with its parameters. Make one with New, which sets the defaults; the
// zero value is refused. Fields are named as the parameters, which Params declares.
type Learner struct {
	// Rounds, each of which adds a tree for every output: one for regression and two classes, one
	// for each of more classes. Parameter trees: an integer >= 1 (0 = chosen by the validation set,
	// or by cross-validation and then trained on all rows); default 0.
	Trees int
	// Factor on what each tree adds. Parameter learning_rate: a number > 0 and <= 1 (0 = 0.1, with
	// trees=0 and up to 100000 rows 0.05); default 0.
	LearningRate float64
	// Factor on the learning rate after each round. Parameter learning_rate_decay: a number > 0 and
	// <= 1; default 1.
	LearningRateDecay float64
	// Learning rates that start at rounds counted from 0, in place of learning_rate before them.
	// Parameter learning_rates: ROUND:RATE,ROUND:RATE,...; default "".
	LearningRates []training.RateFrom
	// With trees=0, compare values of colsample, categories, leaves, growth and min_leaf by
	// cross-validation before the rounds are chosen; those that are given stay as they are.
	// Parameter rehearse: true or false; default true.
	Rehearse bool
	// What is minimised; auto: squared for regression, logistic for two classes, softmax for more;
	// its parameters are set as loss.KEY (coppice learners gbm loss=NAME lists them). Parameter
	// loss: auto, squared, absolute, huber, pseudo_huber, fair, quantile, expectile, mape, poisson,
	// gamma, tweedie, squared_log, logistic, cross_entropy, exponential, hinge, focal, lambdamart,
	// xe_ndcg, cox, aft, softmax, one_vs_all; default auto.
	Loss loss.Choice
	// Factor on the weight of each row by its class; balanced = rows / (classes x rows of the
	// class); classes not named have 1. Parameter class_weight: balanced, NAME=WEIGHT,...; default
	// "".
	ClassWeight data.ClassWeight
	// Fraction of the training rows that is the validation set, where none is given. Parameter
	// valid_fraction: a number >= 0 and <= 0.5 (0 = none); default 0.
	ValidFraction float64
	// Rounds without improvement on the validation set that end the training; the model keeps the
	// rounds up to its best. Parameter early_stopping: an integer >= 1 (0 = all rounds are trained
	// and kept); default 50.
	EarlyStopping int
	// Metrics of the validation set after each round; the first decides early stopping; auto: the
	// loss, of rankings ndcg@10. Parameter metric: auto, or loss and names of metrics with commas
	// between them; default auto.
	Metric string
	// Rounds after which the metrics of the training set are evaluated again. Parameter
	// training_metric: an integer >= 1 (0 = never); default 10.
	TrainingMetric int

	// Metrics are evaluated in addition to Metric and before it: the first decides early stopping.
	// They are Go functions, no parameter: neither models nor checkpoints hold them.
	Metrics []metric.Metric

	// What is split next; auto: as leaf, or what rehearse finds, and of fewer than 500 rows as
	// symmetric with depth=4; leaf: the leaf of largest gain; depth: level by level; symmetric:
	// level by level, all nodes of a level alike. Parameter growth: auto, leaf, depth or symmetric;
	// default auto.
	Growth Growth
	// Leaves of a tree, of any growth but symmetric. Parameter leaves: an integer >= 2 (0 = no
	// limit; auto = 31, or what rehearse finds); default auto.
	Leaves int
	// Edges from the root to the deepest leaf. Parameter depth: an integer >= 1 (0 = no limit, of
	// symmetric trees 6); default 0.
	Depth int
	// Rows that each leaf keeps. Parameter min_leaf: an integer >= 1 (0 = 2, of fewer than 1000
	// rows 1, of quantiles 1 / level, or what rehearse finds); default 0.
	MinLeaf int
	// Sum of second derivatives that each leaf keeps. Parameter min_child_weight: a number >= 0;
	// default 0.001.
	MinChildWeight float64
	// Least gain of a split, by which the regularised loss falls twice. Parameter gamma: a number
	// >= 0; default 0.
	Gamma float64
	// Where gamma acts; top: a split of less gain is not made, so that growth ends there; bottom:
	// the tree grows within its other limits, and then branches of less gain are removed from the
	// leaves up; symmetric trees take top alone. Parameter gamma_prune: top or bottom; default top.
	GammaPrune GammaPrune
	// Penalty on the sum of absolute leaf values. Parameter l1: a number >= 0; default 0.
	L1 float64
	// Penalty on half the sum of squared leaf values. Parameter l2: a number >= 0; default 1.
	L2 float64
	// Largest absolute leaf value, before the learning rate. Parameter max_delta_step: a number >=
	// 0 (0 = no limit); default 0.
	MaxDeltaStep float64
	// Rows of a leaf whose value is smoothed half way to that of its parent node. Parameter
	// path_smooth: a number >= 0 (0 = off); default 0.
	PathSmooth float64
	// One tree of a round has values for all outputs, which have the same splits (Zhang & Jung
	// 2020), instead of a tree for each. Parameter multi_output: true or false; default false.
	MultiOutput bool
	// Leaves predict by linear functions of the numeric columns on the path to them (Shi et al.
	// 2019); leaves below a split by a monotone column predict constants. Parameter linear_tree:
	// true or false; default false.
	LinearTree bool
	// Penalty on half the squares of their coefficients, of columns of one size. Parameter
	// linear_l2: a number >= 0; default 1.
	LinearL2 float64
	// Give leaves the values of least loss where single Newton steps do not reach them, as medians
	// for loss=absolute. Parameter refit_leaves: true or false; default true.
	RefitLeaves bool
	// What splits are compared by; newton: the gain by first and second derivatives; l2: the same
	// with the weights of rows for second derivatives; cosine: CatBoost's cosine of leaf values and
	// first derivatives, of growth=symmetric. Parameter split_score: newton, l2 or cosine; default
	// newton.
	SplitScore SplitScore
	// Standard deviation of what is added at random to the scores of the columns of a level, in
	// those of first derivatives, falling with the rounds, as in CatBoost; of growth=symmetric.
	// Parameter random_strength: a number >= 0 (0 = off); default 0.
	RandomStrength float64
	// Steps by which leaves get their values; newton: by second derivatives; gradient: by the
	// weights of rows. Parameter leaf_method: newton or gradient; default newton.
	LeafMethod LeafMethod
	// How many such steps. Parameter leaf_steps: an integer >= 1 and <= 100 (0 = 1, with
	// compat=catboost and the log loss of two classes 10); default 0.
	LeafSteps int

	// Most bins of a column's values. Parameter bins: an integer >= 2 and <= 65535; default 255.
	Bins int
	// Rows that a bin of numbers has at least; fewer are joined with the next bin's. Parameter
	// min_bin: an integer >= 1; default 1.
	MinBin int
	// What split points of numbers are proposed by; exact: bins of all rows, or of a sample beyond
	// memory; sketch: a weighted quantile sketch of all rows (Chen & Guestrin 2016); local: the
	// same for each tree, by second derivatives. Parameter split_points: exact, sketch or local;
	// default exact.
	SplitPoints SplitPoints
	// Fraction of the weight between split points of a sketch, in place of bins and min_bin.
	// Parameter sketch_eps: a number >= 0.0001 and <= 0.5; default 0.03.
	SketchEps float64
	// How categorical columns are split; native: by sets of categories; target: by target
	// statistics, also of combinations of columns (Prokhorenkova et al. 2018); both; ordinal: as
	// numbers, in the order of their texts, or of their values where all are numbers; auto: target
	// if a column has 64 categories, else native. Parameter categories: auto, native, target, both
	// or ordinal; default auto.
	Categories Categories
	// Encode holds the parameters of target statistics, whose names start with ts_.
	Encode TargetStatistics
	// Categories of a column up to which one is split from the rest; of more, many from many.
	// Parameter one_hot: an integer >= 0; default 4.
	OneHot int
	// Categories on the smaller side of such a split. Parameter max_categories: an integer >= 1 (0
	// = no limit); default 32.
	MaxCategories int
	// Weight that shrinks a category's mean to 0 where categories are put in order. Parameter
	// cat_smooth: a number >= 0; default 10.
	CatSmooth float64
	// Added to l2 where many categories are split from many. Parameter cat_l2: a number >= 0;
	// default 10.
	CatL2 float64
	// Sum of second derivatives that a category needs to be one of many. Parameter min_category: a
	// number >= 0; default 1.
	MinCategory float64
	// Rows by which the many on one side grow from one try to the next, and that stay on the other.
	// Parameter min_group: an integer >= 1 (0 = no limit); default 0.
	MinGroup int

	// Fraction of the columns that a tree may use, sampled for each tree. Parameter colsample: a
	// number >= 0 and <= 1 (0 = half of them, at least 4, or what rehearse finds); default 0.
	Colsample float64
	// What colsample=0 with colsample_node=0 samples half of the columns for; tree: each tree;
	// task: each tree where the label is a class, else each node. Parameter colsample_by: tree or
	// task; default tree.
	ColsampleBy ColsampleBy
	// Fraction of those that a level of a tree may use. Parameter colsample_level: a number > 0 and
	// <= 1; default 1.
	ColsampleLevel float64
	// Fraction of those that a node may use. Parameter colsample_node: a number >= 0 and <= 1 (0 =
	// all of them, or what rehearse finds); default 0.
	ColsampleNode float64
	// Try one random threshold of each column and node (Geurts et al. 2006). Parameter extra_trees:
	// true or false; default false.
	ExtraTrees bool
	// Numeric columns with which predictions never fall (1) or never rise (-1). Parameter monotone:
	// COL=1,COL=-1,...; default "".
	Monotone []param.Named
	// Sets of columns that may be used together on a path from root to leaf; columns of no set are
	// used alone; target statistics count as the columns that they are of. Parameter interactions:
	// COL+COL+...,COL+COL+...; default "".
	Interactions [][]string
	// Factors from 0 up on the gains of columns, and of target statistics of these, the least of
	// several. Parameter column_weight: COL=WEIGHT,...; default "".
	ColumnWeight []param.Named

	// Rows that a round is grown on, sampled for each round; none: all rows for every tree;
	// uniform: fraction of the rows, sampled without replacement (Friedman 2002); goss: the rows of
	// steepest loss, and a few of the others, which count for all of them (Ke et al. 2017); mvs:
	// rows by the size of their derivatives, so that gains vary least (Ibragimov & Gusev 2019);
	// group: fraction of the groups, sampled without replacement, with all of their rows; bayesian:
	// all rows, each by a random factor (Rubin 1981); its parameters are set as sampling.KEY
	// (coppice learners gbm sampling=NAME lists them). Parameter sampling: none, uniform, goss,
	// mvs, group, bayesian; default none.
	Sampling Sampling
	// Short for sampling=uniform, with this fraction of the rows. Parameter subsample: a number >=
	// 0 and <= 1 (0 = 1, or 0.8 of fewer than 500 rows); default 0.
	Subsample float64
	// Earlier rounds that a round corrects; plain: all; dart: all but some, dropped at random in
	// each round (Vinayak & Gilad-Bachrach 2015), by boosting.drop, most and skip; ordered: for
	// each row models of rows before it in a random order (Prokhorenkova et al. 2018), by
	// boosting.permutations. Parameter boosting: plain, dart, ordered; default plain.
	Boosting Boosting

	// Whose conventions are followed where they differ. With xgboost, second derivatives of
	// loss=auto's softmax are 2 p (1-p), and sets of categories are searched as it does. Its
	// loss=poisson has a max_delta_step of 0.7 unless one is given, and looks ahead by it if
	// loss.ahead is below 0. With xgboost-exact, too, numbers are split between all distinct values
	// of a leaf's rows, in the middle. With lightgbm, loss=poisson looks ahead by 0.7, and rows of
	// leaves are estimated and sets of categories searched as it does. With catboost, the learning
	// rate follows from rows, rounds and loss, losses of classes start at 0, and all leaves of
	// symmetric trees have their own values. The command's flag compat sets all defaults. Parameter
	// compat: none, xgboost, xgboost-exact, lightgbm or catboost; default none.
	Compat Compat
	// Response that all rows start with, as XGBoost's; "" is the best one by the loss. Parameter
	// base_score: a number; default "".
	BaseScore string

	made bool // by New, so that parameters have their defaults
}
