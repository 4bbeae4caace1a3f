package forest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/learn/internal/ensembles"
	"github.com/coppice-ml/coppice/model/training"
	"github.com/coppice-ml/coppice/param"
)

// The values of the parameter importance.
const (
	impurity    = training.Impurity
	corrected   = "corrected"
	permutation = training.Permutation
)

// importanceKind is one kind of importance.
type importanceKind struct{ name, help string }

func importanceKinds() []importanceKind {
	return []importanceKind{
		{impurity, "decrease of impurity by the column's splits, which favours columns of many " +
			"values"},
		{corrected, "the same, less the decrease by a permuted copy of the column, so that a " +
			"column without information has 0 on average " +
			"(Nembrini et al. 2018); grows as many trees again"},
		{permutation, "increase of a tree's error on its out-of-bag rows when the column's values " +
			"are permuted among them (Breiman 2001)"},
	}
}

// importanceNames are the kinds that the parameter takes.
func importanceNames() []string {
	names := []string{none}
	for _, k := range importanceKinds() {
		names = append(names, k.name)
	}
	return names
}

func importanceForm() string {
	names := importanceNames()
	return names[0] + ", or " + strings.Join(names[1:], "|") + " separated by commas"
}

func importanceHelp() string {
	var lines []string
	for _, k := range importanceKinds() {
		lines = append(lines, k.name+": "+k.help)
	}
	return "how much each column matters, in the summary; " + strings.Join(lines, "; ")
}

func checkImportance(text string) error {
	names := importanceNames()
	for name := range strings.SplitSeq(text, ",") {
		if name = strings.TrimSpace(name); !slices.Contains(names, name) {
			return fmt.Errorf("%q is no importance%s", name, param.Meant(": ", name, names))
		}
		if name == none && strings.TrimSpace(text) != none {
			return fmt.Errorf("%s goes with no other: leave it or the others out", none)
		}
	}
	return nil
}

// requests reports whether the parameters request an importance.
func (l *Learner) requests(kind string) bool {
	for name := range strings.SplitSeq(l.Importance, ",") {
		if strings.TrimSpace(name) == kind {
			return true
		}
	}
	return false
}

// byImpurity sums up the gains of the trees.
func (b *accumulators) byImpurity() training.Importances {
	gains := make([][]float64, len(b.reports))
	for i := range b.reports {
		gains[i] = b.reports[i].Gain
	}
	return training.ByImpurity(b.schema, gains)
}

// byMean combines the values of a kind in all reports, column by column and then group by group.
func (b *accumulators) byMean(kind string, of func(*report) []float64) training.Importances {
	var trees [][]float64
	for i := range b.reports {
		trees = append(trees, of(&b.reports[i]))
	}
	return ensembles.Importances(kind, b.schema, b.groups, trees)
}
