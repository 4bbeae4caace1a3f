package reproductions

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/report/plot"
)

// voters shows why many poor classifiers make a good one if they err independently: a majority of n
// voters, each wrong with probability p < 1/2, is wrong with probability P[Binomial(n, p) >= n/2],
// which falls exponentially.
var voters = Reproduction{
	Name:  "voters",
	Title: "Majority vote of n voters that are wrong with probability 0.4",
	Source: "lecture on ensembles: 0.075 at n = 60; Hoeffding's bound exp(-2 n (1/2 - p)²), " +
		"and exp(-n (1/2 - p)²) as the lecture prints it",
	run: func(context.Context, *Env) *Result { return votersOf(60, 20000) },
}

const voterWrong = 0.4 // probability that one voter is wrong

// majorityWrong returns P[Binomial(n, p) >= n/2] for n from 0 to most: the probability that at
// least half of n independent voters are wrong.
func majorityWrong(most int, p float64) []float64 {
	wrong := make([]float64, most+1)
	for n := range wrong {
		for k, s := range binomial(n, p) {
			if 2*k >= n {
				wrong[n] += s
			}
		}
	}
	return wrong
}

// votersSampled returns in which fraction of elections at least half of n voters are wrong.
func votersSampled(n, elections int, p float64) float64 {
	stream, lost := rng.New(uint64(n), 60), 0
	for range elections {
		wrong := 0
		for range n {
			if stream.Float64() < p {
				wrong++
			}
		}
		if 2*wrong >= n {
			lost++
		}
	}
	return float64(lost) / float64(elections)
}

// votersOf computes the curve up to most voters and counts elections at some places.
func votersOf(most, elections int) *Result {
	exact := majorityWrong(most, voterWrong)
	edge := 0.5 - voterWrong
	odd := plot.Curve{Name: "odd n"}
	even := plot.Curve{Name: "even n", Colour: 1}
	printed := plot.Curve{Name: "exp(−n (1/2 − p)²)", Style: plot.Dashes, Colour: 2}
	hoeffding := plot.Curve{Name: "exp(−2n (1/2 − p)²)", Style: plot.Dashes, Colour: 3}
	below := true
	for n := 1; n <= most; n++ {
		bound := kernel.Exp(-float64(n) * edge * edge)
		below = below && exact[n] <= bound
		add(&printed, n, bound)
		add(&hoeffding, n, kernel.Exp(-2*float64(n)*edge*edge))
		if n%2 == 1 {
			add(&odd, n, exact[n])
		} else {
			add(&even, n, exact[n])
		}
	}
	counted := plot.Curve{Name: fmt.Sprintf("counted in %d elections", elections),
		Style: plot.Marks, Colour: 4}
	t := Numbers{Title: "Probability that at least half of n voters are wrong",
		Columns: []string{"n", "exact", "counted", "± s.e."}}
	near := 0.0 // largest distance in standard errors
	for n := 5; n <= most; n += 5 {
		fraction := votersSampled(n, elections, voterWrong)
		se := math.Sqrt(exact[n] * (1 - exact[n]) / float64(elections))
		near = max(near, math.Abs(fraction-exact[n])/se)
		add(&counted, n, fraction)
		t.add("%v | %.4f | %.4f | %.4f", n, exact[n], fraction, se)
	}
	return &Result{
		Text: []string{"A majority is wrong where at least half of the voters are. A tie counts " +
			"as wrong, so that an even number is worse than the odd one before it. Voters must " +
			"err independently; trees of one table do not, which is what bagging and random " +
			"columns are for."},
		Claims: []Claim{{What: fmt.Sprintf("P[Binomial(%d, 0.4) >= %d]", most, most/2),
			Published: "0.075", Ours: exact[most], Digits: 4}},
		Findings: []Finding{
			{What: "the probability stays below exp(-n (1/2 - p)²) for every n", Holds: below,
				Found: fmt.Sprintf("checked for n = 1 to %d: %.3f against %.3f at the end", most,
					exact[most], printed.Y[most-1])},
			{What: "elections with random voters are lost as often", Unpublished: true,
				Holds: near < 4,
				Found: fmt.Sprintf("%d elections each: at most %.1f standard errors away",
					elections, near)},
		},
		Tables: []Numbers{t},
		Pictures: []Picture{Figure("", &plot.Figure{Title: "Many voters, each wrong with " +
			"probability 0.4",
			Subtitle: "The majority is wrong less and less often, if the voters err " +
				"independently; both dashed curves are bounds.",
			Charts: []plot.Chart{{X: plot.Scale{Label: "n, number of voters"},
				Y:      plot.Scale{Label: "probability that the majority is wrong", Zero: true},
				Curves: []plot.Curve{odd, even, printed, hoeffding, counted}}}}),
			Figure("histograms", votersHistograms([]int{5, 20, most}))},
	}
}

// binomial returns P[Binomial(n, p) = k] for k from 0 to n.
func binomial(n int, p float64) []float64 {
	fraction := []float64{1}
	for range n {
		next := make([]float64, len(fraction)+1)
		for k, s := range fraction {
			next[k] += float64((1 - p) * s)
			next[k+1] += float64(p * s)
		}
		fraction = next
	}
	return fraction
}

// votersHistograms draws how many of n voters are wrong, and which of these cases lose the vote.
func votersHistograms(sizes []int) *plot.Figure {
	fig := &plot.Figure{Title: "How many of n voters are wrong",
		Subtitle: "Each is wrong with probability 0.4. All of them hardly ever are; at least " +
			"half of them are less and less often."}
	note := "Probability that at least half are wrong:"
	for _, n := range sizes {
		right := plot.Curve{Name: "fewer than half wrong", Style: plot.Bars}
		lost := plot.Curve{Name: "at least half wrong", Style: plot.Bars, Colour: 2}
		all := plot.Curve{Name: "all wrong", Style: plot.Bars, Colour: 5}
		sum := 0.0
		for k, p := range binomial(n, voterWrong) {
			if 2*k >= n {
				sum += p
			}
			switch {
			case k == n:
				add(&all, k, p)
			case 2*k >= n:
				add(&lost, k, p)
			default:
				add(&right, k, p)
			}
		}
		note += fmt.Sprintf(" %.3f for n = %d,", sum, n)
		fig.Charts = append(fig.Charts, plot.Chart{
			X:      plot.Scale{Label: fmt.Sprintf("wrong voters of n = %d", n)},
			Y:      plot.Scale{Label: "probability", Zero: true},
			Curves: []plot.Curve{right, lost, all}})
	}
	fig.Notes = []string{strings.TrimSuffix(note, ",") + "."}
	return fig
}

// add adds a point to a curve.
func add(c *plot.Curve, x int, y float64) {
	c.X, c.Y = append(c.X, float64(x)), append(c.Y, y)
}
