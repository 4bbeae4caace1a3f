package hist

import (
	"context"
	"errors"

	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
	"github.com/coppice-ml/coppice/tree"
)

// VectorGrower grows trees whose leaves hold a value for each of several outputs, so that all share
// their splits: what a split gains is the sum of what it gains for each output (Zhang & Jung 2020,
// "GBDT-MO"; XGBoost's multi_output_tree). Weights of children, as for MinChildWeight, are means
// over the outputs. It is used as a Grower is, but no column may be monotone, and Compatibility has
// no meaning.
type VectorGrower struct{ *engine }

// NewVectorGrower returns a grower of trees on a matrix for some outputs, at least one.
func NewVectorGrower(m *bins.Matrix, c Config, outputs int) *VectorGrower {
	c.Compatibility = Compatibility{}
	return &VectorGrower{newEngine(m, c, outputs, newVectorScanner)}
}

// Grow grows a tree on some rows of the matrix, ascending and distinct; nil = all. Gradients g and
// hessians h are output-major: those of output k by row of the matrix from k times the number of
// rows on. What is sampled at random comes from the stream of seed. It returns the errors of
// Grower.Grow, and one if a column is monotone.
func (r *VectorGrower) Grow(
	ctx context.Context, g, h []float64, rows []int32, seed uint64,
) (*VectorGrown, error) {
	if r.c.Monotone != nil {
		return nil, errors.New("trees of several outputs grow without monotone columns")
	}
	from := source{outputs: len(r.sums), g: g, h: h, rows: rows, n: r.tables.m.Len()}
	t, err := r.growTree(ctx, &from, seed)
	if err != nil {
		return nil, err
	}
	return newVectorGrown(t), nil
}

// VectorLeaf is one leaf of a tree for several outputs.
type VectorLeaf struct {
	Node int32 // its number in the tree
	// the rows of the matrix that it was grown on, ascending; valid until the grower's next tree
	Rows  []int32
	Basis []int32   // the rows that Value is computed of; see Leaf
	G, H  []float64 // by output: sums of the gradients and hessians of Rows
	Value []float64 // by output: the Newton step; see Leaf. May be changed before Tree and Add
}

// VectorGrown is a tree for several outputs that has just been grown, whose leaves may still be
// given other values.
type VectorGrown struct {
	Leaves []VectorLeaf // in the order of their nodes

	*grown
}

func newVectorGrown(of *grown) *VectorGrown {
	t := &VectorGrown{grown: of}
	of.leaves(func(n int32, l *open) {
		leaf := VectorLeaf{Node: n, Rows: of.order.of(l), Basis: of.order.of(l.basis)}
		for k := range l.outputs {
			g, h := of.sums(l, k)
			leaf.G, leaf.H, leaf.Value = append(leaf.G, g), append(leaf.H, h),
				append(leaf.Value, l.outputs[k].value)
		}
		t.Leaves = append(t.Leaves, leaf)
	})
	return t
}

// Tree returns the tree with all values of leaves times shrink, the learning rate: a tree.Vector of
// as many numbers as there are outputs. Its nodes store how many rows they were grown on, the mean
// over the outputs of the sums of their hessians, as Weight, and what their splits gain.
func (t *VectorGrown) Tree(shrink float64) (*tree.Tree, error) {
	b := t.builder(tree.Vector)
	for _, l := range t.Leaves {
		b.SetValue(l.Node, shrunk(l.Value, shrink))
	}
	return b.Build()
}

// shrunk returns values times the learning rate.
func shrunk(values []float64, shrink float64) []float64 {
	s := make([]float64, len(values))
	for k, v := range values {
		s[k] = float64(v * shrink)
	}
	return s
}

// Add adds the values of each row's leaf times shrink to raw, one score per output and row of the
// matrix, output-major; see Grown.Add.
func (t *VectorGrown) Add(raw []float64, among []int32, shrink float64) {
	t.add(nil, t.in.tables.m.Len(), raw, among, shrink)
}

// AddTo is Add for all rows of another matrix of the same columns, which bins.Encode makes.
func (t *VectorGrown) AddTo(m *bins.Matrix, raw []float64, shrink float64) {
	t.add(m, m.Len(), raw, nil, shrink)
}

func (t *VectorGrown) add(to *bins.Matrix, n int, raw []float64, among []int32, shrink float64) {
	value := make([][]float64, len(t.nodes))
	for _, l := range t.Leaves {
		value[l.Node] = l.Value
	}
	t.addValues(to, raw, n, among, value, shrink)
}
