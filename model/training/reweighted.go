package training

// Reweighted is the state of the rows of a table in boosting that weighs them anew in each round.
type Reweighted struct {
	Rounds int       // that are over
	Weight []float64 // of each row of the table; their sum is 1
	// Error is the error on these weights of the member that the next round adds, and Vote the
	// weight of its vote; NaN where there is no next round, or no such number.
	Error, Vote float64
}
