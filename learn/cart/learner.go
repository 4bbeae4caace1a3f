package cart

import (
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/param"
)

// Learner is CART with its parameters. Make one with New, which sets the defaults; the zero value
// has none. Fields are named as the parameters, which Params declares.
type Learner struct {
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
	// Which node is split next; auto = best-first if leaves are limited, else depth-first.
	// Parameter growth: auto, depth-first or best-first; default auto.
	Growth Growth
	// Edges from the root to the deepest leaf. Parameter depth: an integer >= 0 (0 = no limit);
	// default 0.
	Depth int
	// Number of leaves before pruning. Parameter leaves: an integer >= 0 (0 = no limit); default 0.
	Leaves int
	// Rows that a node needs to be split, repeated rows counted each time. Parameter min_split: an
	// integer >= 2; default 2.
	MinSplit int
	// Rows that each leaf has at least, repeated rows counted each time. Parameter min_leaf: an
	// integer >= 1; default 1.
	MinLeaf int
	// Least impurity decrease of a split, times the node's fraction of the weight (scikit-learn's
	// min_impurity_decrease). Parameter min_gain: a number >= 0; default 0.
	MinGain float64
	// Largest p-value of the chi-squared test, of class against branch, with which a split is made
	// (Quinlan 1986). Parameter chi2: a number >= 0 and <= 1 (0 = no test); default 0.
	Chi2 float64
	// Cv: cost-complexity pruning with the one-standard-error rule; cv-min: cost-complexity pruning
	// to the least cross-validated error; alpha: cost-complexity pruning with a given penalty per
	// leaf; leaves: the largest tree of the cost-complexity path with at most so many leaves;
	// validation: reduced-error pruning on the validation set; pessimistic: upper limits of
	// training errors at a confidence (C4.5, without subtree raising); pessimistic-1987: training
	// errors + 1/2 per leaf, to one standard error (Quinlan 1987); minimum-error: least expected
	// error (Niblett & Bratko 1986), with M by the m-probability estimate; none: the tree as it was
	// grown; auto = validation if there is a validation set, else cv. Parameter prune: auto, cv,
	// cv-min, alpha=PENALTY, leaves=COUNT, validation, pessimistic[=CF], pessimistic-1987,
	// minimum-error[=M], none; default auto.
	Prune string
	// Cost in the cost-complexity path: training error, or impurity as scikit-learn; the same for
	// regression. Parameter prune_by: error or impurity; default error.
	PruneBy PruneBy
	// Folds of the cross-validation inside prune=cv and cv-min, stratified for classes, at most as
	// many as there are rows, groups or times. Parameter folds: an integer >= 2; default 10.
	Folds int
	// Factor on the weight of each row by its class; balanced = rows / (classes x rows of the
	// class); classes not named have 1. Parameter class_weight: balanced, NAME=WEIGHT,...; default
	// "".
	ClassWeight data.ClassWeight
	// Class probabilities where the model will be used, if they are not those of the training rows;
	// classes not named divide the rest as their rows do. Parameter priors: NAME=PROBABILITY,...;
	// default "".
	Priors []param.Named
	// What wrong predictions cost: a table with a line for each true and a column for each
	// predicted class, named in the first column and line; the label is the class of least expected
	// cost. Parameter costs: FILE.csv; default "".
	Costs data.NamedCosts
	// Smooth the class probabilities of the finished tree's nodes: (w + 1) / (W + K) for K classes.
	// Parameter laplace: true or false; default false.
	Laplace bool
	// Where rows go that have no value in a node's column; learned: with the child that makes the
	// better split, found in training, or separate from all known values; majority: with the child
	// of more known weight; surrogate: where the first of the columns that best repeat the split
	// sends them, else with the child of more known weight (Breiman et al. 1984); surrogate-stop:
	// where those columns send them, else no further: the node predicts; stop: no further: the node
	// predicts; fractional: to every child in fractions, by known weight (Quinlan 1993); fractions
	// that weigh less than one row are no leaf; rules other than learned compare splits by the rows
	// with a value. Parameter missing: learned, majority, surrogate, surrogate-stop, stop or
	// fractional; default learned.
	Missing Missing
	// Columns that stand in for one of a node, at most, if missing names them. Parameter
	// surrogates: an integer >= 0; default 5.
	Surrogates int
	// What splits test beside single columns: random projections of few numeric columns (oblique),
	// one linear combination of all by greedy search (linear), distances to a random row in few
	// columns (sphere). Parameter splits: axis, oblique, linear, sphere, separated by commas;
	// default axis.
	Splits string
	// Random projections, and distances, tried in each node. Parameter directions: an integer >= 1
	// (0 = as many as there are numeric columns); default 0.
	Directions int
	// Columns of a random projection or distance. Parameter terms: an integer >= 2; default 2.
	Terms int
	// Columns tried in each node, sampled for each. Parameter mtry: an integer >= 1 (0 = all);
	// default 0.
	Mtry int
}
