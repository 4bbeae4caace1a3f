package learn

import "github.com/coppice-ml/coppice/model"

// The kinds of importance that summaries store.
const (
	Impurity    = "impurity"    // decrease of impurity by the column's splits
	Permutation = "permutation" // increase of the error when the column's values are permuted
)

// Importances is how much each column matters to an ensemble, and Importance one column.
type (
	Importances = model.Importances
	Importance  = model.Importance
)
