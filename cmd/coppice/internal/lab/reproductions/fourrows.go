package reproductions

import (
	"context"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/learn/gbm"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/report/plot"
	"github.com/coppice-ml/coppice/tree"
)

// fourNumbers is one round of gradient boosting by hand on four rows whose labels are numbers.
var fourNumbers = Reproduction{
	Name:  "four-numbers",
	Title: "One round of XGBoost by hand on four rows: numbers",
	Source: "lecture on XGBoost: labels -11, 7, 8, -8, residuals, splits at 15 and 30, and " +
		"the predictions after one round; Chen & Guestrin 2016, equations 5 to 7",
	run: func(ctx context.Context, env *Env) *Result {
		return fourOf(ctx, env, &fourNumbersCase)
	},
}

// fourClasses is the same on labels 0 and 1.
var fourClasses = Reproduction{
	Name:  "four-classes",
	Title: "One round of XGBoost by hand on four rows: classes",
	Source: "lecture on XGBoost: labels 0, 1, 1, 0, residuals, gains of the two splits and the " +
		"predicted probabilities; Chen & Guestrin 2016, equations 5 to 7",
	run: func(ctx context.Context, env *Env) *Result {
		return fourOf(ctx, env, &fourClassesCase)
	},
}

// fourCase is an example of four rows at x = 10, 20, 25 and 35.
type fourCase struct {
	file      string
	task      data.Task
	start     float64 // of the prediction: a number, or a probability
	hessian   float64 // second derivative of each row: 1, or p (1 - p)
	text      []string
	residuals []fourPrint
	gamma     float64  // of which the tables show what gains exceed it
	gains     [2]Print // of the two splits, as printed
	predicted []fourPrint
}

// fourPrint is a number as printed, "" = none is, and by formula.
type fourPrint struct {
	printed  Print
	formula  float64
	misprint string
}

const (
	fourSign   = "y + 0.5 in place of y - 0.5"
	fourFollow = "it follows from the misprinted residual"
)

var fourNumbersCase = fourCase{
	file: "lectures/xgboost_regression.csv", task: data.Regression, start: 0.5, hessian: 1,
	gamma: 134,
	text: []string{"The prediction starts at 0.5, and the residuals are y - 0.5. With squared " +
		"error each row has the second derivative 1. So the similarity score is S = (sum of " +
		"residuals)² / (rows + lambda). The gain of a split is S(left) + S(right) - S(all). The " +
		"output of a leaf is O = sum of residuals / (rows + lambda). Here lambda is 0, and the " +
		"learning rate 0.3.",
		"By formula: sums over the four rows. The print adds 0.5 to two labels where it should " +
			"be subtracted, and its predictions of these rows follow from that.",
		"Gain less gamma is what pruning looks at: the reproduction `gamma` prunes this tree."},
	residuals: []fourPrint{{"-10.5", -11.5, fourSign}, {"6.5", 6.5, ""}, {"7.5", 7.5, ""},
		{"-7.5", -8.5, fourSign}},
	predicted: []fourPrint{{"-2.65", 0.5 - 0.3*11.5, fourFollow}, {"2.6", 0.5 + 0.3*7, ""},
		{"2.6", 0.5 + 0.3*7, ""}, {"-1.75", 0.5 - 0.3*8.5, fourFollow}},
}

var fourClassesCase = fourCase{
	file: "lectures/xgboost_classification.csv", task: data.Binary, start: 0.5, hessian: 0.25,
	gamma: 1,
	text: []string{"The probability starts at 0.5, and the residuals are y - 0.5. With log loss " +
		"each row has the second derivative p (1 - p) = 1/4: the cover of a node is their sum. " +
		"The similarity score is S = (sum of residuals)² / (cover + lambda). The output of a " +
		"leaf is O = sum of residuals / (cover + lambda), in log odds. Lambda is 0, the " +
		"learning rate 0.3, and no least cover is asked for.",
		"By formula: sums over the four rows. The root gains as much at 15 as at 30; of equal " +
			"gains the lower split point is taken. A ? is printed there, with digits that are not " +
			"known here."},
	residuals: []fourPrint{{"-0.5", -0.5, ""}, {"0.5", 0.5, ""}, {"0.5", 0.5, ""},
		{"-0.5", -0.5, ""}},
	gains: [2]Print{"1.33", "2.67"},
	predicted: []fourPrint{{"0.35", logistic(-0.3 * 2), ""}, {"0.65", logistic(0.3 * 2), ""},
		{"0.65", logistic(0.3 * 2), ""}, {"0.35", logistic(-0.3 * 2), ""}},
}

// fourOf trains one round and lists all thresholds of both splits.
func fourOf(ctx context.Context, env *Env, c *fourCase) *Result {
	ds := must(env.Read(ctx, c.file, "y", 4))
	if c.task == data.Regression && ds.Target.Task != data.Regression {
		check(fmt.Errorf("table %s: its labels are numbers, and were read as classes", c.file))
	}
	l := must(catalog.New(gbm.Name))
	m := fitLearner(ctx, ds, learn.Job{Workers: env.Workers}, l, "trees=1",
		"learning_rate=0.3", "depth=2", "l2=0", "min_child_weight=0", "min_leaf=1", "min_bin=1",
		"early_stopping=0", "base_score=0.5")
	r := &Result{Text: c.text}
	var residuals [4]float64
	for i := range residuals {
		if c.task == data.Regression {
			residuals[i] = ds.Target.Y[0][i] - c.start
		} else {
			residuals[i] = float64(ds.Target.Class[i]) - c.start
		}
		r.Claims = append(r.Claims, c.residuals[i].claim(fmt.Sprintf("residual of row %d", i+1),
			residuals[i], 1))
	}
	t := m.(*model.Ensemble).Trees[0]
	figure := &plot.Figure{Title: "Gain of every threshold",
		Subtitle: "The root, and the child that is split again. Gain is S(left) + S(right) - " +
			"S(all)."}
	x := ds.Columns[0].Numbers()
	for node, at := range []int32{0, t.Child(0) + 1} {
		tried := must(catalog.Candidates(ctx, m, ds, learn.TreeNode{Node: at}))
		figure.Charts = append(figure.Charts, c.thresholds(r, node, tried, x, residuals[:]))
		split := Claim{What: fourNodes[node].name + ": split point",
			Formula: given(fourNodes[node].split), Ours: t.SplitPoint(at)}
		if c.task == data.Regression {
			split.Published = Print(fmt.Sprint(fourNodes[node].split))
		}
		r.Claims = append(r.Claims, split)
	}
	response := responses(m, ds, nil, 0)
	for i := range residuals {
		r.Claims = append(r.Claims, c.predicted[i].claim(fmt.Sprintf("prediction of row %d "+
			"after the round", i+1), response.last(i), 4))
	}
	if c.task != data.Regression {
		r.Claims = append(r.Claims, Claim{What: "sums of residuals on the page", Published: unknown,
			Rule: Beside, Ours: math.NaN()})
	}
	r.Pictures = []Picture{Figure("", figure)}
	return r
}

// fourNodes are the two splits: where the rows of the node lie, and where it is split.
var fourNodes = []struct {
	name            string
	from, to, split float64
}{{"root", 0, 40, 15}, {"right child", 15, 40, 30}}

// thresholds adds the table of a node and its claims to a result, and returns its chart.
func (c *fourCase) thresholds(
	r *Result, node int, tried *tree.Candidates, x, residuals []float64,
) plot.Chart {
	n := &fourNodes[node]
	table := Numbers{Title: "Thresholds of the " + n.name, Columns: []string{"x <", "S left",
		"S right", "S all", "gain", "O left", "O right", fmt.Sprintf("gain - %g", c.gamma)}}
	bars := plot.Curve{Name: "gain", Style: plot.Bars}
	for _, s := range tried.Columns[0] {
		if s.Known || len(s.Branches) != 2 {
			continue
		}
		left, right := s.Branches[0], s.Branches[1]
		claim := Claim{What: fmt.Sprintf("%s, x < %g: gain", n.name, s.SplitPoint),
			Formula: given(c.gain(x, residuals, [2]float64{n.from, n.to}, s.SplitPoint)),
			Ours:    left.Score + right.Score - tried.Whole.Score, Digits: 2}
		if s.SplitPoint == n.split {
			claim.Published = c.gains[node]
		}
		r.Claims = append(r.Claims, claim)
		bars.X, bars.Y = append(bars.X, s.SplitPoint), append(bars.Y, claim.Ours)
		cells := []string{fmt.Sprint(s.SplitPoint)}
		for _, v := range []float64{left.Score, right.Score, tried.Whole.Score, claim.Ours,
			left.Value[0], right.Value[0], claim.Ours - c.gamma} {
			cells = append(cells, fmt.Sprintf("%.4f", v))
		}
		table.Rows = append(table.Rows, cells)
	}
	r.Tables = append(r.Tables, table)
	return plot.Chart{X: plot.Scale{Label: n.name + ": x <"},
		Y: plot.Scale{Label: "gain", Zero: true}, Curves: []plot.Curve{bars}}
}

// claim compares a number with the printed one and the formula.
func (p *fourPrint) claim(what string, ours float64, digits int) Claim {
	return Claim{What: what, Published: p.printed, Formula: given(p.formula), Reason: p.misprint,
		Ours: ours, Digits: digits}
}

// gain computes the gain of a threshold by the formula, of the rows whose x lies inside two ends.
func (c *fourCase) gain(x, residuals []float64, inside [2]float64, threshold float64) float64 {
	var sum, n [2]float64
	for i, v := range x {
		if v > inside[0] && v < inside[1] {
			side := 0
			if v >= threshold {
				side = 1
			}
			sum[side] += residuals[i]
			n[side]++
		}
	}
	score := func(sum, n float64) float64 { return sum * sum / (n * c.hessian) }
	return score(sum[0], n[0]) + score(sum[1], n[1]) - score(sum[0]+sum[1], n[0]+n[1])
}
