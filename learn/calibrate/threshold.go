package calibrate

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
)

// Aim is what a threshold between two classes is chosen for.
type Aim struct {
	Name string
	Help string
	// Of returns how good labels are, more is better, by the weights of the rows of each class (first index) that get each
	// label (second).
	Of func(n [2][2]float64, costs data.Costs) float64
}

// costAim is the aim that needs costs.
const costAim = "cost"

// Aims lists what a threshold may be chosen for. The second class is the positive one.
func Aims() []Aim {
	share := func(part, whole float64) float64 {
		if whole == 0 {
			return 0
		}
		return part / whole
	}
	return []Aim{
		{"accuracy", "share of right labels", func(n [2][2]float64, _ data.Costs) float64 {
			return share(n[0][0]+n[1][1], n[0][0]+n[0][1]+n[1][0]+n[1][1])
		}},
		{"balanced_accuracy", "mean of the shares of right labels in both classes", func(n [2][2]float64, _ data.Costs) float64 {
			return (share(n[0][0], n[0][0]+n[0][1]) + share(n[1][1], n[1][0]+n[1][1])) / 2
		}},
		{"f1", "harmonic mean of precision and recall of the second class", func(n [2][2]float64, _ data.Costs) float64 {
			return share(2*n[1][1], 2*n[1][1]+n[0][1]+n[1][0])
		}},
		{"mcc", "Matthews's correlation of label and class", func(n [2][2]float64, _ data.Costs) float64 {
			norm := math.Sqrt(n[0][0]+n[0][1]) * math.Sqrt(n[1][0]+n[1][1]) * math.Sqrt(n[0][0]+n[1][0]) * math.Sqrt(n[0][1]+n[1][1])
			return share(float64(n[0][0]*n[1][1])-float64(n[0][1]*n[1][0]), norm)
		}},
		{costAim, "least mean cost, by the parameter costs", func(n [2][2]float64, costs data.Costs) float64 {
			return -(float64(n[0][1]*costs.Of(0, 1)) + float64(n[1][0]*costs.Of(1, 0)))
		}},
	}
}

// aimByName returns an aim.
func aimByName(name string) (*Aim, error) {
	for _, a := range Aims() {
		if a.Name == name {
			return &a, nil
		}
	}
	return nil, fmt.Errorf("no threshold can be chosen for %q", name)
}

// Threshold returns the threshold between two classes that serves an aim best on rows with shares of the second class, and how well it
// does: the label is the second class where the share is greater. It lies halfway between neighbouring shares, or halfway to 0 or 1,
// but at 1/2 if that is between them; of thresholds that are as good it is the one nearest to 1/2. weight may be nil. A threshold below all shares does not exist if
// one of them is 0, for a threshold of 0 is none.
func Threshold(a *Aim, shares []float64, class []uint32, weight []float64, costs data.Costs) (threshold, value float64) {
	w := weigher(weight)
	order := make([]int, len(shares))
	var n [2][2]float64 // all rows get the second label at first
	for i := range order {
		order[i] = i
		n[class[i]][1] += w(i)
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(shares[x], shares[y]) })
	value = math.Inf(-1)
	try := func(below, above float64) {
		at := below + float64((above-below)/2)
		if below <= 0.5 && 0.5 < above {
			at = 0.5
		}
		if !(at > 0 && at >= below && (at < above || above == 1)) {
			return
		}
		if got := a.Of(n, costs); got > value || got == value && math.Abs(at-0.5) < math.Abs(threshold-0.5) {
			threshold, value = at, got
		}
	}
	last := 0.0
	for from := 0; from < len(order); {
		share := shares[order[from]]
		if share > last || from == 0 {
			try(last, share)
		}
		for ; from < len(order) && shares[order[from]] == share; from++ {
			i := order[from]
			n[class[i]][1] -= w(i)
			n[class[i]][0] += w(i)
		}
		last = share
	}
	try(last, 1) // nothing is above
	return threshold, value
}
