package relations

// Groups of subjects that have exceptions for one reason.
const (
	// sampledRows are fitted to samples of rows, which are drawn by the places of the rows.
	sampledRows = "forest forest/quantiles bag bag/columns anyboost/searched isolation gbm/goss "
	// permutedRows compute statistics of categories, or scores, of the rows before each.
	permutedRows = "gbm/target gbm/ordered "
	// folded divide the rows into folds, or part of them off.
	folded = "cart calibrate calibrate/linear portfolio stack stack/blend vote/ranks gbm/chosen "
	// sampledColumns scan some columns at a time, which are drawn by their places.
	sampledColumns = "forest forest/quantiles extratrees isolation bag/columns gbm gbm/ordered "
	allSampled     = sampledColumns + "extratrees/allrows "
	// boosted is gbm but for its default, whose leaves are large, and for what samples rows or has
	// folds.
	boosted = "gbm/plain gbm/native gbm/target gbm/symmetric gbm/ordered gbm/dart gbm/vector " +
		"gbm/linear gbm/quantiles "
	// randomSplits draw split points.
	randomSplits = "extratrees extratrees/allrows isolation "
	// encoded turn rows into vectors, or have members that do.
	encoded = "linear linear/ridge logistic svm svm/linear cox cox/breslow knn network " +
		"network/momentum bag/linear anyboost/linear adaboost/linear logitboost/linear vote " +
		"vote/majority "
	foldedVectors = "calibrate/linear stack stack/blend portfolio vote/ranks "
	machines      = "svm svm/linear "
	networks      = "network network/momentum "
	quinlan       = "c45 c45/grown rules bag/columns "
	penalised     = "linear/ridge logistic svm svm/linear cox cox/breslow stack portfolio "
)

// Reasons that several relations have.
const (
	drawn         = "rows are sampled by their places"
	permuted      = "statistics of categories, or scores, are of the rows before each in a random order"
	foldsByPlace  = "rows are assigned to folds by their places"
	columnsDrawn  = "columns are sampled by their places, and every column is one to sample"
	tolerance     = "training ends within its tolerance"
	initial       = "initial weights and batches are by place"
	sidesTurned   = "the sides of a split are exchanged, and the random numbers below them"
	outOfSample   = "rows out of a sample, or a fold, lie beside the split points of those in it"
	perWeight     = "penalties and least sizes are in units of weight"
	copyIsAnother = "a copy counts as another column"
	dropped       = "rules drop conditions, so they take rows from elsewhere in the tree"
	someOfEqual   = "of categories with the same class probabilities min_leaf may allow some alone"
	faultless     = "the vote of a member without error counts the distinct rows"
	ownStatistics = "a row has the statistics of all rows when it is predicted, of those before it in " +
		"training, and so comes to nodes that were not fitted to it"
	gradientless = "rows without a gradient, as those censored before the first event, may lie on " +
		"either side"
	longer = "descriptions of rules count columns, and texts of dictionaries"
)
