package reproductions

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/adaboost"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
	"github.com/coppice-ml/coppice/report/plot"
	"github.com/coppice-ml/coppice/tree"
)

// tenPoints is the textbook's example of AdaBoost: three stumps separate ten points of the plane
// without error. It also shows that the weights of the rows are those of the hedge algorithm, with
// rows as experts whose loss is 1 where a stump is right.
var tenPoints = Reproduction{
	Name:  "ten-points",
	Title: "AdaBoost on ten points, and as exponential weights on examples",
	Source: "Schapire & Freund 2012, figure 1.1 for the points and table 1.1 for the weights; a " +
		"lecture on ensembles for the edges; Freund & Schapire 1997 for the hedge",
	run: tenPointsOf,
}

// tenErrors are the weighted errors by hand: each stump is wrong on three rows, whose weights
// follow from the stumps before it. tenPrinted are the errors as the lecture prints them, and
// tenEdges the edges, which follow from those.
var (
	tenErrors  = []float64{3. / 10, 3. / 14, 3. / 22}
	tenPrinted = []Print{"0.30", "0.21", "0.14"}
	tenEdges   = []Print{"0.40", "0.58", "0.72"}
)

func tenPointsOf(ctx context.Context, env *Env) *Result {
	ds := must(env.Read(ctx, "lectures/adaboost_ten_points.csv", "y", 10))
	m := fit(ctx, ds, learn.Job{}, adaboost.Name, "rounds=3",
		"base.criterion=misclassification")
	var s adaboost.Summary
	check(learn.ReadSummary(m, &s))
	r := &Result{Text: []string{"Each stump is the one of least weighted error; of equal ones " +
		"that of the lower column and the lower split point. Rows that a stump gets wrong have " +
		"half of the weight afterwards.",
		"By formula: the stumps are wrong on rows of weight 3/10, 3/14 and 3/22. An edge is 1 - " +
			"2e, and a vote is alpha = ln((1 - e) / e) / 2."}}
	edges := 0.0
	for i := range s.Rounds {
		gamma := 0.5 - s.Error[i]
		edges += float64(gamma * gamma)
		r.Claims = append(append(r.Claims, tenClaims(i, gamma, &s)...), tenWeights(i, &s)...)
	}
	wrong := errorRate(m, ds, data.AllRows(ds.Rows()), 0)
	last := s.Rounds - 1
	bound := kernel.Exp(-2 * edges)
	separate := hedgeDistance(m, ds, &s)
	r.Findings = []Finding{
		{What: "the vote of three stumps has no training error", Holds: wrong == 0,
			Found: fmt.Sprintf("%g of the rows are wrong", wrong)},
		{What: "the training error is at most exp(-2 sum of gamma²), gamma = 1/2 - e, after " +
			"every round",
			Holds: math.Abs(bound-s.EdgeBound[last]) < 1e-12 && below(s.Training, s.EdgeBound),
			Found: fmt.Sprintf("%.3f, %.3f, %.3f against %.3f, %.3f, %.3f", s.Training[0],
				s.Training[1], s.Training[2], s.EdgeBound[0], s.EdgeBound[1], s.EdgeBound[2])},
		{What: "the weights of AdaBoost are those of the hedge on examples: exp(-2 alpha) for " +
			"each time that a stump is right", Holds: separate < 1e-12,
			Found: fmt.Sprintf("in all rounds and rows the two differ by less than %.0e",
				math.Max(1e-15, separate))},
	}
	table, figure := tenRounds(&s)
	r.Tables = []Numbers{table}
	r.Pictures = []Picture{tenPlane(ctx, m, ds), Figure("rounds", figure)}
	return r
}

// tenClaims compares a round, numbered from 0, with the published numbers and the formulas.
func tenClaims(i int, gamma float64, s *adaboost.Summary) []Claim {
	n, e := i+1, number(string(tenPrinted[i]))
	return []Claim{
		{What: fmt.Sprintf("weighted error of stump %d", n), Published: tenPrinted[i],
			Formula: given(tenErrors[i]), Ours: s.Error[i], Digits: 4},
		{What: fmt.Sprintf("its edge 1 - 2e, round %d", n), Published: tenEdges[i],
			Formula: given(1 - 2*tenErrors[i]), Early: given(1 - float64(2*e)),
			Reason: fmt.Sprintf("1 - 2 x %s", tenPrinted[i]), Ours: 2 * gamma, Digits: 3},
		{What: fmt.Sprintf("its vote alpha, round %d", n),
			Published: []Print{"0.42", "0.65", "0.92"}[i],
			Formula:   given(kernel.Log((1-tenErrors[i])/tenErrors[i]) / 2), Ours: s.Weight[i],
			Digits: 3},
	}
}

// tenTable has what the book's table prints of each round: the factors of rows that the stump gets
// right and wrong, the sum of the new weights, and the different weights before it, ascending, with
// their formulas.
var tenTable = []struct {
	right, wrong, sum Print
	weights           []Print
	formulas          []float64
}{
	{"0.65", "1.53", "0.92", []Print{"0.10"}, []float64{1. / 10}},
	{"0.52", "1.91", "0.82", []Print{"0.07", "0.17"}, []float64{1. / 14, 1. / 6}},
	{"0.40", "2.52", "0.69", []Print{"0.05", "0.11", "0.17"}, []float64{1. / 22, 7. / 66, 1. / 6}},
}

// tenWeights compares the weights of a round, numbered from 0, with the book's table.
func tenWeights(i int, s *adaboost.Summary) (claims []Claim) {
	n, of, e, alpha := i+1, &tenTable[i], tenErrors[i], s.Weight[i]
	found := slices.CompactFunc(slices.Sorted(slices.Values(s.RowWeights[i])), func(a, b float64) bool {
		return math.Abs(a-b) < 1e-9
	})
	for k := range min(len(found), len(of.weights)) {
		claims = append(claims, Claim{Published: of.weights[k], Formula: given(of.formulas[k]),
			Memory: true,
			What: fmt.Sprintf("weight before round %d, the %s", n,
				[]string{"least", "second", "third"}[k]), Ours: found[k], Digits: 4})
	}
	return append(claims,
		Claim{What: fmt.Sprintf("factor of a row that stump %d gets right", n), Published: of.right,
			Memory: true, Formula: given(math.Sqrt(e / (1 - e))), Ours: kernel.Exp(-alpha), Digits: 4},
		Claim{What: fmt.Sprintf("factor of a row that stump %d gets wrong", n), Published: of.wrong,
			Memory: true, Formula: given(math.Sqrt((1 - e) / e)), Ours: kernel.Exp(alpha), Digits: 4},
		Claim{What: fmt.Sprintf("sum Z of the weights after round %d", n), Published: of.sum,
			Memory: true, Formula: given(2 * math.Sqrt(e*(1-e))), Digits: 4,
			Ours: float64((1-s.Error[i])*kernel.Exp(-alpha)) + float64(s.Error[i]*kernel.Exp(alpha))})
}

// tenPlane draws the stumps f1, f2 and f3 in the plane, each with the weights of its rows, and
// their vote. In characters it draws the vote.
func tenPlane(ctx context.Context, m model.Model, ds *data.Dataset) Picture {
	return Picture{
		SVG: func(w io.Writer) error {
			s := must(plot.NewScene(m, catalog.Training(m), ds))
			l := must(catalog.New(adaboost.Name))
			check(l.Params().UnmarshalJSON(m.Spec().Params))
			return plot.Regions(w, s, plot.RegionOptions{Columns: []int{0, 1},
				Reweigh: func(rounds []int) ([]training.Reweighted, error) {
					return l.(*adaboost.Learner).Reweigh(ctx, m, ds, rounds)
				}})
		},
		Text: func(w io.Writer) error { return planeText(w, m, ds) },
	}
}

// tenRounds returns the weights of the rows before each round, and the picture of weights and
// errors.
func tenRounds(s *adaboost.Summary) (Numbers, *plot.Figure) {
	weights := plot.Chart{X: plot.Scale{Label: "row"},
		Y: plot.Scale{Label: "weight before the round", Zero: true}}
	errors := plot.Chart{X: plot.Scale{Label: "round"},
		Y: plot.Scale{Label: "fraction of the weight", Zero: true}}
	within, by := plot.Curve{Name: "training error"},
		plot.Curve{Name: "exp(-2 sum of gamma²)", Style: plot.Dashes, Colour: 1}
	weighted := plot.Curve{Name: "weighted error of the stump", Style: plot.Marks, Colour: 2}
	t := Numbers{Title: "Weights of the rows before each round",
		Columns: []string{"row", "round 1", "round 2", "round 3"}}
	for n, w := range s.RowWeights {
		curve := plot.Curve{Name: fmt.Sprintf("round %d", n+1), Style: plot.LineMarks, Colour: n}
		for i, v := range w {
			add(&curve, i+1, v)
			if n == 0 {
				t.add("%v", i+1)
			}
			t.Rows[i] = append(t.Rows[i], fmt.Sprintf("%.4f", v))
		}
		weights.Curves = append(weights.Curves, curve)
		add(&within, n+1, s.Training[n])
		add(&by, n+1, s.EdgeBound[n])
		add(&weighted, n+1, s.Error[n])
	}
	errors.Curves = []plot.Curve{within, by, weighted}
	return t, &plot.Figure{Title: "AdaBoost on ten points",
		Subtitle: "Rows that a stump gets wrong have half of the weight in the next round.",
		Charts:   []plot.Chart{errors, weights}}
}

// hedgeDistance returns by how much the weights of the rows differ from those of the hedge
// algorithm. Its experts are the rows, with the loss 1 where a stump is right (Freund & Schapire
// 1997, section 4.1).
func hedgeDistance(m model.Model, ds *data.Dataset, s *adaboost.Summary) float64 {
	e := m.(*model.Ensemble)
	hedge, most := make([]float64, ds.Rows()), 0.0
	for i := range hedge {
		hedge[i] = 1 / float64(len(hedge))
	}
	for n, t := range e.Trees {
		for i, w := range s.RowWeights[n] {
			most = math.Max(most, math.Abs(w-hedge[i]))
		}
		predicted := must(predict(&model.Ensemble{Meta: e.Meta, Trees: []*tree.Tree{t},
			Combine: model.Mean}, ds, nil, 0))
		sum := 0.0
		for i := range hedge {
			if predicted[i] == float64(ds.Target.Class[i]) {
				hedge[i] *= kernel.Exp(-2 * s.Weight[n])
			}
			sum += hedge[i]
		}
		for i := range hedge {
			hedge[i] /= sum
		}
	}
	return most
}

func below(a, b []float64) bool {
	for i := range a {
		if a[i] > b[i] {
			return false
		}
	}
	return true
}
