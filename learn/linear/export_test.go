package linear

// What the tests read of models.
type (
	Summary         = linearSummary
	LogisticSummary = logisticSummary
	CoxSummary      = coxSummary
)
