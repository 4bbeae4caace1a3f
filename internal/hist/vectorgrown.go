package hist

import (
	"github.com/coppice-ml/coppice/internal/bins"
	"github.com/coppice-ml/coppice/tree"
)

// VectorLeaf is one leaf of a tree for several outputs.
type VectorLeaf struct {
	Node int32 // its number in the tree
	// the rows of the matrix that it was grown on, ascending; valid until the grower's next tree
	Rows  []int32
	G, H  []float64 // by output: sums of their gradients and hessians
	Value []float64 // by output: the Newton step; see Leaf. May be changed before Tree and Add
}

// VectorGrown is a tree for several outputs that has just been grown, whose leaves may still be
// given other values.
type VectorGrown struct {
	Leaves []VectorLeaf // in the order of their nodes

	v     *VectorGrower
	grown *Grown // its nodes; it has no leaves
}

// finish lists the leaves.
func (t *VectorGrown) finish() {
	for n, l := range t.grown.nodes {
		if t.grown.inner(l) {
			continue
		}
		leaf := VectorLeaf{Node: int32(n), Rows: t.v.r.order[l.begin:l.end], Value: l.several.value}
		for _, s := range l.several.sum {
			leaf.G, leaf.H = append(leaf.G, s.g), append(leaf.H, s.h)
		}
		t.Leaves = append(t.Leaves, leaf)
	}
}

// Tree returns the tree with all values of leaves times shrink, the learning rate: a tree.Vector of
// as many numbers as there are outputs. Its nodes know how many rows they were grown on, the mean
// over the outputs of the sums of their hessians, as Weight, and what their splits gain.
func (t *VectorGrown) Tree(shrink float64) (*tree.Tree, error) {
	b := tree.NewBuilder(tree.Vector, t.v.outputs, true)
	for _, l := range t.grown.split {
		b.Split(l.node, t.v.r.describe(&l.split))
	}
	for n, l := range t.grown.nodes {
		weight := 0.0
		for _, s := range l.several.sum {
			weight += s.h
		}
		b.SetStats(int32(n), l.len(), max(0, weight/float64(t.v.outputs)), 0)
	}
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
	t.add(nil, t.v.r.m.Len(), raw, among, shrink)
}

// AddTo is Add for all rows of another matrix of the same columns, which bins.Encode makes.
func (t *VectorGrown) AddTo(m *bins.Matrix, raw []float64, shrink float64) {
	t.add(m, m.Len(), raw, nil, shrink)
}

func (t *VectorGrown) add(to *bins.Matrix, n int, raw []float64, among []int32, shrink float64) {
	value := make([][]float64, len(t.grown.nodes))
	for _, l := range t.Leaves {
		value[l.Node] = shrunk(l.Value, shrink)
	}
	t.grown.reach(to, among, func(leaf int32, rows []int32) {
		for k, v := range value[leaf] {
			to := raw[k*n : (k+1)*n]
			for _, r := range rows {
				to[r] += v
			}
		}
	})
}
