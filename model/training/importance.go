package training

// The kinds of importance that many learners store.
const (
	Impurity    = "impurity"    // decrease of impurity by the column's splits
	Gain        = "gain"        // decrease of the loss of boosting by the column's splits
	Permutation = "permutation" // increase of the error when the column's values are permuted
)

// Importances is how much each column matters to an ensemble, by one kind of importance.
type Importances struct {
	Kind    string       `json:"kind"` // Impurity, Permutation, or one of the learner's own
	Columns []Importance `json:"columns"`
}

// Importance is how much one column matters.
type Importance struct {
	Column string   `json:"column,omitempty"`
	Group  []string `json:"group,omitempty"` // columns, in place of one
	// Value is a mean over the members. impurity: the total decrease by splits on the column;
	// corrected: that decrease less the decrease by splits on a permuted copy of the column, in
	// trees that sample both; permutation: the increase of the error rate or of the mean squared
	// error.
	Value float64 `json:"importance"`
	// corrected, permutation: standard error of Value, as of independent members
	StdError float64 `json:"se,omitempty"`
	// impurity: the column's fraction of a member's decrease, a mean over members that split
	// (scikit-learn's feature_importances_)
	Fraction float64 `json:"fraction,omitempty"`
}
