package exact

import (
	"github.com/coppice-ml/coppice/grow"
	"github.com/coppice-ml/coppice/grow/criterion"
)

// labels is what a tree explains: the labels and weights of its rows, and the criterion that they
// are judged by. Rows are named by their positions in the population.
type labels struct {
	pop       *grow.Population
	row       *criterion.Definition
	family    criterion.Family
	width     int                 // statistics of a set of rows
	criterion criterion.Criterion // nil for Values
	deviance  criterion.Deviance  // nil for Classes
	// nil: rows have weights other than their multiplicities, or the criterion has no scan
	scan   criterion.Scanner
	values *values // nil but for Values
	// by position: the part of the row that belongs to the node at hand; nil = all of it
	part []float64
	// classes are counted: rows weigh what their multiplicities are, and stay whole
	counts    bool
	unlabeled bool // splits are not judged: a set of rows is nothing but its weight
	// batches are judged even where the criterion scans itself, for tests
	plain  bool
	sample criterion.Sample // scratch buffer of gather
}

// newLabels returns the labels of a population, whose rows stay whole unless divided says
// otherwise.
func newLabels(pop *grow.Population, row *criterion.Definition, divided, plain bool) *labels {
	l := &labels{pop: pop, row: row, family: row.Family, width: row.Family.Width(pop.Classes), deviance: row.Deviance, plain: plain}
	if row.New != nil {
		l.criterion = row.New(l.width)
	}
	if pop.Weight == nil && !plain {
		l.scan, _ = l.criterion.(criterion.Scanner)
	}
	l.counts = l.family == criterion.Classes && pop.Weight == nil && !divided
	if l.family == criterion.Values {
		l.values = newValues(pop.Y)
	}
	return l
}

// newUnlabeled returns what stands for labels where no split is better than another (Liu et al.
// 2008).
func newUnlabeled(pop *grow.Population) *labels {
	row := &unlabeledCriterion
	return &labels{pop: pop, row: row, family: row.Family, width: row.Family.Width(0), criterion: row.New(1), unlabeled: true}
}

// of returns the labels of other rows, which are judged alike.
func (l *labels) of(pop *grow.Population) *labels {
	other := *l
	other.pop, other.sample = pop, criterion.Sample{}
	if l.values != nil {
		other.values = new(values)
	}
	return &other
}

// unlabeledCriterion finds all splits alike.
var unlabeledCriterion = criterion.Definition{Name: "unlabeled", Family: criterion.Values, New: func(int) criterion.Criterion { return indifferent{} }}

type indifferent struct{}

func (indifferent) Impurity(dst, _, _ []float64) { clear(dst) }
