package native

import (
	"math"

	"github.com/coppice-ml/coppice/tree"
)

// hostileParts are damages of fractions, directions and surrogates; codectest.Full makes the tree.
var hostileMembers = []damage{
	{"terms of too few trees", func(d *draft) { d.forest.terms = d.forest.terms[:1] }, "sizes of 1 trees"},
	{"terms beyond int32", func(d *draft) { d.forest.terms[0] = math.MaxUint32 }, "4294967295 terms"},
	{"terms beyond the array", func(d *draft) { d.forest.terms[0] = 1 << 20 }, `array "dir.feature"`},
	{"terms of nobody", func(d *draft) { d.forest.terms[0]-- }, `array "dir.feature"`},
	{"terms of a tree without directions", func(d *draft) { d.forest.terms[1] = 1 }, "tree 1 has 1 terms and no directions"},
	{"directions that the tree has not", func(d *draft) { d.forest.has[0] &^= hasDirections }, "tree 0 has 3 terms and no directions"},
	{"directions that the file has not", func(d *draft) { d.forest.has[1] |= hasDirections }, `array "node.dirat"`},
	{"sizes of terms left out", func(d *draft) { d.forest.terms = nil }, `array "dir.feature"`},
	{"surrogates beyond int32", func(d *draft) { d.forest.surrogates[0] = math.MaxUint32 }, "4294967295 surrogates"},
	{"surrogates beyond the array", func(d *draft) { d.forest.surrogates[0]++ }, `array "surr.kind"`},
	{"surrogates of a tree without them", func(d *draft) { d.forest.surrogates[1] = 1 }, "arrays of surrogates that it does not have"},
	{"sets of no surrogates", func(d *draft) { d.forest.has[1] |= hasSurrogateSets }, "arrays of surrogates that it does not have"},
	{"words of surrogates without sets", func(d *draft) { d.forest.has[0] &^= hasSurrogateSets }, "arrays of surrogates that it does not have"},
	{"words of surrogates beyond int32", func(d *draft) { d.forest.surrWords[0] = 1 << 31 }, "2147483648 words of their sets"},
	{"words of surrogates beyond the array", func(d *draft) { d.forest.surrWords[0]++ }, `array "surr.sets"`},
	{"fractions that the tree has not", func(d *draft) { d.forest.has[0] &^= hasFractions }, `array "node.fraction"`},
	{"fractions that the file has not", func(d *draft) { d.forest.has[1] |= hasFractions }, `array "node.fraction"`},

	{"fraction is NaN", editFloat("node.fraction", 5, math.NaN()), "fraction NaN"},
	{"fraction above 1", editFloat("node.fraction", 7, 1.5), "fraction 1.5"},
	{"fractions that lose rows", editFloat("node.fraction", 6, 0.5), "node 2 divides rows by fractions"},
	{"stop without value", editNumber("node.slot", 5, uint32(math.MaxUint32)), "node 5 stops rows and has no value"},
	{"more children than levels", editFeature(6, 2), "3 children for a dictionary of 0"},
	{"by code of a number", editFeature(6, 0), "as categorical"},
	{"direction with a feature", editFeature(2, 0), "node 2 has no direction"},
	{"direction of a numeric split", editLook(2, tree.Numeric, 0, 0), "node 2 has a direction it does not use"},
	{"no direction", editLook(1, tree.Oblique, 0, -1), "node 1 has no direction"},
	{"direction of negative length", editNumber("node.dirat", 2, uint32(9)), "directions: list 2 has a negative length"},
	{"directions beyond the terms", editNumber("node.dirat", 14, uint32(4)), "index of directions does not fit"},
	{"direction below the terms", editNumber("node.dirat", 1, uint32(math.MaxUint32)), "directions: list 0 has a negative length"},
	{"term beyond the schema", editNumber("dir.feature", 1, uint32(4)), "feature 4 of 4"},
	{"term of another kind", editNumber("dir.feature", 1, uint32(1)), "as numeric"},
	{"terms in disorder", editNumber("dir.feature", 0, uint32(3)), "do not ascend"},
	{"coefficient is infinite", editFloat("dir.coef", 2, math.Inf(-1)), "not finite"},

	{"surrogates of negative length", editNumber("node.surrat", 1, uint32(3)), "surrogates: list 1 has a negative length"},
	{"surrogates of another rule", editLook(0, tree.SetFirst, tree.MissingFirst, 1), "node 0 has surrogates it does not use"},
	{"surrogate of unknown kind", editNumber("surr.kind", 0, byte(99)), "surrogate 0: kind 99"},
	{"surrogate by code", editNumber("surr.kind", 1, byte(4)), "surrogate 1: kind 4"},
	{"surrogate beyond the schema", editNumber("surr.feature", 0, uint32(math.MaxInt32)), "feature 2147483647 of 4"},
	{"surrogate of another kind", editNumber("surr.feature", 0, uint32(1)), "surrogate 0: the categorical column"},
	{"split point of a surrogate is NaN", editFloat("surr.split", 0, math.NaN()), "surrogate 0: kind 1"},
	{"surrogate flipped twice", editNumber("surr.flip", 1, byte(2)), "surrogate 1: kind 2"},
	{"surrogate's set of negative length", editNumber("surr.setat", 1, uint32(5)), "surrogates' sets: list 1 has a negative length"},
	{"surrogate's code beyond the dictionary", editNumber("surr.sets", 1, uint64(4)), "code 66 in the set"},
	{"agreement is NaN", editFloat("surr.agree", 0, math.NaN()), "agreement of a surrogate is not finite"},
	{"adjusted agreement is infinite", editFloat("surr.adjusted", 1, math.Inf(1)), "agreement of a surrogate is not finite"},
}

// editFloat is editNumber for doubles.
func editFloat(name string, i int, x float64) func(*draft) {
	return editNumber(name, i, math.Float64bits(x))
}
