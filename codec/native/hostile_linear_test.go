package native

import (
	"math"
	"testing"

	"github.com/coppice-ml/coppice/codec/codectest"
	"github.com/coppice-ml/coppice/tree"
)

// hostileLinear are damages of equations; codectest.Inclined makes the trees.
var hostileLinear = []damage{
	{"terms of too few trees", func(d *draft) { d.forest.linear = d.forest.linear[:1] }, "sizes of 1 trees"},
	{"terms beyond int32", func(d *draft) { d.forest.linear[0] = math.MaxUint32 }, "4294967295 terms"},
	{"terms beyond the array", func(d *draft) { d.forest.linear[0] = 1 << 20 }, `array "linear.feature"`},
	{"terms of nobody", func(d *draft) { d.forest.linear[0]-- }, `array "linear.feature"`},
	{"sizes of terms left out", func(d *draft) { d.forest.linear = nil }, `array "linear.feature"`},
	{"terms that the tree has not", func(d *draft) { d.forest.has[0] &^= hasLinear }, "tree 0 has 3 terms of equations"},
	{"equations that the file has not", func(d *draft) { d.forest.has[1] |= hasLinear }, `array "linear.at"`},
	{"equations of vectors", func(d *draft) { d.forest.leaf[0] = tree.Vector }, "equations of a tree that is not one of numbers"},
	{"terms of negative length", editNumber("linear.at", 1, uint32(9)), "equations: list 1 has a negative length"},
	{"index from 1 on", editNumber("linear.at", 0, uint32(1)), "index of equations does not fit"},
	{"features in disorder", editNumber("linear.feature", 1, uint32(0)), "slot 0: features of its equation do not ascend"},
	{"feature beyond the schema", editNumber("linear.feature", 1, uint32(3)), "feature 3 of 3"},
	{"feature of categories", editNumber("linear.feature", 1, uint32(2)), `the categorical column "c" is split as numeric`},
	{"negative feature", editNumber("linear.feature", 2, uint32(math.MaxUint32)), "feature -1 of 3"},
	{"constant is NaN", editFloat("linear.constant", 0, math.NaN()), "a number of an equation is not finite"},
	{"coefficient is infinite", editFloat("linear.coef", 2, math.Inf(-1)), "a number of an equation is not finite"},
}

func TestHostileEquations(t *testing.T) { refuse(t, codectest.Inclined, hostileLinear) }
