package lightgbm

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/coppice-ml/coppice/internal/imported"
)

// dumpReader reads a JSON dump, in which each node holds its children.
type dumpReader struct {
	scanner
	f     *file
	infos int // where the value of feature_infos starts; 0: not found
}

// readDump reads a JSON dump.
func readDump(r io.ReaderAt, size int64, b *imported.Budget) (*file, error) {
	f := &file{format: JSON, classes: 1, scores: -1}
	text, err := f.readAll(r, size, b)
	if err != nil {
		return nil, err
	}
	d := &dumpReader{scanner: scanner{Budget: b, text: text}, f: f}
	if err := d.read(); err != nil {
		return nil, d.f.corrupt(d.where(), min(d.at, len(text)), err)
	}
	return d.f, nil
}

// read reads the whole dump.
func (d *dumpReader) read() error {
	features := -1
	if err := d.object(func(key string) error { return d.member(key, &features) }); err != nil {
		return err
	}
	if err := d.end(); err != nil {
		return err
	}
	f := d.f
	if f.scores < 0 {
		f.scores = f.classes
	}
	if err := f.checkVersion(); err != nil {
		return err
	}
	if features < len(f.columns)-1 || features >= len(d.text) {
		return fmt.Errorf("%d feature_names, max_feature_idx is %d", len(f.columns), features)
	}
	if err := d.addColumns(features + 1); err != nil {
		return err
	}
	for i := range f.trees {
		if err := f.trees[i].check(len(f.columns)); err != nil {
			return fmt.Errorf("tree %d: %w", i, err)
		}
	}
	return f.check()
}

// member reads a member of the top level.
func (d *dumpReader) member(key string, features *int) (err error) {
	f := d.f
	switch key {
	case "version":
		if f.version, err = d.string(); err == nil {
			err = f.checkVersion()
		}
	case "num_class":
		f.classes, err = d.integer()
	case "num_tree_per_iteration":
		f.scores, err = d.integer()
	case "max_feature_idx":
		*features, err = d.integer()
	case "average_output":
		f.average, err = d.boolean()
	case "objective":
		var text string
		if text, err = d.string(); err == nil {
			err = f.setObjective(text)
		}
	case "feature_names":
		return d.list(func(int) error {
			name, err := d.string()
			if err != nil {
				return err
			}
			f.columns = append(f.columns, column{name: name, top: -1})
			return d.Take(bytesPerColumn)
		})
	case "feature_infos":
		d.peek()
		d.infos = d.at
		return d.skip()
	case "tree_info":
		return d.list(func(int) error { return d.tree() })
	case "pandas_categorical":
		f.frame, err = d.frame()
	default:
		return d.skip()
	}
	return err
}

// addColumns adds columns without a name until there are n, and reads what the dump has of their
// values.
func (d *dumpReader) addColumns(n int) error {
	if err := d.Take(int64(n-len(d.f.columns)) * bytesPerColumn); err != nil {
		return err
	}
	for len(d.f.columns) < n {
		d.f.columns = append(d.f.columns, column{top: -1})
	}
	if d.infos == 0 {
		return nil
	}
	if err := d.Take(int64(n) * 64); err != nil {
		return err
	}
	byName := make(map[string]*column, n)
	for i := range d.f.columns {
		byName[d.f.columns[i].name] = &d.f.columns[i]
	}
	d.at = d.infos
	return d.object(func(key string) error {
		c := byName[key]
		if c == nil {
			c = &column{}
		}
		return d.object(func(key string) error {
			if key != "values" {
				return d.skip()
			}
			return d.list(func(int) error {
				code, err := d.integer()
				c.codes, c.top = true, max(c.top, int32(code))
				return err
			})
		})
	})
}

// tree reads an element of tree_info.
func (d *dumpReader) tree() error {
	if err := d.Take(bytesPerTree); err != nil {
		return err
	}
	t, leaves := fileTree{catAt: []int32{0}}, -1
	err := d.object(func(key string) (err error) {
		switch key {
		case "num_leaves":
			leaves, err = d.integer()
		case "tree_structure":
			_, err = d.node(&t)
		default:
			return d.skip()
		}
		return err
	})
	if err != nil {
		return err
	}
	if len(t.value) == 0 || leaves != len(t.value) {
		return fmt.Errorf("%d leaves, num_leaves is %d", len(t.value), leaves)
	}
	if len(t.gain) != len(t.feature) {
		t.gain = nil
	}
	if len(t.count) != len(t.value) {
		t.count = nil
	}
	d.f.trees = append(d.f.trees, t)
	return nil
}

// dumpNode is a node of a dump.
type dumpNode struct {
	inner               int32 // its number; -1: a leaf so far
	feature             int
	threshold, decision []byte
	defaultLeft         bool
	missing             string
	children            [2]int32
	childSeen           [2]bool
	gain, count         float64
	gained, counted     bool

	value    float64
	leaf     bool // has a value
	number   int
	constant float64
	linear   bool
	feats    []int32
	coefs    []float64
}

// bytesPerNode bounds the memory that a node of a dump takes while it is read.
const bytesPerNode = 640

// node reads a node with all below it, and returns what a child link to it is.
func (d *dumpReader) node(t *fileTree) (link int32, err error) {
	if err := d.Take(bytesPerNode); err != nil {
		return 0, err
	}
	n := &dumpNode{inner: -1, feature: -1, number: -1}
	if err := d.object(func(key string) error { return d.nodeMember(t, n, key) }); err != nil {
		return 0, err
	}
	if n.inner < 0 {
		return t.addLeaf(n)
	}
	return n.inner, d.setInner(t, n)
}

// nodeMember reads a member of a node.
func (d *dumpReader) nodeMember(t *fileTree, n *dumpNode, key string) (err error) {
	switch key {
	case "left_child":
		return d.child(t, n, 0)
	case "right_child":
		return d.child(t, n, 1)
	case "split_feature":
		n.feature, err = d.integer()
	case "threshold":
		n.threshold, err = d.token()
	case "decision_type":
		n.decision, err = d.token()
	case "default_left":
		n.defaultLeft, err = d.boolean()
	case "missing_type":
		n.missing, err = d.string()
	case "split_gain":
		n.gain, err = d.number()
		n.gained = true
	case "leaf_index":
		n.number, err = d.integer()
	case "leaf_value":
		n.value, err = d.number()
		n.leaf = true
	case "leaf_count":
		n.count, err = d.number()
		n.counted = true
	case "leaf_const":
		n.constant, err = d.number()
		n.linear = true
	case "leaf_features":
		return d.list(func(int) error {
			f, err := d.integer()
			n.feats = append(n.feats, int32(f))
			return errors.Join(err, d.Take(24))
		})
	case "leaf_coeff":
		return d.list(func(int) error {
			c, err := d.number()
			n.coefs = append(n.coefs, c)
			return errors.Join(err, d.Take(48))
		})
	default:
		return d.skip()
	}
	return err
}

// child reads a child of a node, which gets the next number of inner nodes with its first child.
func (d *dumpReader) child(t *fileTree, n *dumpNode, side int) error {
	if n.inner < 0 {
		n.inner = int32(len(t.feature))
		t.feature, t.threshold = append(t.feature, -1), append(t.threshold, 0)
		t.decision = append(t.decision, 0)
		t.left, t.right = append(t.left, 0), append(t.right, 0)
	}
	if n.childSeen[side] {
		return errors.New("a node has the same child twice")
	}
	link, err := d.node(t)
	n.children[side], n.childSeen[side] = link, true
	return err
}

// addLeaf adds a leaf and returns the link to it.
func (t *fileTree) addLeaf(n *dumpNode) (link int32, err error) {
	leaf := int32(len(t.value))
	if !n.leaf {
		return 0, errors.New("a node has neither children nor a value")
	}
	if (t.linear != nil) != n.linear && leaf > 0 {
		return 0, errors.New("only some leaves have equations")
	}
	if n.number < 0 {
		n.number = int(leaf)
	}
	t.value, t.number = append(t.value, n.value), append(t.number, int32(n.number))
	if n.counted {
		t.count = append(t.count, n.count)
	}
	if !n.linear {
		return ^leaf, nil
	}
	if len(n.feats) != len(n.coefs) {
		return 0, fmt.Errorf("%d features and %d coefficients", len(n.feats), len(n.coefs))
	}
	if t.linear == nil {
		t.linear = &equations{at: []int32{0}}
	}
	e := t.linear
	e.constant = append(e.constant, n.constant)
	e.feature, e.coef = append(e.feature, n.feats...), append(e.coef, n.coefs...)
	e.at = append(e.at, int32(len(e.feature)))
	return ^leaf, nil
}

// setInner fills in an inner node.
func (d *dumpReader) setInner(t *fileTree, n *dumpNode) error {
	i := n.inner
	if n.childSeen != [2]bool{true, true} {
		return errors.New("a node has one child")
	}
	t.feature[i], t.left[i], t.right[i] = int32(n.feature), n.children[0], n.children[1]
	if n.gained {
		if t.gain == nil {
			t.gain = make([]float64, 0, len(t.feature))
		}
		for len(t.gain) < len(t.feature) {
			t.gain = append(t.gain, 0)
		}
		t.gain[i] = n.gain
	}
	switch n.missing {
	case "None", "":
	case "Zero":
		t.decision[i] |= missingZero << 2
	case "NaN":
		t.decision[i] |= missingNaN << 2
	default:
		return fmt.Errorf("missing_type %.20q", n.missing)
	}
	if n.defaultLeft {
		t.decision[i] |= 2
	}
	switch string(bytes.Trim(n.decision, `"`)) {
	case "<=", "no_greater":
		s := scanner{text: n.threshold}
		x, err := s.number()
		t.threshold[i] = x
		return err
	case "==", "is":
		t.decision[i] |= 1
		t.threshold[i] = float64(len(t.catAt) - 1)
		return d.addSet(t, bytes.Trim(n.threshold, `"`))
	}
	return fmt.Errorf("decision_type %.20q", n.decision)
}

// addSet adds the set of codes in a text such as 1||10||100.
func (d *dumpReader) addSet(t *fileTree, text []byte) error {
	start := len(t.cats)
	for word := range bytes.SplitSeq(text, []byte("||")) {
		code, err := number(word)
		if err != nil || code < 0 {
			return fmt.Errorf("%.20q is no category", word)
		}
		if missing := start + code/32 + 1 - len(t.cats); missing > 0 {
			if err := d.Take(8 * int64(missing)); err != nil {
				return err
			}
			t.cats = slices.Grow(t.cats, missing)[:start+code/32+1]
			clear(t.cats[len(t.cats)-missing:])
		}
		t.cats[start+code/32] |= 1 << (code % 32)
	}
	t.catAt = append(t.catAt, int32(len(t.cats)))
	return nil
}
