package catboost

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// file is what both formats hold, in CatBoost's own structure.
type file struct {
	floats  []floatFeature
	cats    []catFeature
	oneHots []oneHot
	ctrs    []ctr
	tables  []ctrTable

	dims  int // scores
	scale float64
	bias  []float64 // by score
	trees []fileTree
	// made by check
	bins           []bin           // what the splits of trees number
	floatAt, catAt map[int32]int32 // number of a column -> its place in floats or cats

	dictionaries []dictionary // by place in cats

	texts map[uint32]string // of categories, by their hash, as far as the file has them
	info  info
}

// floatFeature is a numeric column.
type floatFeature struct {
	index   int32 // among the numeric columns
	flat    int32 // among all columns
	name    string
	borders []float32 // ascending
	high    bool      // a missing value is above all borders, else below
}

// catFeature is a categorical column.
type catFeature struct {
	index, flat int32
	name        string
}

// oneHot is the categories of a column that splits test for equality.
type oneHot struct {
	cat    int32 // catFeature.index
	values []int32
}

// bin is one split: whether a numeric column or a statistic is above a border, or a category equal
// to a value.
type bin struct {
	kind   binKind
	source int32 // place in floats, oneHots or ctrs
	at     int32 // place in its borders or values
}

type binKind uint8

const (
	floatBin binKind = iota
	oneHotBin
	ctrBin
)

// fileTree is a tree. An oblivious one has a split for each level, and bit l of a leaf's number is
// that of split l. Of any other each node has a split, and steps to its children: 0 is none, and
// then the row ends at the leaf that belongs to the node.
//
//	node       0        1       2        3
//	splits     5        9       0        0
//	steps    (1, 2)   (0, 2)  (0, 0)   (0, 0)     node 1: left to leaf 0, right to node 3
//	leaf       -        0       1        2
type fileTree struct {
	splits  []int32
	steps   [][2]int32 // nil: oblivious
	leaf    []int32    // by node, -1 of those without
	values  []float64  // by leaf, dims each
	weights []float64  // by leaf: of the training rows; nil: unknown
}

// info is what the file's texts report of its training.
type info struct {
	version string
	loss    string
	// names of the classes: those of the labels, or else as many as count, or else those of labels
	// as numbers, or else those of the parameters
	names, labels, params []string
	count                 int
	threshold             float64 // of the positive class's probability; 0: 1/2
}

// classNames returns the names of n classes; "0", "1", ... where the file has none.
func (i *info) classNames(n int) []string {
	names := i.names
	if len(names) == 0 && i.count == 0 {
		if names = i.labels; len(names) == 0 {
			names = i.params
		}
	}
	if len(names) == n {
		return names
	}
	names = make([]string, n)
	for c := range names {
		names[c] = strconv.Itoa(c)
	}
	return names
}

// check checks that the parts fit together, and makes the list of bins. Then reference and model
// may use all numbers of the file as places.
func (f *file) check(in *source) {
	in.section = "features"
	if f.dims < 1 || f.dims > maxDims {
		in.corrupt("%d scores", f.dims)
	}
	if f.bias == nil {
		f.bias = make([]float64, f.dims)
	}
	if len(f.bias) != f.dims || !finite(f.bias) || !finite([]float64{f.scale}) {
		in.corrupt("scale and bias do not fit %d scores", f.dims)
	}
	f.checkColumns(in)
	f.checkStatistics(in)
	f.makeDictionaries(in)
	f.makeBins(in)
	in.section = "trees"
	for i := range f.trees {
		if what := f.trees[i].check(f); what != "" {
			in.corrupt("tree %d: %s", i, what)
		}
	}
}

// maxDims bounds the scores: each takes memory for every prediction.
const maxDims = 1 << 16

// maxColumn bounds the numbers of columns.
const maxColumn = 1 << 24

// checkColumns checks numeric and categorical columns, and makes the maps of their places.
func (f *file) checkColumns(in *source) {
	in.Need(128 * int64(len(f.floats)+len(f.cats)))
	flat := make(map[int32]int32, len(f.floats)+len(f.cats))
	f.floatAt, f.catAt = make(map[int32]int32, len(f.floats)), make(map[int32]int32, len(f.cats))
	own := func(places map[int32]int32, number int32, at int) bool {
		_, twice := places[number]
		places[number] = int32(at)
		return number >= 0 && number < maxColumn && !twice
	}
	for i := range f.floats {
		c := &f.floats[i]
		if !own(f.floatAt, c.index, i) || !own(flat, c.flat, i) {
			in.corrupt("numeric column %d has no number of its own", i)
		}
		if !ascending(c.borders) {
			in.corrupt("the borders of numeric column %d do not ascend", c.index)
		}
	}
	for i, c := range f.cats {
		if !own(f.catAt, c.index, i) || !own(flat, c.flat, i) {
			in.corrupt("categorical column %d has no number of its own", i)
		}
	}
	for _, o := range f.oneHots {
		if _, ok := f.catAt[o.cat]; !ok {
			in.corrupt("values of categorical column %d, which there is not", o.cat)
		}
	}
}

// makeBins lists the bins in CatBoost's order.
func (f *file) makeBins(in *source) {
	n := 0
	for _, c := range f.floats {
		n += len(c.borders)
	}
	for _, o := range f.oneHots {
		n += len(o.values)
	}
	for _, c := range f.ctrs {
		n += len(c.borders)
	}
	in.Need(12 * int64(n))
	f.bins = make([]bin, 0, n)
	add := func(kind binKind, source, n int) {
		for at := range n {
			f.bins = append(f.bins, bin{kind, int32(source), int32(at)})
		}
	}
	for i, c := range f.floats {
		add(floatBin, i, len(c.borders))
	}
	for i, o := range f.oneHots {
		add(oneHotBin, i, len(o.values))
	}
	for i, c := range f.ctrs {
		add(ctrBin, i, len(c.borders))
	}
}

// maxDepth is the greatest depth of an oblivious tree; CatBoost's own limit is 16.
const maxDepth = 24

// check returns what is wrong with a tree.
func (t *fileTree) check(f *file) (wrong string) {
	nodes := len(t.splits)
	leaves := len(t.values) / f.dims
	switch {
	case len(t.values)%f.dims != 0 || !finite(t.values):
		return "the leaf values do not fit the scores"
	case t.weights != nil && len(t.weights) != leaves:
		return "the leaf weights do not fit the leaves"
	case t.steps == nil && (nodes > maxDepth || leaves != 1<<nodes):
		return "the leaves do not fit the splits"
	case t.steps != nil && (len(t.steps) != nodes || len(t.leaf) != nodes || nodes == 0):
		return "the nodes do not fit the splits"
	}
	for _, w := range t.weights {
		if !(w >= 0 && w <= math.MaxFloat64) {
			return "a leaf weight is negative or not finite"
		}
	}
	for n, split := range t.splits {
		leafOnly := t.steps != nil && t.steps[n] == [2]int32{}
		if !leafOnly && (split < 0 || int(split) >= len(f.bins)) {
			return "a split that the columns do not have"
		}
	}
	for n, step := range t.steps {
		for _, to := range step {
			if to < 0 || int(to) >= nodes-n {
				return "a child that the tree does not have"
			}
		}
		if step[0] != 0 && step[1] != 0 {
			continue
		}
		if t.leaf[n] < 0 || int(t.leaf[n]) >= leaves {
			return "a leaf that the tree does not have"
		}
	}
	return ""
}

// textCost is the memory that the text of a category takes beside its bytes.
const textCost = 64

// addText keeps the text of a category, of equal hashes the first.
func (f *file) addText(in *source, hash uint32, text string) {
	if _, twice := f.texts[hash]; twice {
		return
	}
	in.Need(textCost)
	if f.texts == nil {
		f.texts = map[uint32]string{}
	}
	f.texts[hash] = text
}

func finite(s []float64) bool {
	wrong := func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) }
	return !slices.ContainsFunc(s, wrong)
}

// ascending reports whether numbers ascend and none is NaN.
func ascending(s []float32) bool {
	for i, x := range s {
		if x != x || i > 0 && x <= s[i-1] {
			return false
		}
	}
	return true
}

// versionOf returns the version of CatBoost out of the text in which it describes itself, which
// names a commit; a release has none.
func versionOf(text string) string {
	for line := range strings.Lines(text) {
		if commit, ok := strings.CutPrefix(strings.TrimSpace(line), "Commit: "); ok {
			return "commit " + commit
		}
	}
	return ""
}
