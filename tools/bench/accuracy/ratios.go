//go:build linux

package accuracy

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/tools/bench/pairs"
)

// ratio is how the first side's loss is to another's on a set, above 1 where the other is better:
// log losses, or roots of mean squared errors.
type ratio struct {
	set, side     string
	first, other  float64
	value, errors float64 // errors is how many standard errors the first is behind
}

// farBetter is the ratio above which another side should have been found by the first.
const farBetter = 1.1

// reportRatios prints for each set the side that is most ahead of the first one, and which are
// ahead by a tenth beyond two standard errors over blocks of test rows. Rounds count in which both
// sides are there.
func (b *bench) reportRatios(problems []*problem) {
	var worst, far []ratio
	for _, p := range problems {
		var best ratio
		for k := range b.sides[1:] {
			r, known := b.ratioOf(p, &b.sides[1+k])
			if !known {
				continue
			}
			if r.value > best.value {
				best = r
			}
			if r.value > farBetter && r.errors > 2 {
				far = append(far, r)
			}
		}
		if best.side != "" {
			worst = append(worst, best)
		}
	}
	if len(worst) == 0 {
		return
	}
	sorted := func(all []ratio) (lines [][]string) {
		slices.SortStableFunc(all, func(a, b ratio) int { return cmp.Compare(b.value, a.value) })
		for _, r := range all {
			lines = append(lines, []string{r.set, r.side, fmt.Sprintf("%.5f", r.first),
				fmt.Sprintf("%.5f", r.other), fmt.Sprintf("%.3f", r.value),
				fmt.Sprintf("%.1f", r.errors)})
		}
		return lines
	}
	head := []string{"set", "side", b.sides[0].text, "the side", "ratio", "standard errors"}
	fmt.Print("\n## The side most ahead of the first, by log loss or root mean squared error\n\n")
	pairs.Markdown(head, sorted(worst))
	fmt.Printf("\n## Ahead by a factor of %g beyond two standard errors: %d\n\n", farBetter, len(far))
	if len(far) > 0 {
		pairs.Markdown(head, sorted(far))
	}
}

// ratioOf compares the first side with another by the rounds and blocks of both; false: there are
// none.
func (b *bench) ratioOf(p *problem, other *side) (ratio, bool) {
	var first, second, behind []float64
	for i := range p.rounds {
		one, two := b.read(p, i, &b.sides[0]), b.read(p, i, other)
		if one == nil || two == nil || len(one.Blocks) != len(two.Blocks) {
			continue
		}
		for k, v := range one.Blocks {
			first, second = append(first, v), append(second, two.Blocks[k])
			behind = append(behind, v-two.Blocks[k])
		}
	}
	if len(behind) == 0 {
		return ratio{}, false
	}
	r := ratio{set: p.name, side: other.text}
	r.first, _ = pairs.Moments(first)
	r.other, _ = pairs.Moments(second)
	if by := pairs.IntervalOf(behind); by.SE > 0 {
		r.errors = by.Mean / by.SE
	}
	if !p.Target.Task.Classes() {
		r.first, r.other = math.Sqrt(r.first), math.Sqrt(r.other)
	}
	r.value = 1
	if r.other > 0 {
		r.value = r.first / r.other
	}
	return r, true
}
