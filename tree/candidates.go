package tree

// Candidate is one split that an engine tries at a node.
type Candidate struct {
	Kind       Kind    // Numeric or SetFirst
	SplitPoint float64 // of Numeric: +Inf separates known from missing values
	// SetFirst: the categories that go first; if the engine ordered the categories, in that order
	Codes   []uint32
	Missing Missing // where rows without a value go; meaningless if the node has none
	// it separates the rows with a value from those without: SplitPoint is +Inf, or Codes are all
	// that occur
	Known bool
	Gain  float64 // decrease of the total impurity, as in NodeStats
	Best  bool    // the one that the engine would take of its column
}

// Candidates are the splits that an engine tries at one node: see cart.Learner.Candidates.
type Candidates struct {
	Rows   int     // of the node, with multiplicity
	Weight float64 // of these rows
	// by column of the table, in the order of trial; nil where the column has no split
	Columns [][]Candidate
	Best    int // the column that the engine would split by; -1 if there is no split
}
