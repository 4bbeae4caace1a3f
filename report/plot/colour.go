package plot

import (
	"math"

	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/svg"
)

// pointColour is that of points that stand for rows and nothing else.
var pointColour = svg.Tint(svg.Below, 60)

// ramp gives numbers colours: blue below a reference, orange above it, deeper the farther they are.
type ramp struct{ low, ref, high float64 }

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
