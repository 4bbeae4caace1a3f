package draw

import (
	"math"

	"github.com/coppice-ml/coppice/internal/svg"
	"github.com/coppice-ml/coppice/tree"
)

// scale is the common axis of the numbers of a Scalar tree. Values are drawn as bars from the
// reference. This is the root's value, the prediction of a tree without tests, or 0 where inner
// nodes have no values.
type scale struct{ low, high, ref float64 }

// scale spans the finite values of the nodes that are shown. It is the zero scale for other kinds
// of values.
func (v *view) scale(order []int32) scale {
	var s scale
	if v.t.Leaf.Kind != tree.Scalar {
		return s
	}
	if root := v.value[0]; root != nil && v.t.Kind(0) != tree.Leaf && finite(root[0]) {
		s.ref = root[0]
	}
	s.low, s.high = s.ref, s.ref
	for _, n := range order {
		if x := v.value[n]; x != nil && finite(x[0]) {
			s.low, s.high = min(s.low, x[0]), max(s.high, x[0])
		}
	}
	return s
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// at returns the place of x on the axis, 0 to 1. Halves keep the range of the largest numbers
// finite; the conversions keep arm64 from fusing them with the subtraction.
func (s scale) at(x float64) float64 {
	length := float64(s.high/2) - float64(s.low/2)
	if !(length > 0) || math.IsNaN(x) {
		return 0.5
	}
	return max(0, min(1, (float64(x/2)-float64(s.low/2))/length))
}

// accent returns the colour of the prediction of node n, and its strength in percent. For classes
// the strength is the distance of the highest probability from chance. For numbers it is the
// distance of the value from the reference, relative to that side of the axis.
func (v *view) accent(n int32, s scale) (svg.Colour, int) {
	if probabilities := v.classProbabilities(n); probabilities != nil {
		k := v.names.Costs.Label(probabilities)
		if len(probabilities) == 1 {
			return svg.ClassColour(k), 100
		}
		chance := 1 / float64(len(probabilities))
		return svg.ClassColour(k), percentOf(probabilities[k]-chance, 1-chance)
	}
	value := v.value[n]
	if v.t.Leaf.Kind != tree.Scalar || value == nil || math.IsNaN(value[0]) {
		return svg.Border, 0
	}
	x, ref := s.at(value[0]), s.at(s.ref)
	if value[0] < s.ref {
		return svg.Below, percentOf(ref-x, ref)
	}
	return svg.Above, percentOf(x-ref, 1-ref)
}

func percentOf(part, whole float64) int {
	if !(whole > 0) {
		return 0
	}
	return max(0, min(100, int(math.Round(100*(part/whole)))))
}
