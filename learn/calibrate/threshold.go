package calibrate

import (
	"cmp"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/enum"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/param"
)

// Aim is what a threshold between two classes is chosen for.
type Aim = param.Enum[aimNames]

// The aims, by their places in the table of aims.
const (
	// no threshold is chosen
	AimNone Aim = iota
	// fraction of right labels
	AimAccuracy
	// mean of the recalls of both classes
	AimBalancedAccuracy
	// harmonic mean of precision and recall of the positive class
	AimF1
	// Matthews's correlation of label and class
	AimMCC
	// least mean cost, by the parameter costs
	AimCost
)

type aimNames struct{}

func (aimNames) Enum() (string, []string) {
	return "threshold_for", append([]string{"none"},
		enum.NamesOf(aims(), func(a aim) string { return a.name })...)
}

// aim is an entry of the table of aims.
type aim struct {
	name string
	help string
	// of returns how good labels are, more is better, by the weights of the outcomes and the costs
	// of wrong ones. The first class of the costs is the negative one.
	of func(o metric.Outcomes, costs data.Costs) float64
}

// aims lists what a threshold may be chosen for, from AimAccuracy on. A ratio of 0 to 0 is worth 0.
func aims() []aim {
	worth := func(v float64) float64 {
		if math.IsNaN(v) {
			return 0
		}
		return v
	}
	return []aim{
		{"accuracy", "fraction of right labels",
			func(o metric.Outcomes, _ data.Costs) float64 { return worth(o.Accuracy()) }},
		{"balanced_accuracy", "mean of the recalls of both classes",
			func(o metric.Outcomes, _ data.Costs) float64 {
				return worth(o.BalancedAccuracy())
			}},
		{"f1", "harmonic mean of precision and recall of the positive class",
			func(o metric.Outcomes, _ data.Costs) float64 { return worth(o.F1()) }},
		{"mcc", "Matthews's correlation of label and class",
			func(o metric.Outcomes, _ data.Costs) float64 { return worth(o.MCC()) }},
		{"cost", "least mean cost, by the parameter costs",
			func(o metric.Outcomes, costs data.Costs) float64 {
				return -(float64(o.FP*costs.Of(0, 1)) + float64(o.FN*costs.Of(1, 0)))
			}},
	}
}

// bestThreshold returns the threshold between two classes that is best for an aim, and its value of
// the aim. The label of a row is the positive class where its probability is greater than the
// threshold.
//
// The threshold lies halfway between neighbouring probabilities, or halfway to 0 or 1, but at 1/2
// if that is between them. Of equally good thresholds it is the one nearest to 1/2. weight may be
// nil; the first class of the costs is the negative one. There is no threshold below all
// probabilities if one of them is 0, because a threshold of 0 means none.
func bestThreshold(a Aim, probabilities []float64, positive []bool, weight []float64,
	costs data.Costs) (threshold, value float64) {
	w, worth := weigher(weight), aims()[a-1].of
	order := make([]int, len(probabilities))
	var n metric.Outcomes // all rows are labelled positive at first
	for i := range order {
		order[i] = i
		n.Add(positive[i], true, w(i))
	}
	slices.SortStableFunc(order,
		func(x, y int) int { return cmp.Compare(probabilities[x], probabilities[y]) })
	value = math.Inf(-1)
	try := func(below, above float64) {
		at := below + float64((above-below)/2)
		if below <= 0.5 && 0.5 < above {
			at = 0.5
		}
		if !(at > 0 && at >= below && (at < above || above == 1)) {
			return
		}
		if got := worth(n, costs); got > value || got == value &&
			math.Abs(at-0.5) < math.Abs(threshold-0.5) {
			threshold, value = at, got
		}
	}
	last := 0.0
	for from := 0; from < len(order); {
		p := probabilities[order[from]]
		if p > last || from == 0 {
			try(last, p)
		}
		for ; from < len(order) && probabilities[order[from]] == p; from++ {
			i := order[from]
			n.Add(positive[i], true, -w(i))
			n.Add(positive[i], false, w(i))
		}
		last = p
	}
	try(last, 1) // nothing is above
	return threshold, value
}
