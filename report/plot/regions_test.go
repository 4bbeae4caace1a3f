package plot_test

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/learn/learntest"
	"github.com/coppice-ml/coppice/report/plot"
)

// sceneOf trains a learner of the catalog on rows and makes a scene of the model and the table.
func sceneOf(t testing.TB, ds *data.Dataset, rows []int32, name string, set ...string) *plot.Scene {
	t.Helper()
	l, err := catalog.New(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Params().Set(set); err != nil {
		t.Fatal(err)
	}
	return sceneOfLearner(t, ds, rows, l)
}

func sceneOfLearner(t testing.TB, ds *data.Dataset, rows []int32, l learn.Learner) *plot.Scene {
	t.Helper()
	f, err := l.Prepare(context.Background(), ds.Frame, nil, nil, catalog.Env(0))
	if err != nil {
		t.Fatal(err)
	}
	m, err := f.Fit(context.Background(), &ds.Target, learn.Job{Rows: rows, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	s, err := plot.NewScene(m, catalog.Training(m), ds)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// regions draws and checks that the picture is well formed.
func regions(t testing.TB, s *plot.Scene, o plot.RegionOptions) string {
	t.Helper()
	var b bytes.Buffer
	if err := plot.Regions(&b, s, o); err != nil {
		t.Fatal(err)
	}
	wellFormed(t, b.Bytes())
	return b.String()
}

// TestRegionsOfEveryLearner draws models of all learners over a plane and along a line: of classes,
// of numbers, and of one number, between whose least and largest prediction there is no level.
func TestRegionsOfEveryLearner(t *testing.T) {
	var third []int32
	for row := int32(0); row < 150; row += 3 {
		third = append(third, row)
	}
	iris, widths := read(t, "iris/iris.csv", "species"), read(t, "iris/iris.csv", "petal_width")
	constant := read(t, "iris/iris.csv", "petal_width")
	for i := range constant.Target.Y[0] {
		constant.Target.Y[0][i] = 2.5
	}
	for _, row := range catalog.Table() {
		for _, ds := range []*data.Dataset{iris, widths, constant} {
			needs := row.New().Capabilities().Needs
			if needs.Categorical || needs.Classes && !ds.Target.Task.Classes() {
				continue
			}
			if needs.Survival {
				times := *ds
				times.Target = data.Target{Name: "petal_width", Task: data.Survival, Y: widths.Target.Y}
				ds = &times
			}
			s := sceneOfLearner(t, ds, third, learntest.Small(row.New()))
			for _, columns := range [][]int{{2}, {2, 0}} {
				picture := regions(t, s, plot.RegionOptions{Columns: columns})
				if !strings.Contains(picture, "petal_length") {
					t.Errorf("%s: the picture does not name its column", row.Name)
				}
			}
		}
	}
}

// TestPanels: what panels an ensemble has, and what is written above them.
func TestPanels(t *testing.T) {
	iris := read(t, "iris/iris.csv", "species")
	plane := []int{2, 3}
	for _, c := range []struct {
		learner string
		set     []string
		o       plot.RegionOptions
		want    []string
	}{
		{"forest", []string{"trees=20"}, plot.RegionOptions{Columns: plane},
			[]string{">tree 0<", ">tree 4<", ">all 20 members<"}},
		{"forest", []string{"trees=20"}, plot.RegionOptions{Columns: plane, Rounds: []int{1, 20}},
			[]string{">1 member<", ">20 members<"}},
		{"forest", []string{"trees=20"}, plot.RegionOptions{Columns: plane, Trees: []int{7}},
			[]string{">tree 7<", "Tree 7 of the 20 trees of forest."}},
		{"gbm", []string{"trees=5"}, plot.RegionOptions{Columns: plane},
			[]string{">after 1 round<", ">after 5 rounds<"}},
		{"gbm", []string{"trees=5"}, plot.RegionOptions{Columns: plane, Trees: []int{1}},
			[]string{">tree 1, for Iris-versicolor<", "adds to the score"}},
		{"stack", []string{"members=cart,knn", "folds=2"}, plot.RegionOptions{Columns: plane},
			[]string{">cart<", ">knn<", ">all 2 members<"}},
		{"calibrate", []string{"base=cart"}, plot.RegionOptions{Columns: plane},
			[]string{">not calibrated<", ">calibrated<"}},
		{"svm", nil, plot.RegionOptions{}, []string{"A model of svm, and 150 rows."}},
		{"forest", []string{"trees=20"}, plot.RegionOptions{Columns: []int{3}},
			[]string{"The function of forest, and those of 12 of its 20 members.", ">single members<"}},
	} {
		picture := regions(t, sceneOf(t, iris, nil, c.learner, c.set...), c.o)
		for _, want := range c.want {
			if !strings.Contains(picture, want) {
				t.Errorf("%s, %+v: no %q", c.learner, c.o, want)
			}
		}
	}
}

// TestRegionsRefuse: what cannot be drawn is an error that names what is there.
func TestRegionsRefuse(t *testing.T) {
	iris := read(t, "iris/iris.csv", "species")
	forest, svm := sceneOf(t, iris, nil, "forest", "trees=3"), sceneOf(t, iris, nil, "svm")
	for want, c := range map[string]struct {
		s *plot.Scene
		o plot.RegionOptions
	}{
		"over one or two columns": {forest, plot.RegionOptions{Columns: []int{0, 1, 2}}},
		"is named twice":          {forest, plot.RegionOptions{Columns: []int{1, 1}}},
		"there is no round 4: the model has the rounds 1 to 3": {forest,
			plot.RegionOptions{Rounds: []int{1, 4}}},
		"want ascending numbers": {forest, plot.RegionOptions{Rounds: []int{2, 2}}},
		"there is no tree 3: the model has the trees 0 to 2": {forest,
			plot.RegionOptions{Trees: []int{3}}},
		"not of both": {forest, plot.RegionOptions{Rounds: []int{1}, Trees: []int{1}}},
		"9 panels are too many": {forest,
			plot.RegionOptions{Trees: []int{0, 0, 0, 0, 0, 0, 0, 0, 0}}},
		"a model of learner svm has no rounds":       {svm, plot.RegionOptions{Rounds: []int{1}}},
		"a model of learner svm has no trees of its": {svm, plot.RegionOptions{Trees: []int{0}}},
	} {
		err := plot.Regions(io.Discard, c.s, c.o)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}
