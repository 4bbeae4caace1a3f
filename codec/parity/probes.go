// Package parity owns the comparison of an imported model with the file that it was read from, or
// with the outputs of the tool that wrote the file. Its rows lie at the model's own split points,
// where two evaluations differ if they differ anywhere. A certificate states what was compared.
package parity

import (
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/input"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// Probes are rows to compare two evaluations of a model on.
type Probes struct {
	Columns int       // fields of the model's schema
	Values  []float64 // row after row: numbers, codes, NaN for missing and -1 for unseen
	Splits  int       // inner nodes of the model
	Probed  int       // those whose split points rows were made for
	// Unprobed names what nodes test that no rows can be made for, and how many nodes there are
	Unprobed []string
}

// DefaultRows is about the number of rows that Make makes unless another is requested.
const DefaultRows = 50000

// Rows returns the number of rows.
func (p *Probes) Rows() int { return len(p.Values) / max(1, p.Columns) }

// Row returns the values of a row: a view.
func (p *Probes) Row(i int) []float64 { return p.Values[i*p.Columns:][:p.Columns] }

// Frame returns rows from..to as a table of the model's schema. A category that the model does not
// have is a level of its own.
func (p *Probes) Frame(s *data.Schema, from, to int) (*data.Frame, error) {
	schema := s.Clone()
	columns := make([]data.Column, p.Columns)
	for c := range columns {
		f := &schema.Fields[c]
		if f.Kind != data.Categorical {
			x := make([]float64, 0, to-from)
			for i := from; i < to; i++ {
				x = append(x, p.Row(i)[c])
			}
			columns[c] = data.Numbers(x)
			continue
		}
		unseen := uint32(len(f.Levels))
		f.Levels = append(f.Levels, freshLevel(f.Levels))
		if f.Format == data.CodeLevels {
			f.Format = "" // one is no code
		}
		codes := make([]uint32, 0, to-from)
		for i := from; i < to; i++ {
			code := unseen
			if x := p.Row(i)[c]; math.IsNaN(x) {
				code = data.MissingCode
			} else if x >= 0 {
				code = uint32(x)
			}
			codes = append(codes, code)
		}
		columns[c] = data.Codes(codes)
	}
	return data.NewFrame(schema, columns)
}

// freshLevel returns a text that is not among levels.
func freshLevel(levels []string) string {
	text := "unseen"
	for slices.Contains(levels, text) {
		text += "_"
	}
	return text
}

// Make makes rows for the split points of a model's trees, about most of them, and fewer of models
// of very deep trees or of very many columns or outputs. Of models with more nodes it probes some
// of these, evenly chosen. For each node there are rows that reach it, as far
// as the tests above allow, and lie on its split point, just below and just above, in double and in
// single precision, or miss the value; at a set of categories, rows in it, outside, unseen and
// missing. At a column that is derived of a number there are rows that count as 0, too. At one that
// is derived of categories there are categories, of training rows and unseen ones, of which it has
// the numbers next to the split point. Columns that do not matter have values at other split
// points. Rows that the model refuses are left out. The same model gives the same rows.
func Make(m *model.Ensemble, most int) *Probes {
	fields := m.Meta.Schema.Fields
	g := &maker{model: m, fields: fields, check: m.RowCheck(), random: rng.New(1),
		missed: map[int32]int{}, probes: &Probes{Columns: len(fields)}}
	g.collect(m.Trees)
	if len(fields) == 0 {
		return g.probes
	}
	most = min(most, bounded(m))
	stride := max(1, (perNode*g.probes.Splits+most-1)/max(1, most))
	g.derived = newDerived(m)
	for _, t := range m.Trees {
		g.tree(t, stride)
	}
	g.probes.Unprobed = g.unprobed()
	if g.probes.Rows() == 0 { // no node splits
		g.add(g.base())
	}
	return g.probes
}

// Bounds of the rows of large models: of the numbers in them, of the nodes that they pass, and of
// what they are compared in.
const (
	mostValues  = 1 << 27
	mostPassed  = 1 << 30
	mostOutputs = 1 << 25
)

// bounded returns how many rows a model can be compared on in reasonable time and memory.
func bounded(m *model.Ensemble) int {
	rows := mostPassed / max(1, passed(m))
	rows = min(rows, mostOutputs/max(1, m.Outputs(), m.Scores()))
	return max(1, min(rows, mostValues/max(1, len(m.Meta.Schema.Fields))))
}

// passed returns at most how many nodes a row passes.
func passed(m *model.Ensemble) int {
	nodes := len(m.Trees)
	for _, t := range m.Trees {
		nodes += t.Depth()
	}
	return nodes
}

// perNode is about the number of rows for a node.
const perNode = 6

// maker makes rows.
type maker struct {
	model  *model.Ensemble
	fields []data.Field
	check  func(row []float64) error // of rows without a prediction
	random *rng.Stream
	points [][]float64 // by numeric field: split points, in the order of their nodes
	probes *Probes
	seen   int     // inner nodes that were passed
	limits []limit // by feature of the trees
	// the columns that are derived of categories, and how many nodes there are, by feature, that no
	// rows can be made for
	derived *derived
	missed  map[int32]int
}

// collect lists the split points of all columns.
func (g *maker) collect(trees []*tree.Tree) {
	g.points = make([][]float64, len(g.fields))
	for _, t := range trees {
		for n := range t.Nodes {
			d := &t.Nodes[n]
			if d.Kind() == tree.Leaf {
				continue
			}
			g.probes.Splits++
			if f := g.source(d.Feature()); d.Kind() == tree.Numeric && f >= 0 {
				g.points[f] = append(g.points[f], d.SplitPoint())
			}
		}
	}
}

// source returns the field that a feature of the trees is, or is made of where that is a single
// number; -1 if there is no such field.
func (g *maker) source(feature int32) int {
	switch {
	case feature < 0:
		return -1
	case int(feature) < len(g.fields):
		return int(feature)
	}
	of := g.model.Sources(feature)
	if len(of) > 1 || g.fields[of[0]].Kind != data.Numeric {
		return -1
	}
	return int(of[0])
}

// tree probes every stride-th node of a tree.
func (g *maker) tree(t *tree.Tree, stride int) {
	g.limits = make([]limit, len(g.fields)+g.model.Inputs.Len())
	for i := range g.limits {
		g.limits[i] = limit{low: math.Inf(-1), high: math.Inf(1)}
	}
	g.node(t, 0, stride)
}

// node probes the nodes from n down. It restores the limits that it changes.
func (g *maker) node(t *tree.Tree, n int32, stride int) {
	if t.Kind(n) == tree.Leaf {
		if len(g.derived.features) > 0 && g.seen%stride == 0 {
			g.add(g.base()) // rows at the node above may miss it, since columns depend on each other
		}
		return
	}
	if g.seen%stride == 0 {
		if g.probe(t, n) {
			g.probes.Probed++
		} else {
			g.missed[t.Feature(n)]++
		}
	}
	g.seen++
	f, levels := g.source(t.Feature(n)), 0
	switch {
	case f >= 0:
		levels = len(g.fields[f].Levels)
	case g.derived.of[t.Feature(n)] != nil:
		f = int(t.Feature(n))
	}
	for c := t.Child(n); c < t.Child(n)+t.Arity(n); c++ {
		if f < 0 {
			g.node(t, c, stride) // a direction: reached by chance
			continue
		}
		before := g.limits[f]
		g.limits[f] = before.below(t, n, c, levels)
		g.node(t, c, stride)
		g.limits[f] = before
	}
}

// probe makes the rows of a node, and reports whether they lie at what it compares with.
func (g *maker) probe(t *tree.Tree, n int32) bool {
	f := g.source(t.Feature(n))
	if f < 0 && g.derived.of[t.Feature(n)] != nil {
		return g.probeDerived(t.Feature(n), t.SplitPoint(n))
	}
	if f < 0 {
		for range perNode {
			g.add(g.base())
		}
		return false
	}
	var values []float64
	if t.Kind(n) == tree.Numeric {
		values = around(t.SplitPoint(n))
	} else {
		values = g.categories(f, t.Set(n))
	}
	if int(t.Feature(n)) >= len(g.fields) {
		values = append(values, zeros()...)
	}
	for _, x := range append(values, math.NaN()) {
		g.addWith([]int32{int32(f)}, []float64{x})
	}
	return true
}

// around returns a split point and its neighbours in double and single precision.
func around(c float64) []float64 {
	inf := math.Inf(1)
	values := []float64{c, math.Nextafter(c, inf), math.Nextafter(c, -inf)}
	t := tree.As32(c)
	for _, x := range []float32{t, math.Nextafter32(t, float32(-inf))} {
		if wide := float64(x); !slices.Contains(values, wide) && !math.IsInf(wide, 0) {
			values = append(values, wide)
		}
	}
	return slices.DeleteFunc(values, func(x float64) bool { return math.IsInf(x, 0) })
}

// zeros returns values that count as 0 where that is missing, and their nearest neighbours.
func zeros() []float64 {
	const zero = input.LargestZero
	return []float64{0, zero, -zero, math.Nextafter(zero, 1), math.Nextafter(-zero, -1)}
}

// categories returns codes: one in a set, one outside, the last of the column, and an unseen one.
func (g *maker) categories(f int, set []uint64) []float64 {
	levels := len(g.fields[f].Levels)
	values := []float64{-1}
	inside, outside := -1, -1
	start := 0
	if levels > 0 {
		start = g.random.Intn(levels)
	}
	for i := range levels {
		code := (start + i) % levels
		if tree.InSet(set, uint32(code)) {
			inside = code
		} else {
			outside = code
		}
	}
	for _, code := range []int{inside, outside, levels - 1} {
		if code >= 0 {
			values = append(values, float64(code))
		}
	}
	return values
}

// base returns a row that meets the limits.
func (g *maker) base() []float64 {
	row := make([]float64, len(g.fields))
	for f := range row {
		row[f] = g.value(f)
	}
	g.meet(row, nil)
	return row
}

// value returns a value of a column within its limit.
func (g *maker) value(f int) float64 {
	l := limit{low: math.Inf(-1), high: math.Inf(1)}
	if g.limits != nil {
		l = g.limits[f]
	}
	if l.state == missing || l.state == either && g.random.Intn(8) == 0 &&
		g.fields[f].Missing != data.Refuse {
		return math.NaN()
	}
	if g.fields[f].Kind == data.Categorical {
		return g.category(f, l.allowed)
	}
	if n := len(g.points[f]); n > 0 && l.state == either {
		return finite(g.points[f][g.random.Intn(n)])
	}
	switch low, high := l.low, l.high; {
	case math.IsInf(low, -1) && math.IsInf(high, 1):
		return 0
	case math.IsInf(high, 1):
		return finite(math.Nextafter(low, high))
	case math.IsInf(low, -1) || g.random.Intn(2) == 0:
		return finite(high)
	default:
		return finite(math.Nextafter(low, high))
	}
}

// finite returns x, or the largest number in place of an infinity: not every tool takes those.
func finite(x float64) float64 { return max(min(x, math.MaxFloat32), -math.MaxFloat32) }

// category returns one of the allowed codes of a column, nil = all, or one that is unseen if there
// is none.
func (g *maker) category(f int, allowed []uint64) float64 {
	levels := len(g.fields[f].Levels)
	if levels == 0 {
		return -1
	}
	start := g.random.Intn(levels)
	if allowed == nil {
		return float64(start)
	}
	for i := range levels {
		if code := (start + i) % levels; tree.InSet(allowed, uint32(code)) {
			return float64(code)
		}
	}
	return -1
}

// add adds a row, unless the model has no prediction for it.
func (g *maker) add(row []float64) {
	if g.check(row) == nil {
		g.probes.Values = append(g.probes.Values, row...)
	}
}
