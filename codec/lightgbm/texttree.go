package lightgbm

import (
	"bytes"
	"errors"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/internal/foreign"
)

// block has the lines of a tree by their keys, those that the reader needs.
type block map[string]entry

// of returns the line of a key, one without a value where there is none.
func (b block) of(key string) entry {
	e := b[key]
	e.key = key
	return e
}

// treeKeys are the keys of a tree that the reader needs.
var treeKeys = map[string]bool{
	"num_leaves": true, "num_cat": true, "split_feature": true, "split_gain": true,
	"threshold": true, "decision_type": true, "left_child": true, "right_child": true,
	"leaf_value": true, "leaf_count": true, "cat_boundaries": true, "cat_threshold": true,
	"is_linear": true, "leaf_const": true, "num_features": true, "leaf_features": true,
	"leaf_coeff": true, "has_categorical": true,
}

// bytesPerTree bounds the memory that a tree takes beside its arrays.
const bytesPerTree = 2 << 10

// readTree reads the lines of a tree, whose first line is the current one.
func (p *textReader) readTree() {
	first := p.here
	p.Need(bytesPerTree)
	lines, ended := p.lines, false
	clear(lines)
	for {
		line, ok := p.next()
		if !ok || len(line) == 0 {
			ended = !ok
			break
		}
		key, value, found := bytes.Cut(line, []byte("="))
		if !found {
			fail("%.20q in a tree", line)
		}
		if treeKeys[string(key)] {
			lines[string(key)] = entry{value: value, place: p.here}
		}
	}
	t, err := p.parseTree(lines)
	if err == nil {
		err = t.check(len(p.f.columns))
	}
	switch {
	case err == nil:
		p.f.trees = append(p.f.trees, t)
	case ended:
		p.ended(err)
	case !foreign.Typed(err):
		p.damaged(first, "tree %d: %w", len(p.f.trees), err)
	}
	foreign.Check(err)
}

// ended ends reading by the error of a tree at the end of the file: this is truncated, and the
// place is the last line.
func (p *textReader) ended(err error) {
	if damaged := (*codec.CorruptError)(nil); errors.As(err, &damaged) {
		err = damaged.Err
	}
	if !foreign.Typed(err) {
		p.damaged(p.here, "%w; the file ends in tree %d, so it is truncated", err, len(p.f.trees))
	}
}

// parseTree makes a tree of its lines.
func (p *textReader) parseTree(lines block) (t fileTree, err error) {
	defer foreign.Ended(&err)
	if _, old := lines["has_categorical"]; old {
		return t, p.f.unsupported("a tree of a version of LightGBM before 2.0.5")
	}
	leaves, err := number(lines.of("num_leaves").value)
	if err != nil || leaves < 1 {
		return t, errors.New("no line num_leaves with a number above 0")
	}
	t.value = p.floats(lines.of("leaf_value"), leaves)
	t.count = p.optional(lines.of("leaf_count"), leaves)
	p.parseNodes(lines, &t, leaves-1)
	p.parseSets(lines, &t)
	if string(lines.of("is_linear").value) == "1" {
		t.linear = p.parseEquations(lines, leaves)
	}
	return t, nil
}

// optional reads a list of n numbers, nil where it is absent or empty.
func (p *textReader) optional(e entry, n int) []float64 {
	if words(e.value).count() == 0 {
		return nil
	}
	return p.floats(e, n)
}

// parseNodes reads the arrays of n inner nodes.
func (p *textReader) parseNodes(lines block, t *fileTree, n int) {
	if n == 0 {
		return
	}
	t.feature = integers[int32](p, lines.of("split_feature"), n)
	t.threshold = p.floats(lines.of("threshold"), n)
	t.left = integers[int32](p, lines.of("left_child"), n)
	t.right = integers[int32](p, lines.of("right_child"), n)
	t.gain = p.optional(lines.of("split_gain"), n)
	if e := lines.of("decision_type"); e.value != nil {
		t.decision = integers[uint8](p, e, n)
		return
	}
	p.Need(int64(n))
	t.decision = make([]uint8, n)
}

// parseSets reads the sets of categorical nodes.
func (p *textReader) parseSets(lines block, t *fileTree) {
	e := lines.of("num_cat")
	sets, err := number(e.value)
	if err != nil || sets < 0 {
		fail("no line num_cat with a number from 0 up")
	}
	if sets == 0 {
		return
	}
	t.catAt = integers[int32](p, lines.of("cat_boundaries"), sets+1)
	if !ascending(t.catAt) {
		p.damaged(lines.of("cat_boundaries").place, "the places of sets do not ascend")
	}
	t.cats = integers[uint32](p, lines.of("cat_threshold"), int(t.catAt[sets]))
}

// parseEquations reads the equations of the leaves.
func (p *textReader) parseEquations(lines block, leaves int) *equations {
	e := &equations{}
	e.constant = p.floats(lines.of("leaf_const"), leaves)
	terms := integers[int32](p, lines.of("num_features"), leaves)
	p.Need(int64(leaves+1) * 4)
	e.at = make([]int32, leaves+1)
	for i, n := range terms {
		if n < 0 || int(n) > len(p.text) {
			p.damaged(lines.of("num_features").place, "%d features", n)
		}
		e.at[i+1] = e.at[i] + n
	}
	if !ascending(e.at) {
		p.damaged(lines.of("num_features").place, "too many features")
	}
	total := int(e.at[leaves])
	e.feature = integers[int32](p, lines.of("leaf_features"), total)
	e.coef = p.floats(lines.of("leaf_coeff"), total)
	return e
}
