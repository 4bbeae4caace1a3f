package coppice_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/learn/knn"
	"github.com/coppice-ml/coppice/model/training"
	"github.com/coppice-ml/coppice/report/plot"
	"github.com/coppice-ml/coppice/tune"
)

// All that the command tune does: a search over two learners with a file that survives an
// interrupt, the winner trained on all rows, the study in the model, and its picture.
func Example_tune() {
	ctx := context.Background()
	folder, err := os.MkdirTemp("", "tune")
	check(err)
	defer os.RemoveAll(folder)
	ds, err := csvdata.ReadDataset(ctx, "testdata/iris/iris.csv", data.Label("species"))
	check(err)
	candidates := []tune.Candidate{
		{Name: "cart", New: func() (learn.Learner, error) { return cart.New(), nil },
			Fixed: []string{"prune=none"}},
		{Name: "knn", New: func() (learn.Learner, error) { return knn.New(), nil }},
	}
	o := tune.Options{Trials: 20, Metric: "logloss", Sampler: tune.TPE, Seed: 1,
		Study: filepath.Join(folder, "iris.study")}
	plan := &split.Plan{K: 5, Seed: 1}
	o.Observe = func(s *tune.Study) error { // s.Trials[s.Best] is the best so far
		if len(s.Trials) == 8 {
			return learn.Stop
		}
		return nil
	}
	_, err = tune.Run(ctx, candidates, ds, plan, o)
	check(err)
	o.Observe = nil
	study, err := tune.Run(ctx, candidates, ds, plan, o) // goes on with the file
	check(err)

	l, err := study.Learner(candidates)
	check(err)
	m, err := coppice.Train(ctx, l, ds, coppice.Seed(1))
	check(err)
	m.Spec().Study = study.Record()
	check(coppice.Save(filepath.Join(folder, "iris.coppice"), m))
	var picture bytes.Buffer
	figure := plot.Figure(*training.StudyFigure(m.Spec().Study, "species"))
	check(figure.Write(&picture))

	best := m.Spec().Study.Best[0]
	fmt.Println(len(study.Trials), "trials; the best is of", best.Learner)
	// Output: 20 trials; the best is of knn
}
