package growth

import (
	"github.com/coppice-ml/coppice/internal/criterion"
	"github.com/coppice-ml/coppice/learn/internal/grow"
)

// Labels is what a tree is fitted to: the labels and weights of its rows, and the criterion of its
// splits. Rows are named by their positions in the population.
type Labels struct {
	Pop        *grow.Population
	Definition *criterion.Definition
	Family     criterion.Family
	Width      int                 // statistics of a set of rows
	Criterion  criterion.Criterion // nil for Values
	deviance   criterion.Deviance  // nil for Classes
	// nil: rows have weights other than their multiplicities, or the criterion has no scan
	Scanner criterion.Scanner
	Values  *values // nil but for Values
	// by position: the fraction of the row that belongs to the current node; nil = all of it
	Fraction []float64
	// classes are counted: rows weigh what their multiplicities are, and stay whole
	Counts    bool
	Unlabeled bool // splits are not judged: a set of rows is nothing but its weight
	// batches are judged even where the criterion scans itself, for tests
	Plain  bool
	sample criterion.Sample // scratch buffer of gather
	total  [1]float64       // scratch buffer of summariseClasses
}

// NewLabels returns the labels of a population, whose rows stay whole unless they are divided.
func NewLabels(pop *grow.Population, row *criterion.Definition, divided, plain bool) *Labels {
	l := &Labels{Pop: pop, Definition: row, Family: row.Family,
		Width: row.Family.Width(pop.Classes), deviance: row.Deviance, Plain: plain}
	if row.New != nil {
		l.Criterion = row.New(l.Width)
	}
	if pop.Weight == nil && !plain {
		l.Scanner, _ = l.Criterion.(criterion.Scanner)
	}
	l.Counts = l.Family == criterion.Classes && pop.Weight == nil && !divided
	if l.Family == criterion.Values {
		l.Values = newValues(pop.Y)
	}
	return l
}

// NewUnlabeled returns the Labels of a tree without labels, where no split is better than another
// (Liu et al. 2008).
func NewUnlabeled(pop *grow.Population) *Labels {
	row := &unlabeledCriterion
	return &Labels{Pop: pop, Definition: row, Family: row.Family, Width: row.Family.Width(0),
		Criterion: row.New(1), Unlabeled: true}
}

// Of returns the labels of other rows, with the same criterion.
func (l *Labels) Of(pop *grow.Population) *Labels {
	other := *l
	other.Pop, other.sample = pop, criterion.Sample{}
	if l.Values != nil {
		other.Values = new(values)
	}
	return &other
}

// unlabeledCriterion gives all splits the same gain.
var unlabeledCriterion = criterion.Definition{Name: "unlabeled", Family: criterion.Values,
	New: func(int) criterion.Criterion { return indifferent{} }}

type indifferent struct{}

func (indifferent) Impurity(dst, _, _ []float64) { clear(dst) }
