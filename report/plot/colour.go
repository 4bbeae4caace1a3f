package plot

import (
	"math"
	"slices"

	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/svg"
	"github.com/coppice-ml/coppice/tree"
)

// pointColour is that of points that stand for rows and nothing else.
var pointColour = svg.Tint(svg.Below, 60)

// fill returns the colour of a cell.
func (p *partition) fill(node int32) svg.Colour {
	response := p.response[node]
	if !p.classes() {
		return p.ramp.at(response[0])
	}
	k := p.label(response)
	chance := 1 / float64(len(response))
	depth := 1.0
	if len(response) > 1 {
		depth = max(0, (response[k]-chance)/(1-chance))
	}
	return svg.Tint(svg.ClassColour(k), 12+int(math.Round(float64(30*depth))))
}

// ramp gives numbers colours: blue below a reference, orange above it, deeper the farther they are.
type ramp struct{ low, ref, high float64 }

// ramp spans the labels and the tree's predictions around the median label.
func (s *Subject) ramp() ramp {
	if s.classes() {
		return ramp{}
	}
	labels := s.Data.Target.Y[0]
	r := ramp{low: slices.Min(labels), ref: median(labels), high: slices.Max(labels)}
	for n, v := range s.response {
		if v != nil && s.Tree.Kind(int32(n)) == tree.Leaf {
			r.low, r.high = min(r.low, v[0]), max(r.high, v[0])
		}
	}
	return r
}

func (r ramp) at(v float64) svg.Colour {
	region := func(of, whole float64) int {
		if !(whole > 0) {
			return 0
		}
		return int(math.Round(85 * max(0, min(1, of/whole))))
	}
	if v < r.ref {
		return svg.Tint(svg.Below, region(mean(r.ref, -v), mean(r.ref, -r.low)))
	}
	return svg.Tint(svg.Above, region(mean(v, -r.ref), mean(r.high, -r.ref)))
}

func (r ramp) legend() []entry {
	var all []entry
	for _, v := range []float64{r.low, mean(r.low, r.ref), r.ref, mean(r.ref, r.high), r.high} {
		all = append(all, entry{boxSample(r.at(v)), humanize.Number(v, 4)})
	}
	return all
}

// mean is half the sum of two numbers, which may be too large to be added.
func mean(a, b float64) float64 { return float64(a/2) + float64(b/2) }
