package xgboost

// file is a model as the files have it, whatever their encoding.
type file struct {
	// of XGBoost; 0.0 in the binary files before 1.0, which have no third number: there it is -1
	version [3]int32
	// a dump, which states no version: it is read as one of the newest XGBoost
	unversioned bool
	objective   string
	alpha       []float32 // levels of reg:quantileerror and reg:expectileerror

	// base_score: one for all scores or one for each, after the link; margin: before it
	base   []float32
	margin bool

	features, classes, targets int64 // their numbers; of classes 0 where there are none
	columns                    columns
	attributes                 map[string]string
	settings                   map[string]string // what predictions do not depend on; see settings.go
	booster                    string            // gbtree, dart or gblinear
	forest                     forest
	weights                    []float32 // of gblinear: feature after feature, and the biases
}

// columns is what a file has of its columns, each list perhaps empty.
type columns struct {
	names, types []string
	categories   [][]string // by column; nil for columns without texts of categories
	storedAs     []string   // by column: textCategories, or a type of categoryTypes; see there
}

// forest is the trees.
type forest struct {
	trees    []*fileTree
	group    []int32 // by tree: the score that it feeds
	rounds   []int32 // first tree of each round, and the number of trees; nil before 2.1
	parallel int64   // trees of a round for one score
	counted  bool    // JSON and UBJSON may have ...
	count    int64   // ... num_trees, of which XGBoost requires that it is that of trees
	drop     []float32
}

// fileTree is a tree: arrays over its nodes. Of the children of a leaf the left one is -1.
type fileTree struct {
	width                      int64 // numbers of a leaf; 0 is 1
	nodes                      int64 // num_nodes; 0: not stated
	left, right                []int32
	feature                    []int32
	cond                       []float32 // threshold; at leaves their value
	defaultLeft, kind          []uint8   // kind 1 is a categorical split; nil: none is
	gain, hessian, base        []float32 // loss_changes, sum_hessian, base_weights
	leaf                       []float32 // leaf_weights: the vectors of all leaves since 3.1
	catNode, catStart, catSize []int32   // nodes of categorical splits, and their parts of ...
	cat                        []int32   // ... the categories that go right
	set                        []int32   // by node: its place in catNode, -1; made by check
}
