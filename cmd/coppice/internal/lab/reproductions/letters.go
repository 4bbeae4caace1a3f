package reproductions

import (
	"context"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/adaboost"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/report/plot"
)

// letters shows that the test error continues to fall where no training error is left. What changes
// on the training rows are the margins: the smallest grow, whatever the mean does.
var letters = Reproduction{
	Name:  "letters",
	Title: "Letters by AdaBoost over C4.5 trees: errors and margins",
	Source: "Schapire, Freund, Bartlett & Lee 1998, figure 1 and table 1: 16,000 letters to " +
		"train on, 4,000 to test; Freund & Schapire 1996 for one tree, and 1997",
	Slow: "90 s",
	run: func(ctx context.Context, env *Env) *Result {
		return lettersOf(ctx, env, lettersSize{train: 16000, rounds: []int{5, 100, 1000},
			stumps: 500})
	},
}

// lettersSize is how much is trained.
type lettersSize struct {
	train  int   // of the first 16,000 rows
	rounds []int // three numbers of rounds, ascending
	stumps int   // rounds over stumps, half of the leaves of the one tree
}

var (
	lettersTest = []Print{"8.4", "3.3", "3.1"} // percent
	// percent of the training rows with a margin of at most 0.5
	lettersMargins = []Print{"7.7", "0.0", "0.0"}
	lettersLeast   = []Print{"0.14", "0.52", "0.55"} // margin of a training row
)

const lettersText = "The base is C4.5 with its pruning, trained on weights. The margin of a row " +
	"is the fraction of the votes for its letter less that of the strongest other letter. After " +
	"five rounds no training row is wrong any more. What the other rounds change are the " +
	"margins: the small ones grow. The large ones do not, and the mean margin falls. The trees here " +
	"are not those of the source, so that the least margin is smaller at first and larger later."

func lettersOf(ctx context.Context, env *Env, size lettersSize) *Result {
	ds := must(env.Read(ctx, "letter/letter.csv.gz", "lettr", 20000))
	all := data.AllRows(ds.Rows())
	train, test := all[:size.train], all[16000:]
	job := learn.Job{Rows: train, Workers: env.Workers}
	last := size.rounds[len(size.rounds)-1]
	m := fit(ctx, ds, job, adaboost.Name, "variant=discrete", "base=c45",
		fmt.Sprintf("rounds=%d", last))
	var found adaboost.Summary
	check(learn.ReadSummary(m, &found))
	r := &Result{Text: []string{lettersText}}
	t := Numbers{Title: "Round by round",
		Columns: []string{"members", "nodes", "training error", "test error", "± s.e.",
			"margin of at most 0.5", "least margin", "mean margin"}}
	var points []lettersPoint
	for i, n := range size.rounds {
		within := errorRate(m, ds, train, n)
		beyond := errorRate(m, ds, test, n)
		se := math.Sqrt(beyond * (1 - beyond) / float64(len(test)))
		reported := marginsAfter(&found, n)
		low, least, mean := -1.0, 0.0, 0.0
		if reported != nil {
			low, least, mean = reported.Upto[3*adaboost.MarginSteps/4], reported.Least,
				reported.Mean
			points = append(points, lettersPoint{n, beyond, least, mean})
		}
		r.Claims = append(r.Claims, lettersClaims(i, n, within, beyond, se, low, least)...)
		t.add("%v | %v | %.2f%% | %.2f%% | %.2f%% | %.2f%% | %.3f | %.3f", n, nodesOf(m, n),
			100*within, 100*beyond, 100*se, 100*max(0, low), least, mean)
	}
	if last == 1000 {
		single := errorRate(m, ds, test, 1)
		r.Claims = append(r.Claims, Claim{What: "test error of one C4.5 tree, %", Published: "13.8",
			Memory: true, Ours: 100 * single, Error: 100 * math.Sqrt(single*(1-single)/float64(len(test))),
			Rule: AtMost, Digits: 2},
			Claim{What: "nodes of the trees of 1000 rounds, more than", Published: "2e6",
				Rule: Bound, Ours: float64(nodesOf(m, last))})
	}
	others := lettersBeside(ctx, ds, job, test, size)
	r.Tables = append(r.Tables, t, *others)
	r.Pictures = []Picture{Figure("", lettersFigure(ds, m, test, &found, points, last))}
	return r
}

// lettersClaims compares the errors after the i-th number of rounds, n, with the published ones,
// and the margins of the rows unless the fraction of low ones is below 0.
func lettersClaims(i, n int, within, beyond, se, low, least float64) []Claim {
	claims := []Claim{
		{What: fmt.Sprintf("training error after %d rounds, %%", n), Published: "0.0",
			Ours: 100 * within, Rule: AtMost, Digits: 2},
		{What: fmt.Sprintf("test error after %d rounds, %%", n), Published: lettersTest[i],
			Ours: 100 * beyond, Error: 100 * se, Rule: AtMost, Digits: 2},
	}
	if low >= 0 {
		claims = append(claims, Claim{
			What:      fmt.Sprintf("rows with a margin of at most 0.5 after %d rounds, %%", n),
			Published: lettersMargins[i], Ours: 100 * low, Rule: AtMost, Digits: 2},
			Claim{What: fmt.Sprintf("least margin after %d rounds", n), Published: lettersLeast[i],
				Memory: true, Ours: least, Rule: AtLeast, Digits: 3})
	}
	return claims
}

// marginsAfter returns the margins after some rounds, nil if training did not keep them.
func marginsAfter(s *adaboost.Summary, rounds int) *adaboost.Margins {
	for i := range s.Margins {
		if s.Margins[i].Rounds == rounds {
			return &s.Margins[i]
		}
	}
	return nil
}

// lettersPoint is what stands in the caption of some rounds.
type lettersPoint struct {
	rounds              int
	test                float64 // error rate
	leastMargin, margin float64 // of the training rows: the least, and the mean
}

// lettersCaption reports what became of test error and margins from the first point to the last.
func lettersCaption(points []lettersPoint) string {
	if len(points) < 2 {
		return "The error over the rounds, and the margins of the training rows."
	}
	from, to := points[0], points[len(points)-1]
	return fmt.Sprintf("Round %d → %d: test error %.1f%% → %.1f%%, least margin %.2f → "+
		"%.2f, mean margin %.2f → %.2f.", from.rounds, to.rounds,
		100*from.test, 100*to.test, from.leastMargin, to.leastMargin, from.margin, to.margin)
}

// nodesOf counts the nodes of the first members, those that are trees.
func nodesOf(m model.Model, first int) int {
	n := 0
	switch m := m.(type) {
	case *committee.Committee:
		for _, member := range m.Members[:min(first, len(m.Members))] {
			n += nodesOf(member, 1)
		}
	case *model.Ensemble:
		for _, t := range m.Trees[:min(first, len(m.Trees))] {
			n += t.Len()
		}
	}
	return n
}

// lettersBeside evaluates stumps, and one tree with as many leaves as they have together.
func lettersBeside(
	ctx context.Context, ds *data.Dataset, job learn.Job, test []int32, size lettersSize,
) *Numbers {
	t := &Numbers{Title: "Beside: what weak members need",
		Columns: []string{"model", "nodes", "training error", "test error"}}
	for _, c := range []struct {
		name, learner string
		settings      []string
	}{
		{fmt.Sprintf("AdaBoost (SAMME) over %d stumps", size.stumps), adaboost.Name,
			[]string{"variant=samme", "base=cart", fmt.Sprintf("rounds=%d", size.stumps)}},
		{fmt.Sprintf("one tree of %d leaves", 2*size.stumps), "cart",
			[]string{"prune=none", fmt.Sprintf("leaves=%d", 2*size.stumps)}},
	} {
		m := fit(ctx, ds, job, c.learner, c.settings...)
		within := errorRate(m, ds, job.Rows, 0)
		beyond := errorRate(m, ds, test, 0)
		t.add("%s | %v | %.2f%% | %.2f%%", c.name, nodesOf(m, size.stumps), 100*within, 100*beyond)
	}
	return t
}

// upTo returns numbers of rounds from 1 to the last, each half as large again as the one before.
func upTo(last int) []int {
	var rounds []int
	for n := 0; n < last; rounds = append(rounds, n) {
		n = min(last, max(n+1, n*3/2))
	}
	return rounds
}

// lettersFigure draws the errors over the rounds and the margins.
func lettersFigure(
	ds *data.Dataset, m model.Model, test []int32, s *adaboost.Summary,
	points []lettersPoint, last int,
) *plot.Figure {
	within, beyond := plot.Curve{Name: "training"},
		plot.Curve{Name: "test", Colour: 1, Style: plot.LineMarks}
	for i, e := range s.Training {
		add(&within, i+1, e)
	}
	for _, n := range upTo(last) {
		add(&beyond, n, errorRate(m, ds, test, n))
	}
	margins := plot.Chart{X: plot.Scale{Label: "margin"},
		Y: plot.Scale{Label: "fraction of training rows up to it", Zero: true}}
	for i, reported := range s.Margins {
		c := plot.Curve{Name: fmt.Sprintf("after %d rounds", reported.Rounds),
			Y: reported.Upto, Colour: i}
		for k := range reported.Upto {
			c.X = append(c.X, adaboost.MarginAt(k))
		}
		margins.Curves = append(margins.Curves, c)
	}
	return &plot.Figure{Title: "Letters by AdaBoost over C4.5 trees",
		Subtitle: lettersCaption(points),
		Charts: []plot.Chart{{X: plot.Scale{Label: "rounds", Log: true},
			Y:      plot.Scale{Label: "error rate", Zero: true},
			Curves: []plot.Curve{within, beyond}}, margins}}
}
