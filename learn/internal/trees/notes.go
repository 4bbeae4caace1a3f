package trees

// Notes that several learners add to their candidates.
const (
	// SampledColumns is the note where nodes try sampled columns only.
	SampledColumns = "Training samples the columns that a node tries; here all columns are tried."
	// RandomSplitPoints is the note where a column has one random split point.
	RandomSplitPoints = "Training tries one random split point of each column; here all are tried."
)
