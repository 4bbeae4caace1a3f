package counterfactual

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain/internal/axes"
	"github.com/coppice-ml/coppice/internal/input"
	"github.com/coppice-ml/coppice/model"
)

// newLevels fills in the choices of a categorical column: the levels that occur in the reference
// and that the model has. Of levels that all nodes send the same way it is the most frequent one.
func (c *choices) newLevels(
	s *search, inputs modelInputs, x *tests, like *data.Field, other *data.Column, missing bool,
) error {
	field := &s.base.Schema.Fields[c.at]
	c.label = field.Levels
	if own := s.base.Columns[c.at].Code(0); int(own) < len(c.label) {
		c.from = c.label[own]
	}
	codes := map[string]uint32{}
	for code, level := range field.Levels {
		codes[level] = uint32(code)
	}
	count := make([]int, len(field.Levels))
	for _, code := range other.Codes() {
		if int(code) < len(like.Levels) {
			count[codes[like.Levels[code]]]++
		}
	}
	for code, n := range count {
		if n > 0 && uint32(code) != s.base.Columns[c.at].Code(0) {
			c.code = append(c.code, uint32(code))
		}
	}
	c.complete = true
	c.numbers = len(c.code)
	c.cost = slices.Repeat([]float64{1}, c.numbers)
	if missing {
		c.code, c.cost = append(c.code, data.MissingCode), append(c.cost, 1)
	}
	c.like = make([]int32, len(like.Levels))
	for i, level := range like.Levels {
		at, _ := slices.BinarySearch(c.code[:c.numbers], codes[level])
		c.like[i] = -1
		if at < c.numbers && c.code[at] == codes[level] {
			c.like[i] = int32(at)
		}
	}
	if err := c.know(s, inputs); err != nil {
		return err
	}
	c.group(x, count)
	return nil
}

// newCodes fills in the choices of a column of numbers that are codes of categories.
func (c *choices) newCodes(other *data.Column, missing bool) {
	c.number = slices.Compact(axes.Ascending(other))
	c.number = slices.DeleteFunc(c.number, func(v float64) bool { return v == c.own })
	c.numbers, c.complete = len(c.number), true
	if missing {
		c.number = append(c.number, math.NaN())
	}
	c.cost = slices.Repeat([]float64{1}, len(c.number))
}

// know looks up what the model knows of the levels, and of the row's own.
func (c *choices) know(s *search, inputs modelInputs) error {
	if c.len() == 0 {
		return nil
	}
	p, err := inputs.bind(&s.base.Schema, []int32{c.feature})
	if err != nil {
		return err
	}
	all := &search{base: s.base, p: p, columns: []choices{*c}}
	v := newVariants(all, c.len()+1)
	for i := range c.len() {
		v.set(i, []int{0}, []int32{int32(i)})
	}
	c.values = make([]float64, c.len()+1) // the last one is the row's own
	return p.Predict(c.values, v.frame(c.len()+1), nil)
}

// modelInputs are the columns of a model, and those that it derives.
type modelInputs struct {
	schema  *data.Schema
	derived *input.Set
}

// bind returns a predictor of values of features, derived ones too, as the model sees them.
func (x modelInputs) bind(s *data.Schema, features []int32) (model.Predictor, error) {
	return model.RowEvaluator{Columns: features, Width: len(features), Inputs: x.derived,
		Start: func() func(dst, row []float64) {
			return func(dst, row []float64) { copy(dst, row) }
		}}.Bind(x.schema, s, 1)
}

// group leaves out levels that the model does not have, and all but the most frequent of those that
// all nodes of trees send the same way.
func (c *choices) group(x *tests, count []int) {
	if c.len() == 0 {
		return
	}
	whole := !x.known || x.whole[c.feature]
	if !whole && len(x.nodes[c.feature]) == 0 {
		c.code, c.cost, c.numbers = nil, nil, 0
		return
	}
	first := map[string]int{} // by where the nodes send a level: its place
	if !whole {
		first[ways(x.nodes[c.feature], c.values[c.len()])] = -1
	}
	stands := make([]int, c.numbers)
	way := make([]string, c.numbers)
	for i, code := range c.code[:c.numbers] {
		stands[i] = i
		if c.values[i] < 0 || math.IsNaN(c.values[i]) {
			stands[i] = -1
		} else if !whole {
			way[i] = ways(x.nodes[c.feature], c.values[i])
			at, found := first[way[i]]
			if !found || at >= 0 && count[code] > count[c.code[at]] {
				first[way[i]] = i
			}
		}
	}
	for i := range stands {
		if stands[i] >= 0 && !whole {
			stands[i] = first[way[i]]
		}
	}
	c.keep(stands)
}

// ways returns where nodes send a category.
func ways(nodes []testNode, value float64) string {
	var way []byte
	for _, x := range nodes {
		way = binary.LittleEndian.AppendUint32(way, uint32(x.t.NextCode(x.n, data.CodeOf(value))))
	}
	return string(way)
}

// keep keeps the choices that stand for themselves.
func (c *choices) keep(stands []int) {
	kept := make([]int32, len(stands))
	n := 0
	for i := range c.len() {
		if i < c.numbers && stands[i] != i {
			continue
		}
		if i < c.numbers {
			kept[i] = int32(n)
		}
		c.code[n], c.cost[n], c.values[n] = c.code[i], c.cost[i], c.values[i]
		n++
	}
	for code, i := range c.like {
		c.like[code] = -1
		if i >= 0 && stands[i] >= 0 {
			c.like[code] = kept[stands[i]]
		}
	}
	c.values[n] = c.values[c.len()]
	c.values = c.values[:n+1]
	c.numbers -= c.len() - n
	c.code, c.cost = c.code[:n], c.cost[:n]
}
