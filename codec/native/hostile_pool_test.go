package native

import (
	"math"
	"testing"

	"github.com/coppice-ml/coppice/codec/codectest"
	"github.com/coppice-ml/coppice/tree"
)

// hostilePool are damages of samples and of the values that they are of; codectest.Pool makes the
// trees.
var hostilePool = []damage{
	{"samples of too few trees", func(d *draft) { d.forest.samples = d.forest.samples[:1] }, "sizes of 1 trees"},
	{"samples beyond int32", func(d *draft) { d.forest.samples[0] = math.MaxUint32 }, "4294967295 samples"},
	{"samples beyond the array", func(d *draft) { d.forest.samples[0] = 1 << 20 }, `array "sample.rank"`},
	{"samples of nobody", func(d *draft) { d.forest.samples[0]-- }, `array "sample.rank"`},
	{"sizes of samples left out", func(d *draft) { d.forest.samples = nil }, `array "sample.rank"`},
	{"samples that the tree has not", func(d *draft) { d.forest.has[0] &^= hasSamples }, "tree 0 has arrays of samples"},
	{"weights of no samples", func(d *draft) { d.forest.has[1] &^= hasSamples }, "tree 1 has arrays of samples"},
	{"weights that the file has not", func(d *draft) { d.forest.has[0] |= hasSampleWeights }, `array "sample.weight"`},
	{"samples for more values", func(d *draft) { d.forest.slots[0]++ }, `array "values"`},
	{"samples of negative length", editNumber("sample.at", 1, uint32(9)), "samples: list 1 has a negative length"},
	{"samples in disorder", editNumber("sample.rank", 1, uint32(2)), "slot 0: the ranks of its samples do not ascend"},
	{"leaf without samples", editNumber("sample.at", 1, uint32(0)), "node 1, at which rows end, has no samples"},
	{"samples beyond the index", editNumber("sample.at", 2, uint32(3)), "index of samples does not fit"},
	{"rank beyond the values", editNumber("sample.rank", 3, uint32(3)), "a sample has rank 3 of 3"},
	{"huge rank", editNumber("sample.rank", 3, uint32(math.MaxUint32)), "a sample has rank 4294967295 of 3"},
	{"weight 0", editFloat("sample.weight", 0, 0), "a sample has weight 0"},
	{"weight is NaN", editFloat("sample.weight", 1, math.NaN()), "a sample has weight NaN"},
	{"weight is infinite", editFloat("sample.weight", 0, math.Inf(1)), "a sample has weight +Inf"},
	{"samples of vectors", func(d *draft) { d.forest.leaf[1] = tree.Vector }, "samples of a tree that is not one of numbers"},

	{"values in disorder", func(d *draft) { d.forest.targets = []float64{1, 4, 2} }, "training value 2 is not above"},
	{"same value twice", func(d *draft) { d.forest.targets = []float64{1, 1, 2} }, "training value 1 is not above"},
	{"value is infinite", func(d *draft) { d.forest.targets[2] = math.Inf(1) }, "a training value is not finite"},
	{"value is NaN", func(d *draft) { d.forest.targets[0] = math.NaN() }, "a training value is not finite"},
	{"no values", func(d *draft) { d.forest.targets = nil }, "rank 0 of 0"},
	{"values that nobody pools", func(d *draft) { d.head.Combine = "mean" }, "does not pool them"},
	{"start value of a pool", func(d *draft) { d.forest.bias = []float64{1} }, "without start value"},
	{"link of a pool", func(d *draft) { d.head.Link = "halving" }, "without start value or link"},
	{"weight of a tree below 0", func(d *draft) { d.forest.weights = []float64{2, -1} }, "tree 1 has weight -1 in a pool"},
	{"infinite weight", func(d *draft) { d.forest.weights = []float64{math.MaxFloat64, math.MaxFloat64} }, "infinite weight"},
	{"tree without samples", func(d *draft) {
		d.edit = func(s []section) []section {
			m := codectest.Pool()
			m.Trees[0].Leaf.Samples = nil
			f := newForest(m)
			s[len(s)-1] = arraySection("trees", append(f.perTree(), f.perNode()...))
			return s
		}
	}, "tree 0: keeps no samples"},
	{"tree that divides rows", func(d *draft) {
		d.edit = func(s []section) []section {
			m := codectest.Pool()
			b := tree.NewBuilder(tree.Scalar, 1, false)
			b.SetFraction(b.Split(0, tree.Split{Kind: tree.Numeric, Missing: tree.MissingFractional}), 1)
			b.SetFraction(2, 0)
			m.Trees[1], _ = b.Build()
			m.Trees[1].Leaf.Samples = &tree.Samples{At: []int32{0, 0, 1, 2}, Rank: []uint32{0, 1}}
			f := newForest(m)
			s[len(s)-1] = arraySection("trees", append(f.perTree(), f.perNode()...))
			return s
		}
	}, "tree 1: node 0 divides rows"},
	{"pool without trees", func(d *draft) {
		d.head.Trees = 0
		d.edit = func(s []section) []section { s[len(s)-1] = arraySection("trees", nil); return s }
	}, "a pool without trees"},
}

func TestHostilePools(t *testing.T) { refuse(t, codectest.Pool, hostilePool) }
