package lightgbm

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/internal/foreign"
)

// file is a model as LightGBM stores it, be it as text or as a JSON dump.
type file struct {
	format    string // Text or JSON
	version   string // "v2", "v3" or "v4"
	classes   int    // num_class
	scores    int    // num_tree_per_iteration: tree i feeds score i modulo this
	objective objective
	average   bool // average_output: scores are means over the iterations, as random forests have
	columns   []column
	trees     []fileTree
	// pandas_categorical: the levels of the categorical columns of the data frame, in their order;
	// nil: there was no data frame, or it is not known
	frame []frameColumn
}

// column is a feature of the training data.
type column struct {
	name string
	// codes reports that the file describes the column as categorical; top is the largest code that
	// it lists, -1 for none
	codes bool
	top   int32
	info  []byte  // the codes that a text lists, as it has them; nil: none
	few   []int32 // the codes that the numbers of categories stand for, ascending; nil: themselves
}

// fileTree is a tree in the arrays of LightGBM's text. Inner nodes have numbers from 0, the root's,
// and leaves have numbers of their own. A child is an inner node i, or ^i for leaf i:
//
//	       0              left   1  ^0
//	     /   \            right ^1  ^2
//	    1     leaf 1
//	  /   \
//	leaf 0 leaf 2
type fileTree struct {
	feature     []int32
	threshold   []float64 // of categories the place of their set in catAt
	decision    []uint8   // see categorical, defaultLeft and missing
	left, right []int32
	gain        []float64 // nil: not stored
	value       []float64 // of leaves
	count       []float64 // training rows of leaves; nil: not stored
	number      []int32   // of leaves, as the tool reports them; nil: their place
	// set s is cats[catAt[s]:catAt[s+1]], 32 codes a word
	catAt  []int32
	cats   []uint32
	linear *equations // of linear trees
}

// equations are those of the leaves of a linear tree: leaf i has the terms at[i] to at[i+1].
type equations struct {
	constant []float64
	at       []int32
	feature  []int32
	coef     []float64
}

// The rules for missing values, bits 2 and 3 of a decision.
const (
	missingNone uint8 = iota // NaN counts as 0
	missingZero              // NaN and numbers up to zeroLimit are missing
	missingNaN               // NaN is missing
)

// zeroLimit is the largest number that counts as 0 where zeros are missing values.
const zeroLimit = float64(float32(1e-35))

// zerosFit reports whether all numbers that count as 0 go to the side of the missing values by
// their value. Then a numeric split needs no rule for zeros.
func zerosFit(threshold float64, left bool) bool {
	if left {
		return zeroLimit <= threshold
	}
	return threshold < -zeroLimit
}

func categorical(decision uint8) bool { return decision&1 != 0 }
func defaultLeft(decision uint8) bool { return decision&2 != 0 }
func missing(decision uint8) uint8    { return decision >> 2 & 3 }

// set returns the words of the set of a categorical node.
func (t *fileTree) set(node int32) []uint32 {
	s := int(t.threshold[node])
	return t.cats[t.catAt[s]:t.catAt[s+1]]
}

// leafNumber returns the number that LightGBM reports for a leaf.
func (t *fileTree) leafNumber(leaf int32) int32 {
	if t.number == nil {
		return leaf
	}
	return t.number[leaf]
}

// check checks that nodes are linked as a tree, that features and sets are in range, and that
// numbers are finite, in a model of so many columns. The arrays have the lengths that the number of
// leaves requires.
func (t *fileTree) check(columns int) error {
	inner, leaves := len(t.feature), len(t.value)
	used := make([]bool, inner+leaves)
	for i := range int32(inner) {
		if f := t.feature[i]; f < 0 || int(f) >= columns {
			return fmt.Errorf("node %d: feature %d, the columns are 0 to %d", i, f, columns-1)
		}
		if err := t.checkDecision(i); err != nil {
			return fmt.Errorf("node %d: %w", i, err)
		}
		for _, c := range [2]int32{t.left[i], t.right[i]} {
			place := int(c)
			if c < 0 {
				place = inner + int(^c)
			}
			if c == 0 {
				return fmt.Errorf("node %d: child 0 is the root", i)
			}
			if place >= inner+leaves || c > 0 && place >= inner {
				return fmt.Errorf("node %d: child %d in a tree of %d leaves", i, c, leaves)
			}
			if used[place] {
				return fmt.Errorf("node %d: child %d is below two nodes", i, c)
			}
			used[place] = true
		}
	}
	if !finite(t.value) {
		return errors.New("a leaf's value is not finite")
	}
	for _, c := range t.count {
		if !(c >= 0 && c <= math.MaxFloat64) {
			return fmt.Errorf("a leaf of %v training rows", c)
		}
	}
	return t.linear.check(columns)
}

// checkDecision checks what an inner node compares.
func (t *fileTree) checkDecision(node int32) error {
	d, x := t.decision[node], t.threshold[node]
	switch {
	case d > 15 || missing(d) > missingNaN:
		return fmt.Errorf("decision type %d", d)
	case !categorical(d) && math.IsNaN(x):
		return fmt.Errorf("threshold %v", x)
	case categorical(d) && !(x >= 0 && x < float64(len(t.catAt)-1)):
		return fmt.Errorf("set %v of %d", x, max(0, len(t.catAt)-1))
	}
	return nil
}

// check checks equations; nil has none.
func (e *equations) check(columns int) error {
	if e == nil {
		return nil
	}
	if !finite(e.constant) || !finite(e.coef) {
		return errors.New("a number of an equation is not finite")
	}
	for _, f := range e.feature {
		if f < 0 || int(f) >= columns {
			return fmt.Errorf("an equation of feature %d of %d", f, columns)
		}
	}
	return nil
}

func finite(s []float64) bool {
	for _, x := range s {
		if !(math.Abs(x) <= math.MaxFloat64) {
			return false
		}
	}
	return true
}

// checkVersion returns an error for a version that this package cannot read.
func (f *file) checkVersion() error {
	switch f.version {
	case "v2", "v3", "v4":
		return nil
	case "":
		return f.unsupported("the file has no version: it is older than LightGBM 2.0.5, or " +
			"truncated")
	}
	return f.unsupported("the file has version %.20q; v2, v3 and v4 can be read", f.version)
}

// check checks what the file states about the model as a whole, once all is read.
func (f *file) check() error {
	k := f.objective.kind()
	switch {
	case f.scores < 1 || f.scores > max(1, len(f.trees)):
		return fmt.Errorf("%d trees an iteration, of %d trees", f.scores, len(f.trees))
	case f.average && len(f.trees) == 0:
		return errors.New("average_output of no trees")
	case len(f.trees)%f.scores != 0:
		return fmt.Errorf("%d trees, not a multiple of %d", len(f.trees), f.scores)
	case k.perClass && f.objective.classes != f.scores:
		return fmt.Errorf("%d classes, and %d trees an iteration", f.objective.classes, f.scores)
	case f.scores > 1 && !k.perClass && f.objective.name != "" && f.objective.name != "custom":
		return fmt.Errorf("objective %s with %d trees an iteration", f.objective.name, f.scores)
	}
	return nil
}

// setCategorical marks the columns of the parameter categorical_feature, a list of numbers, or of
// names behind "name:". What names no column is left out.
func (f *file) setCategorical(list string) {
	names, named := strings.CutPrefix(list, "name:")
	for word := range strings.SplitSeq(names, ",") {
		i, err := strconv.Atoi(word)
		if named {
			i, err = slices.IndexFunc(f.columns, func(c column) bool { return c.name == word }), nil
		}
		if err == nil && i >= 0 && i < len(f.columns) {
			f.columns[i].codes = true
		}
	}
}

// iterations returns the number of trees that feed each score.
func (f *file) iterations() int { return len(f.trees) / f.scores }

// corrupt is the error of a damaged file; section is a line of text or a path of JSON. Errors of
// package codec stay as they are.
func (f *file) corrupt(section string, offset int, err error) error {
	if err == nil || foreign.Typed(err) {
		return err
	}
	return &codec.CorruptError{Format: f.format, Offset: int64(offset), Section: section, Err: err}
}

func (f *file) unsupported(what string, args ...any) error {
	return &codec.UnsupportedError{Format: f.format, What: fmt.Sprintf(what, args...)}
}
