package tree

// Candidate is one split that an engine tries at a node.
type Candidate struct {
	Kind       Kind    // Numeric, SetFirst, or ByCode: a child for each category
	SplitPoint float64 // of Numeric: +Inf separates known from missing values
	// SetFirst: the categories that go first; if the engine ordered the categories, in that order
	Codes   []uint32
	Missing Missing // where rows without a value go; meaningless if the node has none
	// it separates the rows with a value from those without: SplitPoint is +Inf, or Codes are all
	// that occur
	Known bool
	// decrease of the total impurity, as in NodeStats; of derivatives the increase of the score
	Gain float64
	Best bool // the one that the engine would take of its column
	// it divides the rows as the tree does that the candidates are of; one candidate at most
	Chosen  bool
	Refused string // the parameter that forbids the split; "" = none does

	SplitInfo float64 // entropy of the weights of the branches, in bits; 0 if it was not computed
	Ratio     float64 // gain per unit of weight over SplitInfo; 0 where that is 0
	// of a learner with a limit on it: the p-value of the chi-squared test that class and branch of
	// the rows are independent (Quinlan 1986)
	PValue float64
	// the rows of each child; nil where they were not computed: see Candidates.Described. Where
	// splits are judged by the rows with a value, the others are in no branch.
	Branches []Branch
}

// Branch is what the rows of a node, or of a child that a candidate would make, sum up to.
type Branch struct {
	Rows   int     // with multiplicity; a row of which a fraction goes there counts
	Weight float64 // of these rows
	// by class: weight of the rows; nil for numbers and for derivatives
	Classes  []float64
	Impurity float64 // per unit of weight; of derivatives 0
	// what a leaf of these rows predicts, of derivatives before the learning rate: a number for
	// each output; nil for classes
	Value []float64

	// Of derivatives of a loss: their sums for each output, G of the first and H of the second, and
	// the score G^2 / (H + l2), with G nearer to 0 by l1, summed over the outputs. XGBoost calls
	// the score similarity. Nil and 0 elsewhere.
	Gradient, Hessian []float64
	Score             float64
}

// Candidates are the splits that an engine tries at one node: see learn.SplitLister.
type Candidates struct {
	Whole Branch // the rows of the node
	// by column of the table, in the order of trial; nil where the column has no split
	Columns [][]Candidate
	Best    int // the column that the engine would split by; -1 if there is no split

	Criterion string  // that gains are of, a name of internal/criterion; "" = derivatives
	ByRatio   bool    // the engine compares splits by Candidate.Ratio
	Chi2      float64 // the greatest p-value with which a split is made; 0 = no test
	Gamma     float64 // of derivatives: the least gain of a split that is kept
	// Described reports that all candidates have Branches. Where rows times candidates are very
	// many, those alone have them that are Best or Chosen.
	Described bool
	Notes     []string // what the numbers are of where training looked at others, as sentences
}

// Find returns the chosen candidate and its column; nil and -1 if there is none.
func (c *Candidates) Find() (int, *Candidate) {
	for i, list := range c.Columns {
		for k := range list {
			if list[k].Chosen {
				return i, &list[k]
			}
		}
	}
	return -1, nil
}
