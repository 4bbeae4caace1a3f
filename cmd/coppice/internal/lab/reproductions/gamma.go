package reproductions

import (
	"context"
	_ "embed" // of the trees of XGBoost
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/learn/gbm"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/report/plot"
	"github.com/coppice-ml/coppice/tree"
)

// gamma prunes boosted trees by their least gain: from the leaves up as textbooks do, and from the
// top. The trees pruned from the leaves up are compared with those of XGBoost's exact method.
var gamma = Reproduction{
	Name:  "gamma",
	Title: "Least gains of splits, applied from the leaves up or from the top",
	Source: "Chen & Guestrin 2016, equation 7; a lecture on XGBoost for the four rows; " +
		"XGBoost 1.7.4 with tree_method=exact for the trees",
	run: gammaOf,
}

// gammaTable is rows whose trees are pruned.
type gammaTable struct {
	name    string
	columns []data.NamedColumn
	y       []float64
	gains   []float64 // of the splits of its whole tree, by hand from equation 7
}

func gammaTables() []gammaTable {
	return []gammaTable{
		{"four rows", []data.NamedColumn{{Name: "x", Values: []float64{10, 20, 25, 35}}},
			[]float64{-11, 7, 8, -8},
			// residuals -11.5, 6.5, 7.5, -8.5 of a start at 0.5
			[]float64{11.5*11.5 + 5.5*5.5/3 - 36./4, 14.*14/2 + 8.5*8.5 - 5.5*5.5/3}},
		{"exclusive or", []data.NamedColumn{{Name: "a", Values: []float64{0, 0, 1, 1, 0}},
			{Name: "b", Values: []float64{0, 1, 0, 1, 0}}}, []float64{0, 1, 1, 0, 0},
			[]float64{0.25/3 - 0.25/5, 1./2 + 0.25 - 0.25/3, 0.25 + 0.25}},
	}
}

// gammaTree is what a gamma leaves of a tree: its splits from the root down, the side of less
// first.
type gammaTree struct {
	Gamma     float64   `json:"gamma"`
	Columns   []int     `json:"columns"`
	Points    []float64 `json:"points"`
	Gains     []float64 `json:"gains"`
	Leaves    int       `json:"leaves"`
	Predicted []float64 `json:"predicted"`
}

// gammaFrozen is testdata/gamma.json, which freeze_gamma.py there writes.
//
//go:embed testdata/gamma.json
var gammaFrozen []byte

func gammaOf(ctx context.Context, env *Env) *Result {
	var frozen struct {
		Version string
		Cases   map[string][]gammaTree
	}
	check(json.Unmarshal(gammaFrozen, &frozen))
	r := &Result{Text: []string{"One tree of depth 2 without penalties (l2=0), grown on the " +
		"residuals of a start at 0.5. A split of rows into a left and a right side gains S(left) " +
		"+ S(right) - S(all). S is the squared sum of residuals over their number. From " +
		"the leaves up (gamma_prune=bottom, --compat xgboost-exact), a split of two leaves that " +
		"gains less than gamma becomes a leaf. From the top (gamma_prune=top), such a split is " +
		"not made, and nothing grows below it.",
		"By formula: the gains of the whole trees, from the residuals."}}
	figure := &plot.Figure{Title: "Leaves that gamma leaves",
		Subtitle: "The root gains less than a split below it. From the leaves up both stay."}
	equal, all, most := 0, 0, 0.0
	for _, table := range gammaTables() {
		cases := frozen.Cases[table.name]
		var gammas []float64
		for i := range cases {
			gammas = append(gammas, cases[i].Gamma)
		}
		bottom := table.prunedBy(ctx, env, gammas, "bottom")
		top := table.prunedBy(ctx, env, gammas, "top")
		for i, want := range table.gains {
			r.Claims = append(r.Claims, Claim{What: fmt.Sprintf("%s: gain of split %d", table.name,
				i+1), Formula: given(want), Ours: bottom[0].Gains[i], Digits: 4})
		}
		for i := range cases {
			if all++; bottom[i].sameSplits(&cases[i]) {
				equal++
			}
			most = math.Max(most, bottom[i].distance(&cases[i]))
		}
		r.Findings = append(r.Findings, table.finding(bottom, top))
		r.Tables = append(r.Tables, table.numbers(bottom, top, cases))
		chart := table.chart(ctx, env, cases)
		figure.Charts = append(figure.Charts, chart)
	}
	r.Findings = append(r.Findings, Finding{
		What: "pruned from the leaves up, the trees are those of XGBoost " + frozen.Version +
			" with tree_method=exact: columns, split points, gains and predictions",
		Found: fmt.Sprintf("%d of %d trees have the same splits; gains and predictions differ "+
			"by at most %.0e of their size, since XGBoost's are of 32 bits", equal, all, most),
		Holds: equal == all && most < 1e-6, Unpublished: true})
	r.Pictures = []Picture{Figure("", figure)}
	return r
}

// prunedBy returns the trees that each gamma leaves, by one value of gamma_prune.
func (t *gammaTable) prunedBy(ctx context.Context, env *Env, gammas []float64,
	prune string) []gammaTree {
	var all []gammaTree
	for _, g := range gammas {
		found := t.pruned(ctx, env, g, prune)
		all = append(all, *found)
	}
	return all
}

// pruned grows the tree of one gamma.
func (t *gammaTable) pruned(ctx context.Context, env *Env, gamma float64,
	prune string) *gammaTree {
	f := must(data.FromColumns(t.columns...))
	ds := &data.Dataset{Frame: f,
		Target: data.Target{Name: "y", Task: data.Regression, Y: [][]float64{t.y}}}
	l := must(catalog.New(gbm.Name))
	for _, p := range l.Capabilities().Compats {
		if p.Name == "xgboost-exact" {
			check(l.Params().Set(p.Settings))
		}
	}
	m := fitLearner(ctx, ds, learn.Job{Workers: env.Workers}, l, "trees=1",
		"learning_rate=1", "depth=2", "l2=0", "min_child_weight=0", fmt.Sprint("gamma=", gamma),
		"gamma_prune="+prune)
	found := gammaTreeOf(m.(*model.Ensemble).Trees[0])
	found.Gamma, found.Predicted = gamma, must(predict(m, ds, nil, 0))
	return found
}

func gammaTreeOf(t *tree.Tree) *gammaTree {
	found := &gammaTree{Leaves: t.NumLeaves()}
	var walk func(n int32)
	walk = func(n int32) {
		if t.Kind(n) == tree.Leaf {
			return
		}
		found.Columns = append(found.Columns, int(t.Feature(n)))
		found.Points = append(found.Points, t.SplitPoint(n))
		found.Gains = append(found.Gains, t.Stats.Gain[n])
		walk(t.Child(n))
		walk(t.Child(n) + 1)
	}
	walk(0)
	return found
}

// sameSplits reports whether two trees have the same columns and split points.
func (p *gammaTree) sameSplits(q *gammaTree) bool {
	if p.Leaves != q.Leaves || len(p.Columns) != len(q.Columns) {
		return false
	}
	for i := range p.Columns {
		if p.Columns[i] != q.Columns[i] || p.Points[i] != q.Points[i] {
			return false
		}
	}
	return true
}

// distance returns by how much gains and predictions of trees with the same splits differ at most,
// as a fraction of 1 or of the number if larger.
func (p *gammaTree) distance(q *gammaTree) float64 {
	most := 0.0
	for _, pair := range [][2][]float64{{p.Gains, q.Gains}, {p.Predicted, q.Predicted}} {
		for i := range min(len(pair[0]), len(pair[1])) {
			a, b := pair[0][i], pair[1][i]
			most = math.Max(most, math.Abs(a-b)/math.Max(1, math.Abs(b)))
		}
	}
	return most
}

// finding is that some gamma above the gain of the root leaves it, since a split below it stays.
func (t *gammaTable) finding(bottom, top []gammaTree) Finding {
	f := Finding{What: fmt.Sprintf("%s: a root that gains less than gamma stays while a split "+
		"below it stays, but from the top nothing is left", t.name), Unpublished: true}
	var kept []string
	for i := range bottom {
		if g := bottom[i].Gamma; g > bottom[0].Gains[0] {
			kept = append(kept, fmt.Sprintf("gamma %g %d and %d", g, bottom[i].Leaves,
				top[i].Leaves))
			f.Holds = f.Holds || bottom[i].Leaves > 1 && top[i].Leaves == 1
		}
	}
	f.Found = "leaves by the two ways: " + strings.Join(kept, ", ")
	return f
}

func (t *gammaTable) numbers(bottom, top, exact []gammaTree) Numbers {
	n := Numbers{Title: "Leaves of the " + t.name, Columns: []string{"gamma", "from the leaves up",
		"XGBoost, exact", "from the top"}}
	for i := range bottom {
		n.add("%v | %v | %v | %v", bottom[i].Gamma, bottom[i].Leaves, exact[i].Leaves,
			top[i].Leaves)
	}
	return n
}

// chart draws leaves by gamma as steps, which fall right behind the gains of splits. Marks are the
// frozen trees.
func (t *gammaTable) chart(ctx context.Context, env *Env, exact []gammaTree) plot.Chart {
	c := plot.Chart{X: plot.Scale{Label: "gamma: " + t.name},
		Y: plot.Scale{Label: "leaves", Zero: true}}
	gammas := []float64{0}
	for _, gain := range slices.Sorted(slices.Values(t.gains)) {
		gammas = append(gammas, gain*(1-1e-9), gain*(1+1e-9))
	}
	gammas = append(gammas, gammas[len(gammas)-1]*1.1)
	for i, prune := range []string{"bottom", "top"} {
		trees := t.prunedBy(ctx, env, gammas, prune)
		curve := plot.Curve{Name: "from the leaves up"}
		if i > 0 {
			curve = plot.Curve{Name: "from the top", Style: plot.Dashes, Colour: 1}
		}
		addLeaves(&curve, trees)
		c.Curves = append(c.Curves, curve)
	}
	frozen := plot.Curve{Name: "XGBoost, exact", Style: plot.Marks, Colour: 2}
	addLeaves(&frozen, exact)
	c.Curves = append(c.Curves, frozen)
	return c
}

// addLeaves appends the leaves of trees by gamma.
func addLeaves(to *plot.Curve, trees []gammaTree) {
	for i := range trees {
		to.X, to.Y = append(to.X, trees[i].Gamma), append(to.Y, float64(trees[i].Leaves))
	}
}
