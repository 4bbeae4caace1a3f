package grow

import "github.com/coppice-ml/coppice/internal/rng"

// unseenStream is the first number of the path of random streams that choose between equal sides.
const unseenStream = 0x756e7365656e

// nearlyEqual is the relative difference below which weights, distances and means count as equal:
// sums of the same rows in another order differ by less.
const nearlyEqual = 1e-9

// A Side is what the rule for unseen values needs of one child of a split.
type Side struct {
	Weight   float64 // total weight of its training rows
	Distance float64 // of its mean from the mean of the tree's root; not negative
	Mean     float64 // orders two sides whatever the categories are called
}

// UnseenLast reports whether a value that training had not, and a missing value where the node had
// none, goes to the last child of a split. It goes to the child of larger weight; of equal weights
// to the one whose mean is nearer to that of the tree's root. If these are equal too, a hash of
// seed, tree and node chooses between the side of lower and of higher mean. So the names of the
// categories never decide.
func UnseenLast(first, last Side, seed uint64, tree, node int) bool {
	switch {
	case !near(first.Weight, last.Weight):
		return last.Weight > first.Weight
	case !near(first.Distance, last.Distance):
		return last.Distance < first.Distance
	}
	higher := rng.Seed(seed, unseenStream, uint64(tree), uint64(node))>>63 == 1
	return higher == (last.Mean > first.Mean)
}

func near(a, b float64) bool {
	return max(a-b, b-a) <= nearlyEqual*max(a, -a, b, -b)
}
