package ydf

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/codec/internal/protobuf"
)

// readCondition reads a NodeCondition.
func (r *nodeReader) readCondition(m *protobuf.Message, n *node) error {
	attribute, rows, passed, score := int32(0), int64(0), int64(-1), float32(0)
	n.passed = -1
	var err error
	for m.Next() {
		switch m.Field() {
		case 1:
			n.na = m.Bool()
		case 2:
			attribute = m.Int32()
		case 3:
			err = errors.Join(err, r.readTest(m.Message(), n))
		case 4:
			rows = m.Int64()
		case 5:
			n.weight = m.Double()
		case 6:
			score = m.Float()
		case 7:
			passed = m.Int64()
		case 8:
			n.passed = m.Double()
		}
	}
	if n.weight == 0 || n.passed < 0 { // weights are in newer files alone
		n.weight, n.passed = float64(rows), float64(passed)
	}
	n.gain = float64(score) * n.weight
	if n.passed < 0 {
		n.weight, n.passed = 0, 0
	}
	if err != nil {
		return err
	}
	if n.kind == oblique {
		return r.readTerms(n)
	}
	if n.attribute, err = r.featureOf(attribute); err != nil {
		return err
	}
	return r.checkTest(n)
}

// bytesPerTest is what readTest takes beside its lists.
const bytesPerTest = 128

// readTest reads a Condition: the last of its alternatives is valid.
func (r *nodeReader) readTest(m *protobuf.Message, n *node) error {
	for m.Next() && m.Take(bytesPerTest) {
		n.kind = leaf
		switch test := m.Message(); m.Field() {
		case 1:
			n.kind = missing
		case 2:
			n.kind, n.threshold = higher, 0
			for test.Next() {
				if test.Field() == 1 {
					n.threshold = test.Float()
				}
			}
		case 3:
			n.kind = isTrue
		case 4:
			n.kind, n.from = inList, int32(len(r.list))
			for test.Next() {
				if test.Field() == 1 {
					r.list = test.Int32s(r.list)
				}
			}
			n.to = int32(len(r.list))
		case 5:
			n.kind, n.from = inBitmap, int32(len(r.bitmap))
			for test.Next() {
				if test.Field() == 1 && test.Take(3*int64(test.Len())) {
					r.bitmap = append(r.bitmap, test.Bytes()...)
				}
			}
			n.to = int32(len(r.bitmap))
		case 6:
			n.kind, n.number = higherBin, 0
			for test.Next() {
				if test.Field() == 1 {
					n.number = test.Int32()
				}
			}
		case 7:
			n.kind = oblique
			r.readOblique(test, n)
		default:
			return unsupported("a condition of kind %d", m.Field())
		}
	}
	if n.kind == leaf {
		return errors.New("a condition without a kind")
	}
	if len(r.list) > math.MaxInt32 || len(r.bitmap) > math.MaxInt32 {
		return errors.New("categories of more than 2^31 elements")
	}
	return nil
}

func (r *nodeReader) readOblique(m *protobuf.Message, n *node) {
	r.attributes, r.weights, r.replacements = r.attributes[:0], r.weights[:0], r.replacements[:0]
	n.threshold = 0
	for m.Next() {
		switch m.Field() {
		case 1:
			r.attributes = m.Int32s(r.attributes)
		case 2:
			r.weights = m.Floats(r.weights)
		case 3:
			n.threshold = m.Float()
		case 4:
			r.replacements = m.Floats(r.replacements)
		}
	}
}

// featureOf returns the feature in a column.
func (r *nodeReader) featureOf(column int32) (int32, error) {
	if column < 0 || int(column) >= len(r.feature) || r.feature[column] < 0 {
		return -1, fmt.Errorf("a condition on column %d, which is no feature", column)
	}
	return r.feature[column], nil
}

// readTerms appends the terms of an oblique condition.
func (r *nodeReader) readTerms(n *node) error {
	count := len(r.attributes)
	if replaced := len(r.replacements); count == 0 || len(r.weights) != count ||
		replaced != 0 && replaced != count {
		return fmt.Errorf("an oblique condition of %d columns, %d weights and %d replacements",
			count, len(r.weights), replaced)
	}
	if err := r.take(64 * int64(count)); err != nil {
		return err
	}
	if len(r.terms)+count > math.MaxInt32 {
		return errors.New("more than 2^31 terms")
	}
	n.attribute, n.from, n.to = -1, int32(len(r.terms)), int32(len(r.terms)+count)
	for i, column := range r.attributes {
		f, err := r.featureOf(column)
		if err != nil {
			return err
		}
		if k := r.file.features[f].kind; k != numerical {
			return fmt.Errorf("an oblique condition on a column of type %s", typeNames[k])
		}
		t := term{feature: f, weight: r.weights[i], replaced: len(r.replacements) > 0}
		if t.replaced {
			t.missing = r.replacements[i]
		}
		r.terms = append(r.terms, t)
	}
	return r.checkThreshold(n)
}

func (r *nodeReader) checkThreshold(n *node) error {
	if isNaN32(n.threshold) {
		return errors.New("a threshold that is no number")
	}
	return nil
}

// checkTest checks that a condition fits its column.
func (r *nodeReader) checkTest(n *node) error {
	c := &r.file.features[n.attribute]
	want := c.kind
	switch n.kind {
	case higher:
		want = numerical
	case isTrue:
		want = boolean
	case higherBin:
		want = discretized
	case inList, inBitmap:
		want = categorical
	}
	if want != c.kind {
		return fmt.Errorf("a condition of %s on column %.50q of %s", typeNames[want], c.name,
			typeNames[c.kind])
	}
	switch n.kind {
	case higher:
		return r.checkThreshold(n)
	case inList:
		list := r.list[n.from:n.to]
		outside := func(code int32) bool { return code < 0 || int64(code) >= c.values }
		if !slices.IsSorted(list) || slices.ContainsFunc(list, outside) {
			return fmt.Errorf("a list of categories of column %.50q that does not ascend, or "+
				"leaves 0 to %d", c.name, c.values-1)
		}
	case inBitmap:
		if got := int64(n.to - n.from); got < (c.values+7)/8 {
			return fmt.Errorf("a bitmap of %d bytes for %d categories of column %.50q", got,
				c.values, c.name)
		}
	}
	return nil
}
