package reproductions

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/optimize"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/models/dense"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/report/plot"
)

// likelihood shows that estimates which are computed in different ways are all of greatest
// likelihood: a fraction, a mean with its deviation, least squares, logistic regression.
var likelihood = Reproduction{
	Name:  "likelihood",
	Title: "Least squares and logistic regression as maximum likelihood",
	Source: "Fisher's irises (mean and deviation of iris.names; regression of R's guides); " +
		"logistic regression of 20 exams, Wikipedia; Bernoulli by hand",
	run: likelihoodOf,
}

// examHours are the hours that 20 students studied, and passed are those of them who passed (1) the
// exam.
var (
	examHours = []float64{0.5, 0.75, 1, 1.25, 1.5, 1.75, 1.75, 2, 2.25, 2.5, 2.75, 3, 3.25, 3.5, 4,
		4.25, 4.5, 4.75, 5, 5.5}
	examPassed = []uint32{0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 1, 1, 1, 1, 1}
)

// climb searches for the greatest value of a function from a start, by its values alone (Nelder &
// Mead 1965), without derivatives.
func climb(start []float64, f func(x []float64) float64) []float64 {
	at := start
	for range 3 { // a new simplex gets a search out of a corner
		negative := func(x []float64) float64 { return -f(x) }
		found, err := optimize.Minimize(optimize.Problem{Func: negative}, at,
			&optimize.Settings{Converger: &optimize.FunctionConverge{Absolute: 1e-13,
				Iterations: 200}}, &optimize.NelderMead{})
		if err != nil {
			check(fmt.Errorf("climbing a likelihood: %w", err))
		}
		at = found.X
	}
	return at
}

// equation trains a learner without penalty on one column and returns constant and coefficient.
func equation(
	ctx context.Context, ds *data.Dataset, r *Env, learner string,
) (constant, slope float64) {
	m := fit(ctx, ds, learn.Job{Workers: r.Workers}, learner, "l2=0")
	e := m.(*dense.Linear).Equation()
	return e.Constant[0], e.Terms[0].Coef[0]
}

// normalLog is the logarithm of a normal density, up to a constant, with the logarithm of its
// deviation.
func normalLog(x, mean, logDeviation float64) float64 {
	d := (x - mean) / kernel.Exp(logDeviation)
	return -float64(d*d/2) - logDeviation
}

// logistic is 1 / (1 + exp(-z)).
func logistic(z float64) float64 { return 1 / (1 + kernel.Exp(-z)) }

// likelihoodFound holds the estimates in closed form or by a learner, and those that maximise the
// likelihood.
type likelihoodFound struct {
	mean, squares, deviation float64 // of the sepals, solved
	a, b, c, d               float64 // constant and slope: of the irises, of the exams
	coin, normal, line, odds []float64
}

const likelihoodText = "Each estimate is found twice. In closed form, or by the learner made for " +
	"it: k / n; mean and mean square; `linear`, which solves a triangle of equations; " +
	"`logistic`, which reweighs and solves again. And by climbing the logarithm of the " +
	"likelihood with nothing but its values (Nelder & Mead 1965). The likelihood of least " +
	"squares is that of normal errors with one deviation, which is a third unknown."

const irisErrorsText = "The table of the irises has two errors of typing in these columns, the " +
	"width of row 35 and the length of row 38. The file iris.names lists them. Here they are " +
	"corrected, as they are in R's table."

func likelihoodOf(ctx context.Context, r *Env) *Result {
	irises := must(r.Read(ctx, "iris/iris.csv", "petal_width", 150))
	length := irises.Schema.Index("petal_length")
	x, y := slices.Clone(irises.Columns[length].Numbers()), slices.Clone(irises.Target.Y[0])
	y[34], x[37] = 0.2, 1.4
	irises.Columns[length], irises.Target.Y[0] = data.Numbers(x), y
	sepals := irises.Columns[irises.Schema.Index("sepal_length")].Numbers()
	irises.Frame = irises.Select([]int{length})
	f := &likelihoodFound{}
	f.moments(sepals)
	f.a, f.b = equation(ctx, irises, r, "linear")
	exams := must(data.NewFrame(data.Schema{Fields: []data.Field{{Name: "hours"}}},
		[]data.Column{data.Numbers(examHours)}))
	passed := data.Target{Name: "passed", Task: data.Binary, Class: examPassed,
		Classes: []string{"no", "yes"}}
	f.c, f.d = equation(ctx, &data.Dataset{Frame: exams, Target: passed}, r, "logistic")
	f.climb(sepals, x, y)
	return f.result(sepals)
}

// moments computes mean and deviation of the sepals.
func (f *likelihoodFound) moments(sepals []float64) {
	for _, s := range sepals {
		f.mean += s / float64(len(sepals))
	}
	for _, s := range sepals {
		f.squares += float64((s - f.mean) * (s - f.mean))
	}
	f.deviation = math.Sqrt(f.squares / float64(len(sepals)))
}

// climb maximises the likelihoods.
func (f *likelihoodFound) climb(sepals, x, y []float64) {
	f.coin = climb([]float64{0.5}, func(p []float64) float64 {
		if p[0] <= 0 || p[0] >= 1 {
			return math.Inf(-1)
		}
		return float64(7*kernel.Log(p[0])) + float64(3*kernel.Log(1-p[0]))
	})
	f.normal = climb([]float64{1, 0}, func(p []float64) float64 {
		sum := 0.0
		for _, s := range sepals {
			sum += normalLog(s, p[0], p[1])
		}
		return sum
	})
	f.line = climb([]float64{0, 0, 0}, func(p []float64) float64 {
		sum := 0.0
		for i := range x {
			sum += normalLog(y[i], p[0]+float64(p[1]*x[i]), p[2])
		}
		return sum
	})
	f.odds = climb([]float64{0, 0}, examLikelihood)
}

// result describes the estimates.
func (f *likelihoodFound) result(sepals []float64) *Result {
	rows := []estimate{
		{"7 of 10 coins: probability of heads", 0.7, f.coin[0]},
		{"irises' sepal length: mean", f.mean, f.normal[0]},
		{"its deviation, sums over n", f.deviation, kernel.Exp(f.normal[1])},
		{"irises' petal width by length: constant", f.a, f.line[0]},
		{"slope", f.b, f.line[1]},
		{"exams: constant of the log odds", f.c, f.odds[0]},
		{"slope", f.d, f.odds[1]},
	}
	return &Result{
		Text: []string{likelihoodText, irisErrorsText},
		Claims: []Claim{
			{What: "sepal length of irises, mean (cm)", Published: "5.84", Ours: f.mean, Digits: 4},
			{What: "its deviation, sums over n - 1 (cm)", Published: "0.83",
				Ours: math.Sqrt(f.squares / float64(len(sepals)-1)), Digits: 4},
			{What: "petal width by petal length: constant", Published: "-0.3631", Ours: f.a,
				Digits: 4},
			{What: "petal width by petal length: slope", Published: "0.4158", Ours: f.b, Digits: 4},
			{What: "exams, constant of the log odds", Published: "-4.0777", Ours: f.c, Digits: 4},
			{What: "exams, log odds per hour", Published: "1.5046", Ours: f.d,
				Digits: 4},
		},
		Findings: []Finding{agreement(rows)},
		Tables:   []Numbers{estimates(rows)},
		Pictures: []Picture{Figure("", likelihoodFigure(f.c, f.d))},
	}
}

// examLikelihood is the logarithm of the likelihood of the exams, of constant and slope of the log
// odds.
func examLikelihood(p []float64) float64 {
	sum := 0.0
	for i, hours := range examHours {
		z := p[0] + float64(p[1]*hours)
		if examPassed[i] == 0 {
			z = -z
		}
		sum -= kernel.Log(1 + kernel.Exp(-z))
	}
	return sum
}

// estimate is a number found in two ways.
type estimate struct {
	what           string
	solved, climbs float64
}

// agreement reports how far the two ways differ.
func agreement(rows []estimate) Finding {
	worst := 0.0
	for _, e := range rows {
		worst = max(worst, math.Abs(e.solved-e.climbs))
	}
	return Finding{What: "the estimates are the same both ways", Unpublished: true,
		Found: fmt.Sprintf("%d numbers, to 5 decimals", len(rows)), Holds: worst < 5e-6}
}

func estimates(rows []estimate) Numbers {
	t := Numbers{Title: "Estimates, solved and climbed to",
		Columns: []string{"", "solved", "greatest likelihood"}}
	for _, e := range rows {
		t.add("%s | %.4f | %.4f", e.what, e.solved, e.climbs)
	}
	return t
}

// likelihoodFigure draws the likelihood of a coin, the fraction of exams passed, and the
// likelihood of their slope.
func likelihoodFigure(constant, slope float64) *plot.Figure {
	coin := plot.Curve{Name: "log likelihood"}
	for p := 0.2; p < 0.985; p += 0.02 {
		coin.X, coin.Y = append(coin.X, p),
			append(coin.Y, float64(7*kernel.Log(p))+float64(3*kernel.Log(1-p)))
	}
	top := plot.Curve{Name: "estimate", Style: plot.Marks, Colour: 1, X: []float64{0.7},
		Y: []float64{float64(7*kernel.Log(0.7)) + float64(3*kernel.Log(0.3))}}
	passed := plot.Curve{Name: "exams", Style: plot.Marks, Colour: 2, X: examHours}
	for _, p := range examPassed {
		passed.Y = append(passed.Y, float64(p))
	}
	curve := plot.Curve{Name: "logistic regression", Colour: 1}
	for hours := 0.0; hours <= 6; hours += 0.1 {
		curve.X, curve.Y = append(curve.X, hours),
			append(curve.Y, logistic(constant+float64(slope*hours)))
	}
	along := plot.Curve{Name: "log likelihood"}
	for b := 0.2; b < 3.02; b += 0.05 {
		along.X, along.Y = append(along.X, b),
			append(along.Y, examLikelihood([]float64{constant / slope * b, b}))
	}
	best := plot.Curve{Name: "estimate", Style: plot.Marks, Colour: 1, X: []float64{slope},
		Y: []float64{examLikelihood([]float64{constant, slope})}}
	return &plot.Figure{Title: "Estimates of greatest likelihood",
		Subtitle: "Left: 7 heads of 10. Middle: exams passed by hours of learning. Right: its " +
			"slope, where even odds stay at the same hours.",
		Charts: []plot.Chart{
			{X: plot.Scale{Label: "probability of heads"}, Y: plot.Scale{Label: "log likelihood"},
				Curves: []plot.Curve{coin, top}},
			{X: plot.Scale{Label: "hours"}, Y: plot.Scale{Label: "probability to pass"},
				Curves: []plot.Curve{passed, curve}},
			{X: plot.Scale{Label: "log odds per hour"}, Y: plot.Scale{Label: "log likelihood"},
				Curves: []plot.Curve{along, best}},
		}}
}
