package lightgbm

import (
	"bytes"
	"errors"
	"fmt"

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
func (p *textReader) readTree() error {
	first := p.here
	if err := p.Take(bytesPerTree); err != nil {
		return err
	}
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
			return fmt.Errorf("%.20q in a tree", line)
		}
		if treeKeys[string(key)] {
			lines[string(key)] = entry{value: value, place: p.here}
		}
	}
	t, err := p.parseTree(lines)
	if err == nil {
		err = t.check(len(p.f.columns))
	}
	if ended {
		return p.ended(err, t)
	}
	if err != nil && !foreign.Typed(err) {
		err = p.placed(first, fmt.Errorf("tree %d: %w", len(p.f.trees), err))
	}
	if err != nil {
		return err
	}
	p.f.trees = append(p.f.trees, t)
	return nil
}

// ended completes a tree at the end of the file. With an error the file is truncated: the place is
// the last line.
func (p *textReader) ended(err error, t fileTree) error {
	if err == nil {
		p.f.trees = append(p.f.trees, t)
		return nil
	}
	if damaged := (*codec.CorruptError)(nil); errors.As(err, &damaged) {
		err = damaged.Err
	} else if foreign.Typed(err) {
		return err
	}
	return p.placed(p.here, fmt.Errorf("%w; the file ends in tree %d, so it is truncated", err,
		len(p.f.trees)))
}

// parseTree makes a tree of its lines.
func (p *textReader) parseTree(lines block) (t fileTree, err error) {
	if _, old := lines["has_categorical"]; old {
		return t, p.f.unsupported("a tree of a version of LightGBM before 2.0.5")
	}
	leaves, err := number(lines.of("num_leaves").value)
	if err != nil || leaves < 1 {
		return t, errors.New("no line num_leaves with a number above 0")
	}
	if t.value, err = p.floats(lines.of("leaf_value"), leaves); err != nil {
		return t, err
	}
	if t.count, err = p.optional(lines.of("leaf_count"), leaves); err != nil {
		return t, err
	}
	if err := p.parseNodes(lines, &t, leaves-1); err != nil {
		return t, err
	}
	if err := p.parseSets(lines, &t); err != nil {
		return t, err
	}
	if string(lines.of("is_linear").value) == "1" {
		t.linear, err = p.parseEquations(lines, leaves)
	}
	return t, err
}

// optional reads a list of n numbers, nil where it is absent or empty.
func (p *textReader) optional(e entry, n int) ([]float64, error) {
	if words(e.value).count() == 0 {
		return nil, nil
	}
	return p.floats(e, n)
}

// parseNodes reads the arrays of n inner nodes.
func (p *textReader) parseNodes(lines block, t *fileTree, n int) (err error) {
	if n == 0 {
		return nil
	}
	if t.feature, err = integers[int32](p, lines.of("split_feature"), n); err != nil {
		return err
	}
	if t.threshold, err = p.floats(lines.of("threshold"), n); err != nil {
		return err
	}
	if t.left, err = integers[int32](p, lines.of("left_child"), n); err != nil {
		return err
	}
	if t.right, err = integers[int32](p, lines.of("right_child"), n); err != nil {
		return err
	}
	if t.gain, err = p.optional(lines.of("split_gain"), n); err != nil {
		return err
	}
	if e := lines.of("decision_type"); e.value != nil {
		t.decision, err = integers[uint8](p, e, n)
		return err
	}
	if err := p.Take(int64(n)); err != nil {
		return err
	}
	t.decision = make([]uint8, n)
	return nil
}

// parseSets reads the sets of categorical nodes.
func (p *textReader) parseSets(lines block, t *fileTree) error {
	e := lines.of("num_cat")
	sets, err := number(e.value)
	if err != nil || sets < 0 {
		return errors.New("no line num_cat with a number from 0 up")
	}
	if sets == 0 {
		return nil
	}
	if t.catAt, err = integers[int32](p, lines.of("cat_boundaries"), sets+1); err != nil {
		return err
	}
	if !ascending(t.catAt) {
		return p.placed(lines.of("cat_boundaries").place,
			errors.New("the places of sets do not ascend"))
	}
	t.cats, err = integers[uint32](p, lines.of("cat_threshold"), int(t.catAt[sets]))
	return err
}

// parseEquations reads the equations of the leaves.
func (p *textReader) parseEquations(lines block, leaves int) (*equations, error) {
	e := &equations{}
	var err error
	if e.constant, err = p.floats(lines.of("leaf_const"), leaves); err != nil {
		return nil, err
	}
	terms, err := integers[int32](p, lines.of("num_features"), leaves)
	if err != nil {
		return nil, err
	}
	if err := p.Take(int64(leaves+1) * 4); err != nil {
		return nil, err
	}
	e.at = make([]int32, leaves+1)
	for i, n := range terms {
		if n < 0 || int(n) > len(p.text) {
			return nil, p.placed(lines.of("num_features").place, fmt.Errorf("%d features", n))
		}
		e.at[i+1] = e.at[i] + n
	}
	if !ascending(e.at) {
		return nil, p.placed(lines.of("num_features").place, errors.New("too many features"))
	}
	total := int(e.at[leaves])
	if e.feature, err = integers[int32](p, lines.of("leaf_features"), total); err != nil {
		return nil, err
	}
	e.coef, err = p.floats(lines.of("leaf_coeff"), total)
	return e, err
}
