package playground

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/internal/criterion"
)

// impurities are the criteria that the scene compares, by their names in internal/criterion.
var impurities = []string{"gini", "entropy", "misclassification"}

// impurityRequest is points of two classes on a line.
type impurityRequest struct {
	Points []point `json:"points"` // Y is ignored
}

// impurityAnswer is the impurities of fractions, and what each split of the points gains.
type impurityAnswer struct {
	Curves []impurityCurve `json:"curves"`
	Splits []lineSplit     `json:"splits"` // by split point
	Root   [2]int          `json:"root"`   // points of each class
}

// impurityCurve is an impurity over the fraction of the second class, which goes from 0 to 1 in
// equal steps.
type impurityCurve struct {
	Name  string    `json:"name"`
	Value []float64 `json:"value"`
	Root  float64   `json:"root"` // of all points
	Best  int       `json:"best"` // split of the largest gain, the first of equal ones; -1 = none
}

// lineSplit is a split of the points: its children, and for each impurity what they have and what
// is gained.
type lineSplit struct {
	Point float64      `json:"point"`
	Left  [2]int       `json:"left"`
	Right [2]int       `json:"right"`
	Child [][2]float64 `json:"child"` // impurities of both children, by criterion
	Gain  []float64    `json:"gain"`  // less impurity, weighted by points
}

// curveSteps is the number of steps of an impurity curve.
const curveSteps = 100

func impurityOf(_ context.Context, _ *Handler, q *impurityRequest) (*impurityAnswer, error) {
	if len(q.Points) > maxLine {
		return nil, refuse("there are %d points, of %d at most", len(q.Points), maxLine)
	}
	a := &impurityAnswer{Splits: []lineSplit{}}
	for i, p := range q.Points {
		if p.Class != 0 && p.Class != 1 {
			return nil, refuse("point %d has the class %d: there are 0 and 1", i+1, p.Class)
		}
		a.Root[p.Class]++
	}
	var of []func(counts [2]int) float64
	for _, name := range impurities {
		f, err := meanImpurity(name)
		if err != nil {
			return nil, err
		}
		c := impurityCurve{Name: name, Root: f(a.Root), Best: -1}
		for i := range curveSteps + 1 {
			c.Value = append(c.Value, f([2]int{curveSteps - i, i}))
		}
		rounded(c.Value)
		a.Curves, of = append(a.Curves, c), append(of, f)
	}
	a.split(q.Points, of)
	for k := range a.Curves {
		best := 1e-12
		for i, s := range a.Splits {
			if s.Gain[k] > best {
				a.Curves[k].Best, best = i, s.Gain[k]+1e-12
			}
		}
	}
	return a, nil
}

// meanImpurity returns the function that computes an impurity of counts, per point.
func meanImpurity(name string) (func(counts [2]int) float64, error) {
	row, ok := criterion.ByName(name)
	if !ok {
		return nil, fmt.Errorf("there is no criterion %q", name)
	}
	c := row.New(2)
	return func(counts [2]int) float64 {
		n := float64(counts[0] + counts[1])
		if n == 0 {
			return 0
		}
		var dst [1]float64
		c.Impurity(dst[:], []float64{float64(counts[0]), float64(counts[1])}, nil)
		return dst[0] / n
	}, nil
}

// split evaluates the splits between neighbours.
func (a *impurityAnswer) split(points []point, of []func(counts [2]int) float64) {
	sorted := slices.Clone(points)
	slices.SortStableFunc(sorted, func(p, q point) int { return cmp.Compare(p.X, q.X) })
	var left [2]int
	for i, p := range sorted {
		if i > 0 && p.X > sorted[i-1].X {
			s := lineSplit{Point: (p.X + sorted[i-1].X) / 2, Left: left,
				Right: [2]int{a.Root[0] - left[0], a.Root[1] - left[1]}}
			fraction := float64(i) / float64(len(sorted))
			for k, f := range of {
				l, r := f(s.Left), f(s.Right)
				rest := float64(fraction*l) + float64((1-fraction)*r)
				s.Child = append(s.Child, [2]float64{l, r})
				s.Gain = append(s.Gain, max(0, a.Curves[k].Root-rest))
			}
			a.Splits = append(a.Splits, s)
		}
		left[p.Class]++
	}
}
