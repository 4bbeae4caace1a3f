package svm

// Summary is what the tests read of models.
type Summary = summary
