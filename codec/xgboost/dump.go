package xgboost

import (
	"bytes"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/spelling"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// dumpName is the name of the format of dumps.
const dumpName = "xgboost-dump"

// DumpOptions are what a dump does not state and predictions need: parameters of XGBoost that the
// booster was trained with.
type DumpOptions struct {
	Objective string  // such as "binary:logistic"; without one every dump is refused
	BaseScore float64 // base_score, where the scores start: a probability for binary:logistic
	// Scores is the number of scores of a row: num_class, or how many targets there are. 0 is 1.
	Scores int
}

// ErrNoObjective reports a dump that is read without DumpOptions.Objective.
var ErrNoObjective = errors.New("a dump of trees states neither the objective nor the base score: " +
	"save the booster by save_model, or convert the dump by both")

// Dump returns the row of the JSON that dump_model writes, for the table of formats. A dump has the
// trees alone: weights of dart, attributes and texts of categories are lost in it. Dumps by a
// map of features that has indicators have no split points for these, and are refused. Columns are
// those that some split names, up to the largest number if all are called f0, f1, ...
func Dump(o DumpOptions) codec.Format {
	f := formatOf(dumpName, sniffDump, func(in *input) *file { return readDump(in, o) })
	if o.Objective == "" {
		f.Decode = func(io.ReaderAt, int64, codec.Limits) (model.Model, error) {
			return nil, ErrNoObjective
		}
		f.Reference = func(io.ReaderAt, int64, codec.Limits) (codec.Reference, error) {
			return nil, ErrNoObjective
		}
	}
	return f
}

// sniffDump looks for the number of a node at the start of a list.
func sniffDump(head []byte) bool {
	for _, start := range []string{"[", "{", `"nodeid"`} {
		head = bytes.TrimLeft(head, " \t\r\n")
		var ok bool
		if head, ok = bytes.CutPrefix(head, []byte(start)); !ok {
			return false
		}
	}
	return true
}

// dump reads the trees of a dump:
//
//	[{"nodeid": 0, "split": "x", "split_condition": 0.5, "yes": 1, "no": 2, "missing": 1,
//	  "children": [{"nodeid": 1, "leaf": -0.2}, {"nodeid": 2, "leaf": 0.3}]}]
type dump struct {
	*decoding
	file  *file
	place map[string]int32 // of columns by name, in the order in which splits name them
	tree  *fileTree
	found []bool // by number: whether some node has it
}

// readDump reads a dump. Its parts are those of a file in JSON.
func readDump(in *input, o DumpOptions) *file {
	s := newJSONSource(in)
	f := &file{unversioned: true, objective: o.Objective, base: []float32{float32(o.BaseScore)},
		targets: 1, booster: "gbtree", forest: forest{parallel: 1}}
	if scores := int64(max(o.Scores, 1)); objectives[o.Objective].task == data.Multiclass {
		f.classes = scores
	} else {
		f.targets = scores
	}
	d := &dump{decoding: &decoding{in, s}, file: f, place: map[string]int32{}}
	d.array(func(int) { d.readTree() })
	s.end()
	in.section = "file"
	n := len(f.forest.trees)
	switch scores := f.scores(); {
	case f.objective == "reg:quantileerror" && scores > 1:
		in.unsupported("reg:quantileerror of %d levels, which dumps do not state", scores)
	case n == 0 || n%scores != 0:
		in.corrupt("%d trees for %d scores of a row", n, scores)
	}
	d.nameColumns()
	return f
}

// readTree reads a tree, whose root has the number 0.
func (d *dump) readTree() {
	d.Need(1024) // of an empty one
	d.tree, d.found = &fileTree{}, d.found[:0]
	if root := d.node(); root != 0 {
		d.corrupt("the root has the number %d", root)
	}
	o := &d.file.forest
	o.group = push(d.input, o.group, int32(len(o.trees)%d.file.scores()))
	o.trees = push(d.input, o.trees, d.tree)
}

// dumpNode is a node as a dump has it.
type dumpNode struct {
	id, yes, no, missing int64 // -1 where there is none
	column               string
	value                float32 // of a leaf, or what values are compared with
	leaf, number, set    bool    // which of them it has, or categories
	categories           []int32
	gain, cover          float32
	children             []int64
}

// node reads a node and those below it, and returns its number.
func (d *dump) node() int64 {
	n := dumpNode{id: -1, yes: -1, no: -1, missing: -1}
	integer := func(to *int64) func() {
		return func() { *to = d.integer() }
	}
	number := func(to *float32, is *bool) func() {
		return func() { *to, *is = d.float(), true }
	}
	some := false
	d.members(func(name string) func() {
		switch name {
		case "nodeid":
			return integer(&n.id)
		case "yes":
			return integer(&n.yes)
		case "no":
			return integer(&n.no)
		case "missing":
			return integer(&n.missing)
		case "leaf":
			return number(&n.value, &n.leaf)
		case "gain":
			return number(&n.gain, &some)
		case "cover":
			return number(&n.cover, &some)
		case "split":
			return func() { d.split(&n) }
		case "split_condition":
			return func() { d.condition(&n) }
		case "children":
			return func() { d.children(&n) }
		}
		return nil
	})
	d.add(&n)
	return n.id
}

// split reads the column of a split: its name, or its number in dumps of XGBoost before 1.1.
func (d *dump) split(n *dumpNode) {
	if d.nextKind() == textKind {
		n.column = d.text()
		return
	}
	n.column = spelling.FeaturePrefix + strconv.FormatInt(d.integer(), 10)
}

// condition reads a threshold, or the categories that go to the child of "yes".
func (d *dump) condition(n *dumpNode) {
	if n.set = d.nextKind() == '['; n.set {
		integers(d.decoding, &n.categories, 0, mostCategories-1)()
		return
	}
	n.number, n.value = true, d.float()
}

func (d *dump) children(n *dumpNode) {
	d.array(func(i int) {
		n.children = append(n.children, d.node())
		if i >= 2 {
			d.corrupt("more than two children")
		}
	})
}

// add puts a node into the arrays of its tree, behind those below it.
func (d *dump) add(n *dumpNode) {
	t := d.tree
	if n.id < 0 || n.id >= math.MaxInt32 {
		d.corrupt("a node without a number, or with the number %d", n.id)
	}
	for int64(len(d.found)) <= n.id {
		d.grow()
	}
	if d.found[n.id] {
		d.corrupt("two nodes have the number %d", n.id)
	}
	d.found[n.id] = true
	t.hessian[n.id], t.gain[n.id] = n.cover, n.gain
	if n.leaf {
		t.cond[n.id] = n.value
		return
	}
	switch {
	case len(n.children) != 2 || n.column == "":
		d.corrupt("node %d is no leaf, and no split of a column with two children", n.id)
	case !n.number && !n.set:
		d.unsupported("node %d splits the indicator %.60q without a split point: dump without "+
			"a map of features, or give all columns the type q in it", n.id, n.column)
	case !slices.Contains(n.children, n.yes) || !slices.Contains(n.children, n.no) || n.yes == n.no,
		!slices.Contains(n.children, n.missing):
		d.corrupt("yes, no and missing of node %d are %d, %d and %d, its children %d", n.id,
			n.yes, n.no, n.missing, n.children)
	}
	left, right := n.yes, n.no
	if n.set { // the categories that are listed go right
		left, right = right, left
		t.kind[n.id] = 1
		t.catNode = append(t.catNode, int32(n.id))
		t.catStart = append(t.catStart, int32(len(t.cat)))
		t.catSize = append(t.catSize, int32(len(n.categories)))
		d.Need(32 + 4*int64(len(n.categories)))
		t.cat = append(t.cat, n.categories...)
	}
	t.cond[n.id], t.left[n.id], t.right[n.id] = n.value, int32(left), int32(right)
	if n.missing == left {
		t.defaultLeft[n.id] = 1
	}
	place, named := d.place[n.column]
	if !named {
		d.Need(fieldSize + int64(len(n.column)))
		place = int32(len(d.place))
		d.place[n.column] = place
		d.file.columns.names = append(d.file.columns.names, n.column)
	}
	t.feature[n.id] = place
}

// grow adds a node to the arrays, a leaf until it is read.
func (d *dump) grow() {
	t := d.tree
	for _, list := range []*[]int32{&t.left, &t.right, &t.feature} {
		*list = push(d.input, *list, -1)
	}
	for _, list := range []*[]float32{&t.cond, &t.hessian, &t.gain} {
		*list = push(d.input, *list, 0)
	}
	for _, list := range []*[]uint8{&t.defaultLeft, &t.kind} {
		*list = push(d.input, *list, 0)
	}
	d.found = push(d.input, d.found, false)
}

// nameColumns numbers the columns. Where all are called f0, f1, ... they are the numbers of a table
// without names.
func (d *dump) nameColumns() {
	f := d.file
	top, to := int64(-1), make([]int32, len(f.columns.names))
	for i, name := range f.columns.names {
		n, ok := spelling.FeatureNumber(name)
		if !ok || n >= tree.MaxFeatures {
			f.features = int64(len(f.columns.names))
			return
		}
		top, to[i] = max(top, n), int32(n)
	}
	f.features, f.columns.names = top+1, nil
	for _, t := range f.forest.trees {
		for n, at := range t.feature {
			if at >= 0 {
				t.feature[n] = to[at]
			}
		}
	}
}
