package reproductions

import (
	"context"
	"fmt"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/report/plot"
)

// filtering is the first way of boosting, which chooses rows instead of weighing them: three
// members see three subsets and vote, and the vote of such votes is better again.
var filtering = Reproduction{
	Name:  "filtering",
	Title: "Boosting by filtering: three members on three subsets",
	Source: "Schapire 1990, \"The strength of weak learnability\": three members of error e " +
		"vote with error at most 3e² − 2e³",
	run: func(ctx context.Context, env *Env) *Result {
		return filteringOf(ctx, env, 20000)
	},
}

// filterRows samples rows of ten numbers from 0 to 1, whose label is whether their sum is above 5.
func filterRows(seed uint64, n int) *data.Dataset {
	s := rng.New(seed, uint64(n))
	rows, class := make([][]float64, n), make([]uint32, n)
	names := make([]string, 10)
	for k := range names {
		names[k] = fmt.Sprintf("x%d", k+1)
	}
	for i := range rows {
		rows[i] = make([]float64, len(names))
		sum := 0.0
		for k := range rows[i] {
			rows[i][k] = s.Float64()
			sum += rows[i][k]
		}
		if sum > float64(len(names))/2 {
			class[i] = 1
		}
	}
	f := must(data.FromRows(rows, names))
	return &data.Dataset{Frame: f, Target: data.Target{Name: "y", Task: data.Binary, Class: class,
		Classes: []string{"below", "above"}}}
}

// filterVoter labels rows: a tree, or the majority of three voters.
type filterVoter struct {
	tree  model.Model
	three []*filterVoter
}

// right reports of which rows of a data set the label is right.
func (v *filterVoter) right(ds *data.Dataset) []bool {
	right := make([]bool, ds.Rows())
	if v.tree != nil {
		for i, p := range must(predict(v.tree, ds, nil, 0)) {
			right[i] = p == float64(ds.Target.Class[i])
		}
		return right
	}
	votes := make([]int, ds.Rows())
	for _, member := range v.three {
		for i, ok := range member.right(ds) {
			if ok {
				votes[i]++
			}
		}
	}
	for i, n := range votes {
		right[i] = n >= 2
	}
	return right
}

// filterBuild makes a voter of some levels from rows; level 0 is a stump.
func filterBuild(
	ctx context.Context, env *Env, ds *data.Dataset, rows []int32, level int,
) *filterVoter {
	if level == 0 {
		return &filterVoter{tree: fit(ctx, ds, learn.Job{Rows: rows, Workers: env.Workers}, "cart",
			"depth=1", "prune=none")}
	}
	v := &filterVoter{}
	var right [2][]bool
	for k := range 3 {
		member := filterBuild(ctx, env, ds, filterChoose(rows, right, k), level-1)
		v.three = append(v.three, member)
		if k < 2 {
			right[k] = member.right(ds)
		}
	}
	return v
}

// filterChoose returns the rows that member k learns from: all, then as many that the first member
// gets right as wrong, then those on which the first two differ.
func filterChoose(rows []int32, right [2][]bool, k int) []int32 {
	if k == 0 {
		return rows
	}
	var chosen, held []int32
	wrong := 0
	for _, r := range rows {
		switch {
		case k == 2 && right[0][r] != right[1][r], k == 1 && !right[0][r]:
			chosen = append(chosen, r)
			wrong++
		case k == 1:
			held = append(held, r)
		}
	}
	if k == 1 {
		chosen = append(chosen, held[:min(len(held), wrong)]...)
	}
	return chosen
}

func filteringOf(ctx context.Context, env *Env, n int) *Result {
	train := filterRows(1, n)
	test := filterRows(2, n)
	t := Numbers{Title: "Errors on fresh rows, in %", Columns: []string{"levels", "stumps", "error",
		"largest error of its three members on their own subsets", "bound 3e² − 2e³"}}
	found := plot.Curve{Name: "error on fresh rows", Style: plot.LineMarks}
	bound := plot.Curve{Name: "3e² − 2e³ of the members", Style: plot.Marks, Colour: 1}
	below, falls, before := true, true, 1.0
	for level, stumps := 0, 1; level <= 3; level, stumps = level+1, 3*stumps {
		v := filterBuild(ctx, env, train, data.AllRows(n), level)
		e := v.errorOn(test, data.AllRows(n))
		cells := []string{fmt.Sprint(level), fmt.Sprint(stumps), fmt.Sprintf("%.2f", 100*e), "", ""}
		if level > 0 {
			largest := v.largest(test)
			b := float64(3*largest*largest) - float64(2*largest*largest*largest)
			below = below && e <= b
			cells[3], cells[4] = fmt.Sprintf("%.2f", 100*largest), fmt.Sprintf("%.2f", 100*b)
			bound.X, bound.Y = append(bound.X, float64(level)), append(bound.Y, b)
		}
		falls, before = falls && e < before, e
		found.X, found.Y = append(found.X, float64(level)), append(found.Y, e)
		t.Rows = append(t.Rows, cells)
	}
	return &Result{
		Text: []string{fmt.Sprintf("%d rows of ten numbers; the label is whether their sum is "+
			"above its mean. A stump sees one number and is wrong on more than a third. The "+
			"first member learns from all rows. The second learns from rows of which the first "+
			"is right on half. The third learns from the rows on which the two differ. The "+
			"majority of the three is better than each, and three such majorities vote again.", n),
			"e is the largest error of the three, each on fresh rows that are chosen as its own " +
				"were. AdaBoost does the same with weights, needs no e, and wastes no rows: " +
				"`coppice learners adaboost`. Filtering is no learner of its own."},
		Findings: []Finding{
			{What: "the vote of three has at most the error 3e² − 2e³", Holds: below,
				Found: "at each of 3 levels, on fresh rows"},
			{What: "each level of votes is better than the one before", Holds: falls,
				Found: fmt.Sprintf("27 stumps: %.2f %%", 100*before)},
		},
		Tables: []Numbers{t},
		Pictures: []Picture{Figure("", &plot.Figure{Title: "Boosting by filtering",
			Subtitle: "Each level is the majority of three voters of the level before, on three " +
				"subsets.",
			Charts: []plot.Chart{{X: plot.Scale{Label: "levels of majorities"},
				Y: plot.Scale{Label: "error rate", Zero: true}, Curves: []plot.Curve{found,
					bound}}}})},
	}
}

// errorOn returns the error on some rows of a data set.
func (v *filterVoter) errorOn(ds *data.Dataset, rows []int32) float64 {
	right, wrong := v.right(ds), 0
	for _, r := range rows {
		if !right[r] {
			wrong++
		}
	}
	return float64(wrong) / float64(len(rows))
}

// largest returns the largest error of the three members, each on rows that are chosen for it.
func (v *filterVoter) largest(ds *data.Dataset) float64 {
	var right [2][]bool
	most := 0.0
	for k, member := range v.three {
		e := member.errorOn(ds, filterChoose(data.AllRows(ds.Rows()), right, k))
		most = max(most, e)
		if k < 2 {
			right[k] = member.right(ds)
		}
	}
	return most
}
