package reproductions

import (
	"context"
	"fmt"
	"io"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/internal/trial"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/report/plot"
)

// fish grows trees of several depths on measures of two species whose distribution is known.
var fish = Reproduction{
	Name:  "fish",
	Title: "Tuna and salmon by a stump and by deeper trees",
	Source: "lecture on trees, which draws trees of depth 1 and deeper without numbers, by its " +
		"generator",
	run: fishOf,
}

// measure is a normally distributed number of a species, or a uniform one from 0 to spread if its
// mean is 0.
type measure struct{ mean, spread float64 }

// draw returns a value.
func (m measure) draw(s *rng.Stream) float64 {
	if m.mean == 0 {
		return float64(m.spread * s.Float64())
	}
	return m.mean + float64(m.spread*trial.Normal(s))
}

// logDensity returns the logarithm of the density at a value, up to what all species share.
func (m measure) logDensity(x float64) float64 {
	if m.mean == 0 {
		return 0
	}
	z := (x - m.mean) / m.spread
	return -float64(z*z)/2 - kernel.Log(m.spread)
}

// fishSet is a distribution: measures of tuna and of salmon by column.
type fishSet struct {
	name     string
	short    string // heads its trees
	picture  string // its name
	columns  []string
	measures [2][]measure
}

var fishSpecies = []string{"tuna", "salmon"}

// The lecture has 400 of each species, cm and kg. The hour of birth of the second set tells
// nothing.
var fishSets = []fishSet{
	{"two measures", "two measures", "", []string{"length", "weight"},
		[2][]measure{{{45, 6}, {7, 1.5}}, {{30, 6}, {4, 1}}}},
	{"weights that overlap, and the hour of birth", "with the hour", "hour",
		[]string{"length", "weight", "hour"},
		[2][]measure{{{45, 6}, {6, 3}, {0, 10}}, {{30, 6}, {4, 1}, {0, 10}}}},
}

const fishTrained, fishTested = 400, 20_000 // of each species

// fishDepths are the depths that are compared, 0 = no limit.
var fishDepths = []int{1, 2, 3, 4, 5, 8, 0}

// sample draws n fish of each species.
func (f *fishSet) sample(n int, seed uint64) *data.Dataset {
	stream := rng.New(seed)
	columns := make([][]float64, len(f.columns))
	var class []uint32
	for species, measures := range f.measures {
		for range n {
			for k, m := range measures {
				columns[k] = append(columns[k], m.draw(stream))
			}
			class = append(class, uint32(species))
		}
	}
	var named []data.NamedColumn
	for k, values := range columns {
		named = append(named, data.NamedColumn{Name: f.columns[k], Values: values})
	}
	frame := must(data.FromColumns(named...))
	return &data.Dataset{Frame: frame, Target: data.Target{Name: "species", Task: data.Binary,
		Class: class, Classes: fishSpecies}}
}

// bayes returns the error rate of the rule by densities on fish: no rule has less on all fish.
func (f *fishSet) bayes(ds *data.Dataset) float64 {
	wrong := 0
	for r, class := range ds.Target.Class {
		ahead := 0.0
		for k := range f.columns {
			x := ds.Columns[k].Numbers()[r]
			ahead += f.measures[1][k].logDensity(x) - f.measures[0][k].logDensity(x)
		}
		if (ahead > 0) != (class == 1) {
			wrong++
		}
	}
	return float64(wrong) / float64(ds.Rows())
}

func fishOf(ctx context.Context, env *Env) *Result {
	r := &Result{Text: []string{fmt.Sprintf("%d tuna and %d salmon: 45 ± 6 cm and 7 ± 1.5 kg, 30 ± "+
		"6 cm and 4 ± 1 kg, normally distributed. In a second set tuna weigh 6 ± 3 kg. The "+
		"hour of birth there, uniform from 0 to 10, is no measure of the species. Test errors are of %d "+
		"other fish. The Bayes error is that of the rule by the densities, on the same fish.",
		fishTrained, fishTrained, 2*fishTested),
		"A stump asks for one measure. Deeper trees have less training error, the full " +
			"tree none. The test error rises again on the way there, since further levels follow " +
			"single fish."}}
	charts := make([]plot.Chart, len(fishSets))
	for i := range fishSets {
		c := fishSets[i].trees(ctx, env, r, uint64(i+1))
		charts[i] = *c
	}
	r.Pictures = append(r.Pictures, Figure("depth", &plot.Figure{
		Title:    "Two species of fish by trees of several depths",
		Subtitle: "The full tree has no training error, and more test error than shorter ones.",
		Charts:   charts}))
	return r
}

// trees grows trees of all depths on a sample, adds what it finds to the result, and returns the
// chart of the errors.
func (f *fishSet) trees(ctx context.Context, env *Env, r *Result, seed uint64) *plot.Chart {
	ds := f.sample(fishTrained, seed)
	test := f.sample(fishTested, seed+100)
	bayes := f.bayes(test)
	t := Numbers{Title: fmt.Sprintf("Errors against depth, in %%: %s; the Bayes error is %.2f",
		f.name, 100*bayes), Columns: []string{"depth", "leaves", "training", "test"}}
	within := plot.Curve{Name: "training error", Style: plot.LineMarks}
	beyond := plot.Curve{Name: "test error", Style: plot.LineMarks, Colour: 1}
	falls, before, least := true, 1.0, 1.0
	var missed float64
	for _, depth := range fishDepths {
		m := fit(ctx, ds, learn.Job{Seed: 1, Workers: env.Workers}, cart.Name, "prune=none",
			"criterion=entropy", fmt.Sprint("depth=", depth))
		wrong := errorRate(m, ds, data.AllRows(ds.Rows()), 0)
		missed = errorRate(m, test, data.AllRows(test.Rows()), 0)
		tree := m.(*model.Ensemble).Trees[0]
		name := fmt.Sprint(depth)
		if depth == 0 {
			depth = tree.Depth()
			name = fmt.Sprintf("%d (no limit)", depth)
		}
		t.add("%s | %v | %.2f | %.2f", name, tree.NumLeaves(), 100*wrong, 100*missed)
		add(&within, depth, wrong)
		add(&beyond, depth, missed)
		falls, before, least = falls && wrong <= before, wrong, min(least, missed)
		switch {
		case depth == 1:
			r.Pictures = append(r.Pictures, treePicture(f.picture, "Depth 1, "+f.short, m,
				"species", "entropy"))
		case depth == 3 && len(f.columns) == 2:
			r.Pictures = append(r.Pictures, treePicture("deeper", "Depth 3, "+f.short, m,
				"species", "entropy"),
				regionsPicture("plane", m, ds, nil, func(w io.Writer) error {
					_, err := fmt.Fprintln(w, "The plane of length and weight is drawn by -o alone.")
					return err
				}))
		}
	}
	se := math.Sqrt(least * (1 - least) / float64(test.Rows()))
	r.Findings = append(r.Findings,
		Finding{What: f.name + ": deeper trees have less training error, the full tree none",
			Holds: falls && before == 0, Found: fmt.Sprintf("%.3f at the end", before)},
		bySigns(f.name+": the full tree has more test error than a shorter one",
			fmt.Sprintf("%.2f %% against %.2f %%", 100*missed, 100*least), missed-least, se),
		Finding{What: f.name + ": no tree has less than the Bayes error", Unpublished: true,
			Holds: least > bayes, Found: fmt.Sprintf("%.2f %%, the least of a tree %.2f %%",
				100*bayes, 100*least)})
	r.Tables = append(r.Tables, t)
	line := plot.Curve{Name: "Bayes error", X: []float64{1, within.X[len(within.X)-1]},
		Y: []float64{bayes, bayes}, Style: plot.Dashes, Colour: 7}
	return &plot.Chart{X: plot.Scale{Label: "depth, " + f.name},
		Y:      plot.Scale{Label: "error rate", Zero: true},
		Curves: []plot.Curve{within, beyond, line}}
}
