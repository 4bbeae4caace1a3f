package forest

import (
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/learn/sample"
	"github.com/coppice-ml/coppice/param"
)

// Learner is a forest with its parameters. Make one with New or NewExtraTrees, which set the
// defaults; the zero value is refused. Fields are named as the parameters, which Params declares.
type Learner struct {
	// Trees in the forest. Parameter trees: an integer >= 1; default 500.
	Trees int
	// Impurity that splits decrease; for classes gini: Gini index, sum of p(1-p) over the classes
	// (Breiman et al. 1984); entropy: entropy in bits, -sum of p log2 p over the classes (Quinlan
	// 1986); gain_ratio: entropy; splits are compared by its decrease over the entropy of their
	// children's sizes (Quinlan 1993); misclassification: fraction outside the largest class
	// (Breiman et al. 1984); hellinger: Hellinger distance of the classes over the children, for
	// rare classes (Cieslak & Chawla 2008); for numbers squared_error: mean squared distance from
	// the mean (Breiman et al. 1984); absolute_error: mean distance from the median, which leaves
	// predict (Breiman et al. 1984); poisson: half the mean Poisson deviance, for counts and rates
	// from 0 up; auto = gini for classes, squared_error for numbers. Parameter criterion: auto,
	// gini, entropy, gain_ratio, misclassification, hellinger, squared_error, absolute_error or
	// poisson; default auto.
	Criterion learn.Criterion
	// What a tree predicts of classes: majority: its leaf's largest class, so that probabilities
	// are fractions of votes; probability: its leaf's class probabilities. Parameter vote: majority
	// or probability; default majority.
	Vote Vote
	// Columns tried in each node, sampled for each node; auto = the square root of their number for
	// classes, a third of it for numbers, rounded down. Parameter mtry: auto, all, a number of
	// columns, or a fraction of them below 1; default auto.
	Mtry string
	// Rows above which a node samples further columns if none of the first has a split; smaller
	// nodes become leaves; a number above that of all rows is the rule of R's ranger. Parameter
	// resample_columns: an integer >= 0; default 10.
	ResampleColumns int
	// Categories of a column up to which it is split into any two sets, the best or random ones; 0
	// = no limit; level_fraction is for columns of more; auto = 32 for classes, 12 for numbers.
	// Parameter subset_levels: auto, or a number of categories from 0 up; default auto.
	SubsetLevels string
	// Fraction of the categories in a node, of a column of more than subset_levels, that the node
	// samples and splits into the best two sets; the others stay together; 0 = such columns are
	// split in the order of the table's dictionary, as with random thresholds; auto = 0 for
	// classes, 0.25 for numbers. Parameter level_fraction: auto, or a fraction from 0 to 1; default
	// auto.
	LevelFraction string
	// Random thresholds of a column in each node, of which the best is taken. Parameter
	// random_splits: an integer >= 1 (0 = all are tried); default 0.
	RandomSplits int
	// Rows of a node that becomes a leaf without a search for a split, repeated rows counted each
	// time. Parameter node_size: an integer >= 1 (0 = 1 for votes of majorities, 10 for
	// probabilities, 5 for numbers); default 0.
	NodeSize int
	// Edges from the root to the deepest leaf. Parameter depth: an integer >= 0 (0 = no limit);
	// default 0.
	Depth int
	// Number of leaves of a tree; those of largest gain are split. Parameter leaves: an integer >=
	// 0 (0 = no limit); default 0.
	Leaves int
	// Rows that a node needs to be split, repeated rows counted each time; the stricter of this and
	// node_size counts. Parameter min_split: an integer >= 2; default 2.
	MinSplit int
	// Rows that each leaf has at least, repeated rows counted each time. Parameter min_leaf: an
	// integer >= 1; default 1.
	MinLeaf int
	// Least impurity decrease of a split, times the node's fraction of the weight (scikit-learn's
	// min_impurity_decrease). Parameter min_gain: a number >= 0; default 0.
	MinGain float64
	// Where rows go that have no value in a node's column; learned: with the child that makes the
	// better split, found in training, or separate from all known values; majority: with the child
	// of more known weight. Parameter missing: learned or majority; default learned.
	Missing Missing

	// Rows of each member: bootstrap = sampled with replacement, subsample = without, none = all.
	// Parameter sample: bootstrap, subsample or none; default bootstrap.
	Sample sample.Settings
	// Sample size of each class, as a fraction of all rows, for all classes; replaces fraction and
	// strata. Parameter class_fractions: NAME=FRACTION,...; default "".
	ClassFractions []param.Named
	// Factor on the weight of each row by its class; balanced = rows / (classes x rows of the
	// class); classes not named have 1. Parameter class_weight: balanced, NAME=WEIGHT,...; default
	// "".
	ClassWeight data.ClassWeight
	// What wrong predictions cost: a table with a line for each true and a column for each
	// predicted class, named in the first column and line; the label is the class of least expected
	// cost. Parameter costs: FILE.csv; default "".
	Costs data.NamedCosts
	// Fraction of a tree's rows that chooses its splits; the others make its leaves (Wager & Athey
	// 2018); a leaf without rows predicts as the nearest node above it. Parameter honest: a number
	// >= 0 and < 1 (0 = all rows do both); default 0.
	Honest float64
	// Oob: each tree is pruned where that costs nothing on its out-of-bag rows (Quinlan 1987),
	// whose errors are then too low. Parameter prune: none or oob; default none.
	Prune Prune
	// Leaves store the labels of the tree's rows, 4 bytes for each, so that predictions have
	// quantiles (Meinshausen 2006); for regression; intervals of small leaves are too narrow: try
	// min_leaf=20 or honest=0.5. Parameter quantiles: true or false; default false.
	Quantiles bool

	// Settle decides when training stops before all trees are grown, by early_stopping.
	Settle grow.Settle
	// How much each column matters, in the summary; impurity: decrease of impurity by the column's
	// splits, which favours columns of many values; corrected: the same, less the decrease by a
	// permuted copy of the column, so that a column without information has 0 on average (Nembrini
	// et al. 2018); grows as many trees again; permutation: increase of a tree's error on its
	// out-of-bag rows when the column's values are permuted among them (Breiman 2001). Parameter
	// importance: none, or impurity, corrected, permutation separated by commas; default impurity.
	Importance string
	// Columns whose values are permuted together too, for importance=permutation. Parameter
	// importance_groups: COL+COL+...,COL+COL+...; default "".
	ImportanceGroups [][]string

	// Grow the I-th of N shards of the trees; the merge of all shards is the whole forest, byte for
	// byte. Parameter shard: I/N; default "".
	Shard string

	name string
}
