package cart

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model/training"
	"github.com/coppice-ml/coppice/param"
	"github.com/coppice-ml/coppice/tree"
	"github.com/coppice-ml/coppice/tree/prune"
)

// pruning is one value of the parameter prune: its name or, if it takes a number, name=number.
type pruning struct {
	name   string
	number string  // what the number is called; empty: the method takes none
	least  float64 // the numbers allowed
	most   float64
	whole  bool    // only integers
	absent float64 // the number that the name alone stands for; NaN: none, the number must be given

	classes bool // whether it needs class labels
	help    string
	run     func(context.Context, *job, *tree.Tree) (*tree.Tree, *Summary, error)
}

// The names that other code refers to.
const (
	pruneCV    = "cv"
	pruneCVMin = "cv-min"
	pruneValid = "validation"
	pruneNone  = "none"
)

// laplace is the number of minimum-error pruning with the Laplace estimate, which no m gives.
const laplace = -1

// prunings returns all methods. (The parameter's default, auto, stands for one of them.)
func prunings() []pruning {
	none, inf := math.NaN(), math.Inf(1)
	return []pruning{
		{name: pruneCV, help: "cost-complexity pruning with the one-standard-error rule",
			run: byCrossValidation},
		{name: pruneCVMin, help: "cost-complexity pruning to the least cross-validated error",
			run: byCrossValidation},
		{name: "alpha", number: "PENALTY", most: inf, absent: none,
			help: "cost-complexity pruning with a given penalty per leaf", run: byAlpha},
		{name: "leaves", number: "COUNT", least: 1, most: math.MaxInt32, whole: true, absent: none,
			help: "the largest tree of the cost-complexity path with at most so many leaves",
			run:  byLeaves},
		{name: pruneValid, help: "reduced-error pruning on the validation set", run: byValidation},
		{name: "pessimistic", number: "CF", least: math.SmallestNonzeroFloat64, most: 0.5,
			absent: 0.25, classes: true,
			help: "upper limits of training errors at a confidence (C4.5, without subtree raising)",
			run:  onTree(prune.Pessimistic)},
		{name: "pessimistic-1987", classes: true,
			help: "training errors + 1/2 per leaf, to one standard error (Quinlan 1987)",
			run: onTree(func(t *tree.Tree, _ float64) (*tree.Tree,
				error) {
				return prune.Pessimistic1987(t)
			})},
		{name: "minimum-error", number: "M", most: math.MaxFloat64, absent: laplace, classes: true,
			help: "least expected error (Niblett & Bratko 1986), with M by the m-probability " +
				"estimate", run: onTree(minimumError)},
		{name: pruneNone, help: "the tree as it was grown", run: noPruning},
	}
}

// pruneForm is the syntax of the parameter.
func pruneForm() string {
	forms := []string{param.Auto}
	for _, p := range prunings() {
		switch {
		case p.number == "":
			forms = append(forms, p.name)
		case math.IsNaN(p.absent):
			forms = append(forms, p.name+"="+p.number)
		default:
			forms = append(forms, p.name+"[="+p.number+"]")
		}
	}
	return strings.Join(forms, "|")
}

func pruneHelp() string {
	var b strings.Builder
	for _, p := range prunings() {
		fmt.Fprintf(&b, "%s: %s; ", p.name, p.help)
	}
	return b.String() + "auto = validation if there is a validation set, else cv"
}

func checkPrune(text string) error {
	if text == param.Auto {
		return nil
	}
	_, _, err := parsePruning(text)
	return err
}

// parsePruning finds the method of a text other than auto, and its number.
func parsePruning(text string) (pruning, float64, error) {
	name, digits, given := strings.Cut(text, "=")
	for _, p := range prunings() {
		if p.name != name || given && p.number == "" {
			continue
		}
		if !given {
			if p.number != "" && math.IsNaN(p.absent) {
				return p, 0, fmt.Errorf("%s needs a number: %s=%s", name, name, p.number)
			}
			return p, p.absent, nil
		}
		x, err := strconv.ParseFloat(digits, 64)
		if err != nil || !(x >= p.least && x <= p.most) || math.IsInf(x, 0) || p.whole &&
			x != math.Floor(x) {
			return p, 0, fmt.Errorf("%q is not %s", digits, p.numbers())
		}
		return p, x, nil
	}
	return pruning{}, 0, fmt.Errorf("%q is not a pruning method", text)
}

// numbers describes the numbers that are allowed.
func (p *pruning) numbers() string {
	switch {
	case p.name == "alpha":
		return "a penalty: use a number from 0 up, such as alpha=0.01"
	case p.whole:
		return fmt.Sprintf("a %s: use an integer from %v up", strings.ToLower(p.number), p.least)
	case p.least > 0:
		return fmt.Sprintf("a %s: use a number above 0, at most %v", p.number, p.most)
	}
	return fmt.Sprintf("a value of %s: use a number from 0 up", p.number)
}

// Capabilities implements learn.Learner. A validation set prunes the tree, unless a parameter
// chooses another method.
func (l *Learner) Capabilities() learn.Capabilities {
	c := learn.Capabilities{Summary: func() learn.Summary { return new(Summary) }}
	if l.Prune == param.Auto || l.Prune == pruneValid {
		c.Validation = learn.Validation{Pruning: true}
	}
	return c
}

// choosePruning reads the parameter and checks that the method fits the label and the validation
// set.
func (j *job) choosePruning() error {
	text := j.learner.Prune
	if text == param.Auto {
		text = pruneCV
		if len(j.Valid) > 0 {
			text = pruneValid
		}
	}
	var err error
	if j.pruning, j.number, err = parsePruning(text); err != nil {
		return err
	}
	switch {
	case j.pruning.classes && !j.target.Task.Classes():
		return fmt.Errorf("prune=%s does not fit a %s label", j.pruning.name, j.target.Task)
	case j.pruning.classes && len(j.learner.Costs.Classes) > 0:
		return fmt.Errorf("prune=%s counts errors, not costs: use cv, alpha, leaves, validation "+
			"or none", j.pruning.name)
	case j.pruning.name == pruneValid && len(j.Valid) == 0:
		return errors.New("prune=validation needs a validation set")
	}
	return nil
}

func noPruning(_ context.Context, _ *job, grown *tree.Tree) (*tree.Tree, *Summary, error) {
	return grown, &Summary{Prune: pruneNone}, nil
}

// onTree makes a method of an operation that needs nothing but the tree.
func onTree(
	operation func(t *tree.Tree, number float64) (*tree.Tree, error),
) func(context.Context, *job, *tree.Tree) (*tree.Tree, *Summary, error) {
	return func(_ context.Context, j *job, grown *tree.Tree) (*tree.Tree, *Summary, error) {
		t, err := operation(grown, j.number)
		return t, &Summary{Prune: j.pruningName()}, err
	}
}

// pruningName is the method with its number, if it has one, as the parameter writes it.
func (j *job) pruningName() string {
	if j.pruning.number == "" || j.number < j.pruning.least {
		return j.pruning.name
	}
	return j.pruning.name + "=" + strconv.FormatFloat(j.number, 'g', -1, 64)
}

func minimumError(t *tree.Tree, m float64) (*tree.Tree, error) {
	if m == laplace {
		return prune.MinimumError(t)
	}
	return prune.MinimumErrorM(t, m)
}

func byValidation(_ context.Context, j *job, grown *tree.Tree) (*tree.Tree, *Summary, error) {
	cost, ended := j.validationCost(grown)
	t, err := prune.ReducedError(grown, cost, ended)
	return t, &Summary{Prune: pruneValid}, err
}

// validationCost sums, for every node, the cost of its value over the validation rows that reach
// it, and over those of them that end there.
func (j *job) validationCost(t *tree.Tree) (cost, ended []float64) {
	return prune.ValidationCost(t, j.frame.Columns, j.Valid, j.weight, j.loss)
}

func byAlpha(_ context.Context, j *job, grown *tree.Tree) (*tree.Tree, *Summary, error) {
	path, s, err := j.pathOf(grown)
	if err != nil {
		return nil, nil, err
	}
	s.Prune = j.pruning.name
	s.choose(j.number)
	t, err := path.Prune(s.Alpha)
	return t, s, err
}

func byLeaves(_ context.Context, j *job, grown *tree.Tree) (*tree.Tree, *Summary, error) {
	path, s, err := j.pathOf(grown)
	if err != nil {
		return nil, nil, err
	}
	s.choose(path.Within(int(j.number)).Alpha)
	t, err := path.Prune(s.Alpha)
	return t, s, err
}

// byCrossValidation returns the tree as grown if it is ended early.
func byCrossValidation(ctx context.Context, j *job,
	grown *tree.Tree) (*tree.Tree, *Summary, error) {
	path, s, err := j.pathOf(grown)
	if err != nil {
		return nil, nil, err
	}
	if err := j.crossValidate(ctx, s); err != nil {
		return grown, &Summary{Prune: pruneNone}, err
	}
	t, err := path.Prune(s.Alpha)
	return t, s, err
}

// pathOf computes the path of a tree and starts the summary of a method that chooses from it.
func (j *job) pathOf(t *tree.Tree) (*prune.Path, *Summary, error) {
	path, err := j.path(t, j.rows)
	if err != nil {
		return nil, nil, err
	}
	s := &Summary{Prune: j.pruningName(), PruneBy: j.learner.PruneBy.String()}
	for _, step := range path.Steps {
		s.Path = append(s.Path, training.Point{Step: step})
	}
	return path, s, nil
}

// path computes the cost-complexity path by the cost that prune_by names, per unit of weight that
// rows have before priors alter it. rows are those that the tree was grown on, with repetitions.
func (j *job) path(t *tree.Tree, rows []int32) (*prune.Path, error) {
	cost, err := j.cost(t)
	if err != nil {
		return nil, err
	}
	if j.factors.prior != nil && j.learner.PruneBy != PruneByImpurity {
		own, altered := 0.0, 0.0
		for _, row := range rows {
			own += j.weight(row)
		}
		for _, w := range t.Value(0) {
			altered += w
		}
		for n := range cost {
			cost[n] *= altered / own
		}
	}
	return prune.NewPath(t, cost, j.ended(t, rows)), nil
}

func (j *job) cost(t *tree.Tree) ([]float64, error) {
	switch {
	case j.learner.PruneBy == PruneByImpurity:
		return prune.Impurity(t)
	case j.factors.costs != nil:
		return prune.ExpectedCost(t, j.factors.costs)
	}
	return prune.TrainingError(t)
}
