package forest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/oob"
	"github.com/coppice-ml/coppice/param"
	"github.com/coppice-ml/coppice/tree"
)

// The values of the parameter importance.
const (
	impurity    = "impurity"
	corrected   = "corrected"
	permutation = "permutation"
)

// importanceKind is one kind of importance.
type importanceKind struct{ name, help string }

func importanceKinds() []importanceKind {
	return []importanceKind{
		{impurity, "decrease of impurity by the column's splits, which favours columns of many values"},
		{corrected, "the same, less what a copy of the column gains whose rows are shuffled, so that a column which tells nothing has 0 on average " +
			"(Nembrini et al. 2018); grows as many trees again"},
		{permutation, "increase of a tree's error on the rows out of its bag when the column's values are dealt out anew among them (Breiman 2001)"},
	}
}

func importanceForm() string {
	names := []string{none}
	for _, k := range importanceKinds() {
		names = append(names, k.name)
	}
	return strings.Join(names, "|") + ", separated by commas"
}

func importanceHelp() string {
	var lines []string
	for _, k := range importanceKinds() {
		lines = append(lines, k.name+": "+k.help)
	}
	return "what the summary tells of how much each column matters; " + strings.Join(lines, "; ")
}

func checkImportance(text string) error {
	names := []string{none}
	for _, k := range importanceKinds() {
		names = append(names, k.name)
	}
	for name := range strings.SplitSeq(text, ",") {
		if name = strings.TrimSpace(name); !slices.Contains(names, name) {
			if near := param.Nearest(name, names); near != "" {
				return fmt.Errorf("%q is no importance: did you mean %q?", name, near)
			}
			return fmt.Errorf("%q is no importance", name)
		}
	}
	return nil
}

// wants reports whether an importance is asked for.
func (l *Learner) wants(kind string) bool {
	for name := range strings.SplitSeq(l.Importance, ",") {
		if strings.TrimSpace(name) == kind {
			return true
		}
	}
	return false
}

// Importances is how much each column matters, by one measure.
type Importances struct {
	Kind    string       `json:"kind"` // a value of the parameter importance
	Columns []Importance `json:"columns"`
}

// Importance is how much one column matters.
type Importance struct {
	Column string   `json:"column,omitempty"`
	Group  []string `json:"group,omitempty"` // columns, in place of one
	// Value is a mean over the trees. impurity: the total decrease by splits on the column; corrected: that decrease less the
	// decrease by splits on the column's shadow, in trees that see both; permutation: the increase of the share of wrong
	// classes, or of the mean squared error.
	Value    float64 `json:"importance"`
	StdError float64 `json:"se,omitempty"`    // corrected, permutation: standard error of Value, as of independent trees
	Share    float64 `json:"share,omitempty"` // impurity: the column's share of a tree's decrease, a mean over trees that split (scikit-learn's feature_importances_)
}

// gains returns the total impurity decrease by splits on each column. A split on several counts for all in equal parts.
func gains(t *tree.Tree, columns int) []float64 {
	gain := make([]float64, columns)
	for n := range int32(t.Len()) {
		looks := t.Looks(n)
		for _, f := range looks {
			gain[f] += t.Stats.Gain[n] / float64(len(looks))
		}
	}
	return gain
}

// byImpurity sums up the gains of the trees.
func (b *books) byImpurity() Importances {
	fields := b.schema.Fields
	sum, share := make([]float64, len(fields)), make([]float64, len(fields))
	split := 0.0
	for _, r := range b.reports {
		total := 0.0
		for _, g := range r.Gain {
			total += g
		}
		if total <= 0 {
			continue
		}
		split++
		for c, g := range r.Gain {
			sum[c] += g
			share[c] += g / total
		}
	}
	found := Importances{Kind: impurity}
	for c, f := range fields {
		found.Columns = append(found.Columns, Importance{Column: f.Name, Value: sum[c] / float64(len(b.reports)), Share: share[c] / max(split, 1)})
	}
	return found
}

// byMean folds what the reports tell of a kind, column by column and then group by group.
func (b *books) byMean(kind string, of func(*Report) []float64) Importances {
	var trees [][]float64
	for i := range b.reports {
		trees = append(trees, of(&b.reports[i]))
	}
	found := Importances{Kind: kind}
	fields := b.schema.Fields
	for unit, i := range oob.Fold(trees) {
		told := Importance{Value: i.Mean, StdError: i.Error}
		if unit < len(fields) {
			told.Column = fields[unit].Name
		} else {
			for _, c := range b.groups[unit-len(fields)] {
				told.Group = append(told.Group, fields[c].Name)
			}
		}
		found.Columns = append(found.Columns, told)
	}
	return found
}

// columnGroups reads a value of the parameter importance_groups.
func columnGroups(text string, s *data.Schema) ([][]int32, error) {
	if text == "" {
		return nil, nil
	}
	var groups [][]int32
	for part := range strings.SplitSeq(text, ",") {
		var group []int32
		for name := range strings.SplitSeq(part, "+") {
			name = strings.TrimSpace(name)
			c := s.Index(name)
			switch {
			case c < 0 && param.Nearest(name, s.Names()) != "":
				return nil, fmt.Errorf("importance_groups: there is no column %q: did you mean %q?", name, param.Nearest(name, s.Names()))
			case c < 0:
				return nil, fmt.Errorf("importance_groups: there is no column %q", name)
			case slices.Contains(group, int32(c)):
				return nil, fmt.Errorf("importance_groups: column %q is twice in a group", name)
			}
			group = append(group, int32(c))
		}
		groups = append(groups, group)
	}
	return groups, nil
}
