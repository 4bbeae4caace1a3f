package reproductions

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/report/plot"
)

// hedge follows experts by weights that fall exponentially with their losses. AdaBoost is the same
// algorithm with rows for experts: see ten-points.
var hedge = Reproduction{
	Name:  "hedge",
	Title: "Hedge: a learner that follows experts, and its bound",
	Source: "Freund & Schapire 1997, theorem 2: at most (ln(1/b) L + ln N) / (1 - b) is " +
		"lost, where L is the loss of the best of N experts",
	run: func(ctx context.Context, env *Env) *Result {
		return hedgeOf(ctx, env, 300, 1000)
	},
}

// hedgeExperts are trained on the same rows.
var hedgeExperts = []struct {
	name, learner string
	settings      []string
}{
	{"a stump", "cart", []string{"depth=1", "prune=none"}},
	{"a tree of depth 3", "cart", []string{"depth=3", "prune=none"}},
	{"a full tree", "cart", []string{"prune=none"}},
	{"naive Bayes", "bayes", nil},
	{"nearest neighbours", "knn", nil},
	{"a forest", "forest", []string{"trees=50"}},
}

// hedgeBeta is the factor of an expert that loses 1.
const hedgeBeta = 0.9

const hedgeColour = 7 // of hedge itself: dark

func hedgeOf(ctx context.Context, env *Env, rows, stream int) *Result {
	train, fresh := cellSets(3, rows, stream)
	losses := make([][]float64, len(hedgeExperts)) // by expert and row
	for i, e := range hedgeExperts {
		m := fit(ctx, train, learn.Job{Seed: 1, Workers: env.Workers}, e.learner, e.settings...)
		losses[i] = absoluteLosses(m, fresh)
	}
	f := followExperts(losses, hedgeBeta)
	best := slices.Index(f.total, slices.Min(f.total))
	n := float64(stream)
	t := Numbers{Title: fmt.Sprintf("Loss over %d rows, and the weight at the end", stream),
		Columns: []string{"expert", "mean loss", "weight"}}
	for i, e := range hedgeExperts {
		t.add("%s | %.4f | %.4f", e.name, f.total[i]/n, f.weights[stream][i])
	}
	t.add("hedge | %.4f | ", f.own/n)
	return &Result{
		Text: []string{fmt.Sprintf("%d models are trained on %d rows of the problem of `risk`, "+
			"and stay as they are: they are the experts. Then %d other rows come one by one. An "+
			"expert loses the probability that it gives to the wrong class. Hedge predicts by the "+
			"weighted mean of the experts, so that its loss is that mean of theirs. Then each "+
			"weight is multiplied by b to the power of its expert's loss, b = %g.", len(losses),
			rows, stream, hedgeBeta),
			"No assumption about the rows is needed: the bound holds for every sequence of " +
				"losses."},
		Findings: []Finding{
			{What: "at no time the loss is above (ln(1/b) L + ln N) / (1 - b)", Holds: f.below,
				Found: fmt.Sprintf("after %d rows %.1f against %.1f", stream, f.own,
					hedgeBound(f.total, hedgeBeta))},
			{What: "the best expert has the largest weight in the end", Unpublished: true,
				Holds: f.weights[stream][best] == slices.Max(f.weights[stream]),
				Found: fmt.Sprintf("%s: %.4f lost per row, hedge %.4f, the worst expert %.4f",
					hedgeExperts[best].name, f.total[best]/n, f.own/n, slices.Max(f.total)/n)},
		},
		Tables:   []Numbers{t},
		Pictures: []Picture{Figure("", f.figure())},
	}
}

// absoluteLosses returns the probability that a model gives to the wrong class of each row.
func absoluteLosses(m model.Model, ds *data.Dataset) []float64 {
	response := responses(m, ds, nil, 0)
	losses := make([]float64, ds.Rows())
	for i := range losses {
		losses[i] = math.Abs(float64(ds.Target.Class[i]) - response.last(i))
	}
	return losses
}

// hedgeFound is a run of hedge.
type hedgeFound struct {
	own     float64     // loss of hedge
	total   []float64   // loss of each expert
	weights [][]float64 // before each row, and after the last
	means   [][]float64 // mean loss so far, after each row: of hedge, then of the experts
	below   bool        // the bound held after each row
}

// hedgeBound returns what hedge loses at most where the experts lost so much.
func hedgeBound(total []float64, beta float64) float64 {
	least := float64(kernel.Log(beta) * slices.Min(total)) // below 0
	return (kernel.Log(float64(len(total))) - least) / (1 - beta)
}

// followExperts runs hedge over losses by expert and row.
func followExperts(losses [][]float64, beta float64) *hedgeFound {
	n := len(losses)
	f := &hedgeFound{total: make([]float64, n), below: true}
	weight := make([]float64, n)
	for i := range weight {
		weight[i] = 1 / float64(n)
	}
	for row := range losses[0] {
		f.weights = append(f.weights, slices.Clone(weight))
		sum := 0.0
		for i := range losses {
			l := losses[i][row]
			f.own += float64(weight[i] * l)
			f.total[i] += l
			weight[i] = float64(weight[i] * kernel.Exp(float64(l*kernel.Log(beta))))
			sum += weight[i]
		}
		for i := range weight {
			weight[i] /= sum
		}
		f.below = f.below && f.own <= hedgeBound(f.total, beta)
		means := []float64{f.own / float64(row+1)}
		for _, t := range f.total {
			means = append(means, t/float64(row+1))
		}
		f.means = append(f.means, means)
	}
	f.weights = append(f.weights, weight)
	return f
}

func (f *hedgeFound) figure() *plot.Figure {
	loss := plot.Chart{X: plot.Scale{Label: "rows seen", Log: true},
		Y: plot.Scale{Label: "mean loss so far", Zero: true}}
	weights := plot.Chart{X: loss.X, Y: plot.Scale{Label: "weight of the expert", Zero: true}}
	all := plot.Curve{Name: "hedge", Colour: hedgeColour}
	for i, e := range hedgeExperts {
		a := plot.Curve{Colour: i, Style: plot.Dashes, Name: e.name}
		b := a
		for n := 1; n <= len(f.means); n = max(n+1, n*21/20) {
			add(&a, n, f.means[n-1][i+1])
			add(&b, n, f.weights[n][i])
			if i == 0 {
				add(&all, n, f.means[n-1][0])
			}
		}
		loss.Curves, weights.Curves = append(loss.Curves, a), append(weights.Curves, b)
	}
	loss.Curves = append(loss.Curves, all)
	return &plot.Figure{Title: "Hedge follows the best experts",
		Subtitle: "The weights gather on the experts that lose least, and so does the loss of " +
			"hedge.",
		Charts: []plot.Chart{loss, weights}}
}
