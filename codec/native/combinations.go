package native

import (
	"github.com/coppice-ml/coppice/internal/input"
)

// combinations are the arrays of combinations, one after the other. With one of two elements, three
// keys and two outputs, and one of one element, one key and one output,
//
//	mix.elements     2              1
//	mix.keys         3              1
//	mix.outputs      2              1
//	element...       e e            e
//	hash             h h h          h
//	value            v v v  w w w   v
//	absent           v      w       v
type combinations struct {
	elements []uint32
	keys     []uint32
	outputs  []uint32

	kind    []input.ElementKind
	source  []int32
	point   []float64
	code    []uint32
	missing []uint8

	hash   []uint64
	value  []float64
	absent []float64
}

func (c *combinations) arrays() []array {
	return []array{
		whole("mix.elements", required, &c.elements),
		whole("mix.keys", required, &c.keys),
		whole("mix.outputs", required, &c.outputs),
		whole("element.kind", required, &c.kind),
		whole("element.source", required, &c.source),
		whole("element.point", required, &c.point),
		whole("element.code", required, &c.code),
		whole("element.missing", required, &c.missing),
		whole("hash", required, &c.hash),
		whole("value", required, &c.value),
		whole("absent", required, &c.absent),
	}
}

// newCombinations collects the arrays of valid combinations.
func newCombinations(all []input.Combination) combinations {
	var c combinations
	for i := range all {
		from := &all[i]
		c.elements = append(c.elements, uint32(len(from.Elements)))
		c.keys = append(c.keys, uint32(len(from.Key)))
		c.outputs = append(c.outputs, uint32(from.Outputs()))
		for _, e := range from.Elements {
			c.kind, c.source = append(c.kind, e.Kind), append(c.source, e.Source)
			c.point, c.code = append(c.point, e.SplitPoint), append(c.code, e.Code)
			missing := uint8(0)
			if e.Missing {
				missing = 1
			}
			c.missing = append(c.missing, missing)
		}
		c.hash = append(c.hash, from.Key...)
		c.value, c.absent = append(c.value, from.Value...), append(c.absent, from.Absent...)
	}
	return c
}

// memory that a combination and an element cost beside the arrays that they are parts of
const (
	combinationCost = 128
	partCost        = 32
)

// parse makes the combinations of the arrays; the model's validation checks them.
func (c *combinations) parse(p *payload, b *budget) []input.Combination {
	n, elements := len(c.elements), len(c.kind)
	if len(c.keys) != n || len(c.outputs) != n {
		p.corrupt(0, "sizes of %d, %d and %d combinations", n, len(c.keys),
			len(c.outputs))
	}
	for _, k := range []int{len(c.source), len(c.point), len(c.code), len(c.missing)} {
		if k != elements {
			p.corrupt(0, "arrays of %d elements of combinations for %d", k, elements)
		}
	}
	if n == 0 && elements+len(c.hash)+len(c.value)+len(c.absent) == 0 {
		return nil
	}
	b.take(combinationCost*int64(n) + partCost*int64(elements))
	parts := make([]input.Element, elements)
	for i := range parts {
		if c.missing[i] > 1 {
			p.corrupt(0, "element %d has the rule %d for missing values", i, c.missing[i])
		}
		parts[i] = input.Element{Kind: c.kind[i], Source: c.source[i], SplitPoint: c.point[i],
			Code: c.code[i], Missing: c.missing[i] == 1}
	}
	all := make([]input.Combination, n)
	for i := range all {
		to, keys, outputs := &all[i], uint64(c.keys[i]), uint64(c.outputs[i])
		if !takeFirst(&to.Elements, &parts, uint64(c.elements[i])) ||
			!takeFirst(&to.Key, &c.hash, keys) || !takeFirst(&to.Absent, &c.absent, outputs) ||
			!takeFirst(&to.Value, &c.value, keys*outputs) {
			p.corrupt(0, "combination %d is longer than what is left", i)
		}
	}
	if len(parts)+len(c.hash)+len(c.value)+len(c.absent) > 0 {
		p.corrupt(0, "arrays of combinations belong to none")
	}
	return all
}
