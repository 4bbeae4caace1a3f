package plot_test

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/datatest"
	"github.com/coppice-ml/coppice/internal/svg"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
	"github.com/coppice-ml/coppice/report/plot"
	"github.com/coppice-ml/coppice/tree"
	"github.com/coppice-ml/coppice/tree/treetest"
)

var update = flag.Bool("update", false, "write the golden files instead of comparing with them")

// read reads a table of the root's testdata.
func read(t testing.TB, file, label string) *data.Dataset {
	t.Helper()
	return datatest.Read(t, file, data.Roles{Label: label})
}

// train trains on a dataset and makes a subject of the model and the same rows.
func train(t testing.TB, ds *data.Dataset, l learn.Learner, set ...string) *plot.Subject {
	t.Helper()
	s, _ := trained(t, ds, l, set...)
	return s
}

// trained is train with the model.
func trained(
	t testing.TB, ds *data.Dataset, l learn.Learner, set ...string,
) (*plot.Subject, model.Model) {
	t.Helper()
	if err := l.Params().Set(set); err != nil {
		t.Fatal(err)
	}
	f, err := l.Prepare(context.Background(), ds.Frame, nil, nil, learn.Env{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := f.Fit(context.Background(), &ds.Target, learn.Job{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	s, err := plot.NewSubject(m, catalog.Training(m), ds)
	if err != nil {
		t.Fatal(err)
	}
	return s, m
}

// candidates draws the candidates of a node of a model of one tree.
func candidates(w io.Writer, s *plot.Subject, node int, columns []int) error {
	m := &model.Ensemble{Meta: *s.Spec, Trees: []*tree.Tree{s.Tree}}
	if m.Meta.Learner == "" { // of a random model
		m.Meta.Learner = cart.Name
	}
	c, err := catalog.Candidates(context.Background(), m, s.Data, learn.TreeNode{Node: int32(node)})
	if err != nil {
		return err
	}
	return plot.Candidates(w, &plot.Node{Spec: s.Spec, Tree: s.Tree, Number: int32(node)}, c, columns)
}

// samples are pictures of real trees, one of each form.
func samples(t testing.TB) map[string]func(io.Writer) error {
	iris := read(t, "iris/iris.csv", "species")
	flowers := train(t, iris, cart.New(), "prune=cv", "depth=4")
	mixed := sceneOf(t, iris, nil, cart.Name, "prune=none", "min_leaf=8")
	widths := sceneOf(t, read(t, "iris/iris.csv", "petal_width"), nil, cart.Name, "prune=cv")
	partition := func(s *plot.Scene, columns ...int) func(io.Writer) error {
		return func(w io.Writer) error { return plot.Regions(w, s, plot.RegionOptions{Columns: columns}) }
	}
	bits := train(t, read(t, "lectures/three_binary_features.csv", "y"), cart.New(), "prune=none",
		"criterion=entropy")
	play := train(t, read(t, "weather/weather.numeric.csv", "play"), cart.New(), "prune=none",
		"criterion=entropy")
	return map[string]func(io.Writer) error{
		"plane":      partition(mixed, 2, 3),
		"curves":     partition(mixed, 2),
		"steps":      partition(widths, 2),
		"numbers":    partition(widths, 2, 0),
		"size":       func(w io.Writer) error { return plot.Size(w, flowers) },
		"candidates": func(w io.Writer) error { return candidates(w, play, 0, nil) },
		"bits":       func(w io.Writer) error { return candidates(w, bits, 0, nil) },
		"impurity":   plot.Impurity,
		"history": func(w io.Writer) error {
			r := &training.OutOfBag{Settled: true, Optimistic: true, Curve: training.OutOfBagCurve{
				Members: []int{1, 2, 3, 5, 10, 20, 50, 200},
				Error:   []float64{.125, .09375, .0625, .07, .05, .04, .035, .04},
				Rows:    []int{55, 91, 120, 140, 148, 150, 150, 150}}}
			var found training.Summary
			r.Describe(flowers.Spec, &found)
			return (*plot.Figure)(found.History.Figure).Write(w)
		},
		"importance": func(w io.Writer) error {
			return plot.Importances(w, flowers.Spec, byPermutation, someBars(24))
		},
		"intervals": func(w io.Writer) error {
			return plot.Intervals(w, plot.IntervalCaption{Title: "species: three learners",
				Subtitle: "Means of log loss over 10 tests", Label: "logloss, lower is better",
				Notes: []string{"Lines are 95 % intervals."}}, []plot.Interval{
				{Name: "gbm", Value: .101, Low: .08, High: .122},
				{Name: "forest", Value: .13, Low: .09, High: .17},
				{Name: "a <b> learner", Value: .25, Low: .2, High: .3},
				{Name: "infinite", Value: 1, Low: 1, High: math.Inf(1)}})
		},
	}
}

// byPermutation is the caption of some importances.
var byPermutation = plot.ImportanceCaption{What: "By permutation of out-of-bag rows",
	Label: "increase of the error rate", Errors: "the mean of the trees"}

// someBars are importances of which the last are below 0 and none has a standard error that is
// given.
func someBars(n int) []plot.Bar {
	var bars []plot.Bar
	for i := range n {
		b := plot.Bar{Name: fmt.Sprintf("column %d", i), Value: 0.3 - float64(i)/50, StdError: 0.01}
		switch {
		case i == 3:
			b.Name = "a column <with> a name that is much longer than a picture can hold"
		case i == n-1:
			b.StdError = 0
		}
		bars = append(bars, b)
	}
	return bars
}

func TestGolden(t *testing.T) {
	for name, draw := range samples(t) {
		var first, second bytes.Buffer
		if err := draw(&first); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := draw(&second); err != nil || first.String() != second.String() {
			t.Errorf("%s differs from one time to the next (error %v)", name, err)
		}
		wellFormed(t, first.Bytes())
		file := filepath.Join("testdata", name+".svg")
		if *update {
			if err := os.WriteFile(file, first.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(strings.Split(string(want), "\n"),
			strings.Split(first.String(), "\n")); diff != "" {
			t.Errorf("%s differs (run with -update if that is meant): -want +got\n%s", file, diff)
		}
	}
}

// wellFormed checks that a picture is XML, that its numbers are numbers, and that its texts stay on
// the page.
func wellFormed(t rapid.TB, picture []byte) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(picture))
	var start xml.StartElement
	for {
		token, err := d.Token()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatalf("no XML: %v", err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			start = token.Copy()
			for _, a := range start.Attr {
				switch a.Name.Local {
				case "x", "y", "width", "height", "x1", "x2", "y1", "y2":
					if v, err := strconv.ParseFloat(a.Value, 64); err != nil || math.IsNaN(v) ||
						v < 0 || v > 960 {
						t.Fatalf("%s: %s=%q", start.Name.Local, a.Name.Local, a.Value)
					}
				case "d":
					if strings.ContainsAny(a.Value, "NIi") {
						t.Fatalf("path %q", a.Value)
					}
				}
			}
		case xml.CharData:
			if start.Name.Local == "text" {
				onPage(t, start, string(token))
				start.Name.Local = ""
			}
		}
	}
}

func onPage(t rapid.TB, start xml.StartElement, text string) {
	t.Helper()
	attr := map[string]string{}
	for _, a := range start.Attr {
		attr[a.Name.Local] = a.Value
	}
	size, err := strconv.Atoi(attr["font-size"])
	if err != nil {
		t.Fatal(err)
	}
	x, err := strconv.Atoi(attr["x"])
	if err != nil {
		t.Fatal(err)
	}
	w := svg.Style{Size: size, Bold: attr["font-weight"] != ""}.Width(text)
	switch attr["text-anchor"] {
	case "end":
		x -= w
	case "middle":
		x -= w / 2
	}
	if x < 0 || x+w > 960 {
		t.Fatalf("text %q leaves the page: %d to %d", text, x, x+w)
	}
}

// TestTexts: the texts of pictures of trees whose numbers are known.
func TestTexts(t *testing.T) {
	all := samples(t)
	for name, want := range map[string][]string{
		"plane":      {"species by petal_length and petal_width", "Iris-versicolor", ">petal_width<"},
		"curves":     {"species by petal_length", "petal_width = 1.3"},
		"size":       {"chosen: 3 leaves", "cross-validated error ± one standard error", "least error is 0.04, with 3 leaves", "3 leaves of the 8 that were grown"},
		"candidates": {"decrease of entropy per row; 14 rows reach it", "0.226", "overcast", "+ rainy", "The tree splits here by"},
		"bits":       {"x3 ≤ 0.5", "0.1024", "0.06002"},
		"impurity":   {"half the entropy in bits", "Gini index 2p(1 − p)"},
	} {
		var b bytes.Buffer
		if err := all[name](&b); err != nil {
			t.Fatal(err)
		}
		for _, text := range want {
			if !strings.Contains(b.String(), text) {
				t.Errorf("%s does not contain %q", name, text)
			}
		}
	}
}

var errFull = errors.New("disk full")

type fullDisk struct{ space int }

func (d *fullDisk) Write(p []byte) (int, error) {
	if d.space -= len(p); d.space < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestFullDisk(t *testing.T) {
	for name, draw := range samples(t) {
		if err := draw(&fullDisk{100}); !errors.Is(err, errFull) {
			t.Errorf("%s on a full disk: %v", name, err)
		}
	}
}

// TestAnyTree draws random trees over random tables: every picture is well formed, or refused with
// an error.
func TestAnyTree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := randomSubject(t)
		m := &model.Ensemble{Combine: model.Mean, Meta: *s.Spec, Trees: []*tree.Tree{s.Tree}}
		scene, err := plot.NewScene(m, catalog.Training(m), s.Data)
		if err != nil {
			t.Fatal(err)
		}
		var numeric []int
		for i, f := range s.Spec.Schema.Fields {
			if f.Kind == data.Numeric {
				numeric = append(numeric, i)
			}
		}
		var b bytes.Buffer
		if len(numeric) > 0 {
			x := rapid.SampledFrom(numeric).Draw(t, "x")
			for _, columns := range [][]int{{x}, {x, rapid.SampledFrom(numeric).Draw(t, "y")}} {
				b.Reset()
				same := len(columns) == 2 && columns[0] == columns[1]
				if err := plot.Regions(&b, scene, plot.RegionOptions{Columns: columns}); (err != nil) != same {
					t.Fatalf("regions over %v: %v", columns, err)
				}
				wellFormed(t, b.Bytes())
			}
		}
		b.Reset()
		if err := plot.Size(&b, s); err == nil {
			wellFormed(t, b.Bytes())
		} else if b.Len() > 0 {
			t.Fatalf("an error after the start of the picture: %v", err)
		}
		for node := range s.Tree.Len() {
			b.Reset()
			if err := candidates(&b, s, node, nil); err == nil {
				wellFormed(t, b.Bytes())
			} else if b.Len() > 0 {
				t.Fatalf("an error after the start of the picture: %v", err)
			}
		}
	})
}

func randomSubject(t *rapid.T) *plot.Subject {
	schema := treetest.Schema().Draw(t, "schema")
	rows := rapid.IntRange(1, 12).Draw(t, "rows")
	ds := &data.Dataset{Frame: treetest.Frame(schema, rows).Draw(t, "frame")}
	shape := treetest.Shape{Fields: schema.Fields, Kind: tree.Scalar, Width: 1, Splits: 8}
	m := &model.Ensemble{Combine: model.Mean,
		Meta: model.Spec{Schema: schema, Task: data.Regression, Label: "y"}}
	ds.Target = data.Target{Name: "y", Task: data.Regression}
	if rapid.Bool().Draw(t, "classes") {
		shape.Kind, shape.Width = tree.Counts, rapid.IntRange(1, 10).Draw(t, "width")
		shape.Number = rapid.Map(rapid.IntRange(1, 9), func(i int) float64 { return float64(i) })
		for k := range shape.Width {
			m.Meta.Classes = append(m.Meta.Classes, fmt.Sprint("class <", k, ">"))
		}
		m.Meta.Task, ds.Target.Task, ds.Target.Classes = data.Multiclass, data.Multiclass,
			m.Meta.Classes
		for range rows {
			ds.Target.Class = append(ds.Target.Class,
				uint32(rapid.IntRange(0, shape.Width-1).Draw(t, "class")))
		}
	} else {
		ds.Target.Y = [][]float64{rapid.SliceOfN(rapid.Float64Range(-1e6, 1e6), rows,
			rows).Draw(t, "y")}
	}
	m.Trees = []*tree.Tree{treetest.Tree(shape).Draw(t, "tree")}
	m.Trees[0].Leaf.Linear = nil // which pictures refuse
	s, err := plot.NewSubject(m, catalog.Training(m), ds)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestRefused: what cannot be drawn is refused in one line.
func TestRefused(t *testing.T) {
	ds := read(t, "weather/weather.numeric.csv", "play")
	s := train(t, ds, cart.New(), "prune=none")
	tries := []struct {
		err  error
		want string
	}{
		{candidates(io.Discard, s, -1, nil), "there is no node -1: tree 0 has the nodes 0 to"},
		{candidates(io.Discard, s, s.Tree.Len(), nil), "there is no node"},
		{plot.Candidates(io.Discard, &plot.Node{Spec: s.Spec, Tree: s.Tree}, &tree.Candidates{Columns: make([][]tree.Candidate, 4), Best: -1}, nil), "no column can split its rows"},
	}
	many := &model.Ensemble{Meta: *s.Spec, Trees: []*tree.Tree{s.Tree, s.Tree}}
	_, err := plot.NewSubject(many, catalog.Training(many), ds)
	if !errors.Is(err, plot.ErrManyTrees) {
		t.Errorf("two trees: %v", err)
	}
	if _, err := plot.NewSubject(oracle{s.Spec}, &training.Summary{}, ds); !errors.Is(err, plot.ErrManyTrees) ||
		!strings.Contains(err.Error(), "learner cart") {
		t.Errorf("a model without trees: %v", err)
	}
	b := tree.NewBuilder(tree.Scalar, 1, false)
	b.SetLinear(0, 1, []tree.Term{{Feature: 1, Coef: 2}})
	inclined, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	number := &model.Ensemble{Meta: model.Spec{Schema: s.Spec.Schema, Task: data.Regression},
		Trees: []*tree.Tree{inclined}}
	if _, err := plot.NewSubject(number, catalog.Training(number), ds); err == nil ||
		!strings.Contains(err.Error(), "predict by equations") {
		t.Errorf("a leaf with an equation: %v", err)
	}
	single := func(change func(spec *model.Spec, ds *data.Dataset)) error {
		m, with := &model.Ensemble{Meta: *s.Spec, Trees: []*tree.Tree{s.Tree}},
			&data.Dataset{Frame: ds.Frame, Target: ds.Target}
		change(&m.Meta, with)
		_, err := plot.NewSubject(m, catalog.Training(m), with)
		return err
	}
	for _, c := range []struct {
		change func(spec *model.Spec, ds *data.Dataset)
		want   string
	}{
		{func(_ *model.Spec, ds *data.Dataset) { ds.Frame = ds.Select([]int{0, 1, 2}) }, `no column "windy"`},
		{func(_ *model.Spec, ds *data.Dataset) { ds.Target.Classes = []string{"yes", "no"} }, "the model's classes are"},
		{func(_ *model.Spec, ds *data.Dataset) {
			ds.Target = data.Target{Task: data.Regression, Y: [][]float64{{1}}}
		}, "the label is one of regression"},
		{func(_ *model.Spec, ds *data.Dataset) { ds.Frame = ds.Subset(nil) }, "no rows"},
		{func(spec *model.Spec, _ *data.Dataset) { spec.Task = data.Regression }, "predicts 2 numbers for each row"},
		{func(spec *model.Spec, _ *data.Dataset) { spec.Task = data.Ranking }, "trained for ranking"},
	} {
		tries = append(tries, struct {
			err  error
			want string
		}{single(c.change), c.want})
	}
	for _, c := range tries {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("error %v, want one about %q", c.err, c.want)
		}
	}
}

// oracle is a model that is no ensemble of trees.
type oracle struct{ spec *model.Spec }

func (o oracle) Spec() *model.Spec { return o.spec }
func (oracle) Outputs() int        { return 2 }

func (oracle) Describe() model.Description { return model.Description{} }

func (oracle) Children() []model.Child { return nil }

func (oracle) Bind(*data.Schema, model.Options) (model.Predictor, error) {
	return nil, errors.New("it keeps silent")
}

// Any numbers make a picture that stays on its page, or the error that there is nothing to draw.
func TestImportancesOfAnything(t *testing.T) {
	number := rapid.OneOf(rapid.Float64(),
		rapid.SampledFrom([]float64{0, math.NaN(), math.Inf(1), math.MaxFloat64,
			-math.MaxFloat64, 5e-324}))
	rapid.Check(t, func(t *rapid.T) {
		bars := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) plot.Bar {
			return plot.Bar{Name: rapid.String().Draw(t, "name"), Value: number.Draw(t, "value"),
				StdError: math.Abs(number.Draw(t, "error"))}
		}), 0, 30).Draw(t, "bars")
		drawable := 0
		for _, b := range bars {
			if e := b.Value + b.StdError - (b.Value - b.StdError); !math.IsNaN(e) &&
				!math.IsInf(b.Value+b.StdError, 0) && !math.IsInf(b.Value-b.StdError, 0) {
				drawable++
			}
		}
		var picture bytes.Buffer
		err := plot.Importances(&picture, &model.Spec{Label: rapid.String().Draw(t, "label")},
			byPermutation, bars)
		if drawable == 0 {
			if !errors.Is(err, plot.ErrNoBars) {
				t.Fatalf("error %v, want ErrNoBars", err)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		wellFormed(t, picture.Bytes())
	})
}
