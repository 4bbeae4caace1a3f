package ydf

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"unsafe"

	"github.com/coppice-ml/coppice/codec/internal/protobuf"
)

// kind is how a node decides.
type kind uint8

// The kinds: leaves, and conditions.
const (
	leaf      kind = iota
	higher         // x >= threshold
	isTrue         // the truth value is true
	inList         // the category is in a list
	inBitmap       // the category is in a bitmap
	higherBin      // the bin of the number is number or above
	missing        // the value is missing
	oblique        // the weighted sum of columns >= threshold
)

// node is a node of a file. The negative child of node i of a tree is node i+1.
type node struct {
	kind      kind
	na        bool    // where a missing value counts as a condition that holds
	attribute int32   // the column; while nodes are in use, the feature
	positive  int32   // the positive child, by its place in the tree
	threshold float32 // of leaves their number
	number    int32   // of higherBin the least bin, of leaves the class with most weight
	from, to  int32   // the part of nodes.list, bitmap, terms or counts that is the node's
	weight    float64 // of the training rows, 0 if unknown
	passed    float64 // that of those which go to the positive child; of leaves the sum of counts
	gain      float64 // the split's score times the weight
}

// nodes are the nodes of all trees, in the order of the files.
type nodes struct {
	trees  [][]node
	list   []int32   // categories of inList
	bitmap []byte    // of inBitmap: category i is bit i%8 of byte i/8
	terms  []term    // of oblique
	counts []float64 // of leaves of random forests: the weights of the classes, "<OOD>" first
}

// term is a column of an oblique condition.
type term struct {
	feature  int32
	weight   float32
	missing  float32 // replaces a missing value
	replaced bool    // else a missing value makes the condition na
}

// nodeReader reads nodes.
type nodeReader struct {
	nodes
	file    *file
	take    func(int64) error
	feature []int32 // by column, -1 if it is none
	message protobuf.Message
	tree    []node  // the current tree
	open    []int32 // its inner nodes whose positive children have not begun

	attributes            []int32 // of the current oblique condition
	weights, replacements []float32
}

// readNodes reads the nodes of all trees.
func (d *folder) readNodes(f *file, columns int) (nodes, error) {
	r := &nodeReader{file: f, take: d.budget.Take}
	if err := r.take(4*int64(columns) + 24*f.count); err != nil {
		return r.nodes, err
	}
	r.feature = make([]int32, columns)
	for i := range r.feature {
		r.feature[i] = -1
	}
	for i, at := range f.inputs {
		r.feature[at] = int32(i)
	}
	b, err := newBlobs(d, f.shards)
	if err != nil {
		return r.nodes, err
	}
	defer b.Close()
	r.trees = make([][]node, 0, f.count)
	r.message = *protobuf.NewMessage(nil, 0, r.take)
	for range f.count {
		if err := r.readTree(b); err != nil {
			return r.nodes, err
		}
	}
	switch _, at, err := b.next(); {
	case err == nil:
		return r.nodes, corrupt(b.name, at, errors.New("nodes behind the last tree"))
	case err != io.EOF:
		return r.nodes, err
	}
	return r.nodes, nil
}

// readTree reads the nodes of a tree. They are in depth-first order, the negative child first.
func (r *nodeReader) readTree(b *blobs) error {
	r.tree, r.open = r.tree[:0], r.open[:0]
	for done := false; !done; {
		blob, at, err := b.next()
		if err == io.EOF {
			return corrupt(b.name, at, fmt.Errorf("the files end within tree %d of %d",
				len(r.trees), r.file.count))
		}
		if err != nil {
			return err
		}
		r.message.Reset(blob, at)
		if done, err = r.add(); err != nil {
			return wrap(err, b.name)
		}
	}
	if err := r.take(int64(len(r.tree)) * nodeSize); err != nil {
		return err
	}
	r.trees = append(r.trees, append(make([]node, 0, len(r.tree)), r.tree...))
	return nil
}

const nodeSize = int64(unsafe.Sizeof(node{}))

// add adds the next node of the tree, and reports whether it is the last.
func (r *nodeReader) add() (bool, error) {
	if len(r.tree) == cap(r.tree) {
		size := max(64, 2*cap(r.tree))
		// the list of open nodes, of which there are as many as levels, grows with the tree
		if err := r.take(int64(size) * (nodeSize + 16)); err != nil {
			return false, err
		}
		r.tree = append(make([]node, 0, size), r.tree...)
	}
	place := len(r.tree)
	if place == math.MaxInt32 {
		return false, errors.New("a tree of more than 2^31 nodes")
	}
	n, err := r.read()
	if m := &r.message; m.Err() != nil {
		return false, m.Err()
	}
	if err != nil {
		return false, r.damaged(err)
	}
	switch last := len(r.open) - 1; {
	case place == 0:
	case r.tree[place-1].kind != leaf: // this is its negative child
		p := &r.tree[place-1]
		n.inherit(p, p.weight-p.passed)
	default:
		p := &r.tree[r.open[last]]
		p.positive, r.open = int32(place), r.open[:last]
		n.inherit(p, p.passed)
	}
	if r.tree = append(r.tree, n); n.kind != leaf {
		r.open = append(r.open, int32(place))
	}
	return n.kind == leaf && len(r.open) == 0, nil
}

// damaged gives the error of a node the byte at which it starts.
func (r *nodeReader) damaged(err error) error {
	return &protobuf.Error{Offset: r.message.Offset(), Err: err}
}

// inherit sets the weight of a leaf to what its parent sends to it.
func (n *node) inherit(parent *node, weight float64) {
	if n.kind == leaf {
		if n.weight = 0; parent.weight > 0 {
			n.weight = max(weight, 0) // rounding may leave less than nothing
		}
	}
}

// read reads a node.
func (r *nodeReader) read() (node, error) {
	var n, test node // as a leaf, and as an inner node
	value, counts := int32(0), len(r.counts)
	var err error
	for m := &r.message; m.Next(); {
		switch m.Field() {
		case 1, 2:
			value = m.Field()
			if s := m.Message(); value == 1 {
				r.readClasses(s, &n)
			} else {
				readNumber(s, &n)
			}
		case 3:
			err = errors.Join(err, r.readCondition(m.Message(), &test))
		case 5, 6:
			value = m.Field()
		}
	}
	if err != nil || test.kind != leaf {
		r.counts = r.counts[:counts]
		return test, err
	}
	n.from, n.to = int32(counts), int32(len(r.counts))
	return n, r.checkLeaf(&n, value)
}

// checkLeaf checks that a leaf has what trees of the task need.
func (r *nodeReader) checkLeaf(n *node, value int32) error {
	want := int32(2)
	if r.file.name == randomForest && r.file.classes != nil {
		want = 1
	}
	if len(r.counts) > math.MaxInt32 {
		return errors.New("more than 2^31 counts of classes")
	}
	if value != want {
		return fmt.Errorf("a leaf with output %d, want %d", value, want)
	}
	if want == 2 {
		if isNotFinite(n.threshold) {
			return fmt.Errorf("the value of a leaf is %v", n.threshold)
		}
		return nil
	}
	if n.number < 0 || int(n.number) > len(r.file.classes) {
		return fmt.Errorf("class %d of %d", n.number, len(r.file.classes))
	}
	if r.file.votes {
		if r.counts = r.counts[:n.from]; n.number == 0 {
			return errNoClass
		}
		return nil
	}
	counts := r.counts[n.from:n.to]
	if len(counts) != len(r.file.classes)+1 {
		return fmt.Errorf("a leaf with the counts of %d classes, want %d", len(counts),
			len(r.file.classes)+1)
	}
	for _, c := range counts {
		if !(c >= 0 && c <= n.passed && n.passed <= math.MaxFloat64) {
			return fmt.Errorf("the count %v of a class in a leaf of %v", c, n.passed)
		}
	}
	switch {
	case n.passed == 0:
		return unsupported("a leaf of a random forest without training rows")
	case counts[0] > 0 || slices.Max(counts) == 0:
		return errNoClass
	}
	return nil
}

// errNoClass is the error of a leaf that is for "<OOD>", which is no class: rows that YDF labels so
// would get the label of a class.
var errNoClass = unsupported("a leaf of a random forest whose class is <OOD>")

// readClasses reads a NodeClassifierOutput.
func (r *nodeReader) readClasses(m *protobuf.Message, n *node) {
	for m.Next() {
		switch m.Field() {
		case 1:
			n.number = m.Int32()
		case 2:
			for d := m.Message(); d.Next(); {
				switch d.Field() {
				case 1:
					r.counts = d.Doubles(r.counts)
				case 2:
					n.passed = d.Double()
					n.weight = n.passed
				}
			}
		}
	}
}

// readNumber reads a NodeRegressorOutput.
func readNumber(m *protobuf.Message, n *node) {
	for m.Next() {
		switch m.Field() {
		case 1:
			n.threshold = m.Float()
		case 2:
			for d := m.Message(); d.Next(); {
				if d.Field() == 3 {
					n.weight = d.Double()
				}
			}
		case 5:
			n.weight = m.Double()
		}
	}
}
