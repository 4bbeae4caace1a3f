package reproductions

import (
	"context"
	"fmt"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/report/plot"
)

// exercises are leaves of two and three rows, worked by hand: a tree that may not split predicts
// the estimate of greatest likelihood, and its impurity is the loss that remains.
var exercises = Reproduction{
	Name:  "exercises",
	Title: "Leaves of two and three rows by hand: (1, 0), (1, 0, 1) and (2.5, 3.5)",
	Source: "exercises of a lecture on empirical risk: 1/2, 2/3, and mean 3 with variance 0.25; " +
		"a chapter on trees for the entropies of 1/2 and of 3/4",
	run: exercisesOf,
}

// leafOf trains a tree on rows that no column distinguishes. It returns what its only leaf
// predicts, class probabilities or a number, and the impurity per row.
func leafOf(
	ctx context.Context, target data.Target, rows int, settings ...string,
) (value []float64, impurity float64) {
	f := must(data.FromColumns(data.NamedColumn{Name: "x", Values: make([]float64, rows)}))
	ds := &data.Dataset{Frame: f, Target: target}
	m := fit(ctx, ds, learn.Job{}, "cart", settings...)
	return responses(m, ds, []int32{0}, 0).values, m.(*model.Ensemble).Trees[0].Stats.Impurity[0]
}

func exercisesOf(ctx context.Context, _ *Env) *Result {
	coin := func(labels ...uint32) data.Target {
		return data.Target{Name: "y", Task: data.Binary, Class: labels, Classes: []string{"0", "1"}}
	}
	two, fair := leafOf(ctx, coin(1, 0), 2, "criterion=entropy")
	three, loss := leafOf(ctx, coin(1, 0, 1), 3, "criterion=entropy")
	_, four := leafOf(ctx, coin(1, 1, 1, 0), 4, "criterion=entropy")
	numbers := data.Target{Name: "y", Task: data.Regression, Y: [][]float64{{2.5, 3.5}}}
	mean, squares := leafOf(ctx, numbers, 2)
	p := 2.0 / 3
	byHand := -(float64(p*kernel.Log(p)) + float64((1-p)*kernel.Log(1-p))) / kernel.Log(2)
	return &Result{
		Text: []string{"A tree whose column is constant has one leaf. The leaf of classes " +
			"predicts k / n, the parameter p of greatest likelihood of k ones in n rows. The " +
			"leaf of numbers predicts the mean, the parameter of greatest likelihood of a normal " +
			"distribution. What the loss leaves per row is the impurity of the leaf: the entropy " +
			"of p, and the variance, with n in its denominator.",
			"By formula: the entropy of 2/3 in bits is -2/3 log2 2/3 - 1/3 log2 1/3."},
		Claims: []Claim{
			{What: "labels (1, 0): probability of 1", Published: "1/2", Ours: two[1], Digits: 4},
			{What: "labels (1, 0, 1): probability of 1", Published: "2/3", Ours: three[1],
				Digits: 4},
			{What: "labels (1, 0, 1): entropy per row, bits", Formula: given(byHand), Ours: loss,
				Digits: 4},
			{What: "labels (1, 0): entropy per row, bits", Published: "1", Formula: given(bits(1, 1)),
				Ours: fair, Digits: 4},
			{What: "labels (1, 1, 1, 0): entropy per row, bits", Published: "0.81",
				Formula: given(bits(3, 1)), Ours: four, Digits: 4},
			{What: "labels (2.5, 3.5): mean", Published: "3", Ours: mean[0], Digits: 4},
			{What: "labels (2.5, 3.5): variance", Published: "0.25", Ours: squares, Digits: 4},
		},
		Pictures: []Picture{Figure("", exercisesFigure(two[1], three[1], mean[0]))},
	}
}

// exercisesFigure draws the log likelihoods, with the leaves where they are greatest.
func exercisesFigure(two, three, mean float64) *plot.Figure {
	bernoulli := func(ones, zeros float64) func(p float64) float64 {
		return func(p float64) float64 {
			return float64(ones*kernel.Log(p)) + float64(zeros*kernel.Log(1-p))
		}
	}
	normal := func(mu float64) float64 { // of deviation 1/2
		return -float64(2*(2.5-mu)*(2.5-mu)) - float64(2*(3.5-mu)*(3.5-mu))
	}
	fig := &plot.Figure{Title: "A leaf predicts the estimate of greatest likelihood",
		Subtitle: fmt.Sprintf("The marks are what the leaves predict: %.2f, %.2f and %.1f.", two,
			three,
			mean)}
	for _, c := range []struct {
		x, name   string
		from, to  float64
		log       func(float64) float64
		predicted float64
	}{
		{"p", "labels (1, 0)", 0.05, 0.951, bernoulli(1, 1), two},
		{"p", "labels (1, 0, 1)", 0.05, 0.951, bernoulli(2, 1), three},
		{"mean", "labels (2.5, 3.5)", 2, 4.001, normal, mean},
	} {
		line := plot.Curve{Name: c.name}
		for x := c.from; x < c.to; x += (c.to - c.from) / 60 {
			line.X, line.Y = append(line.X, x), append(line.Y, c.log(x))
		}
		fig.Charts = append(fig.Charts, plot.Chart{X: plot.Scale{Label: c.x},
			Y: plot.Scale{Label: "log likelihood"},
			Curves: []plot.Curve{line, {Name: "leaf", X: []float64{c.predicted},
				Y: []float64{c.log(c.predicted)}, Style: plot.Marks, Colour: 1}}})
	}
	return fig
}
