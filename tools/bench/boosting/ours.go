//go:build linux

package boosting

import (
	"context"
	"strconv"
	"time"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/memory"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tools/bench/exchange"
	"github.com/coppice-ml/coppice/tools/bench/pairs"
	"github.com/coppice-ml/coppice/tools/bench/traintest"
)

// fit is the job of our sides, with the arguments that the peers' program takes too, and parameters
// of ours:
//
//	fit  TRAIN TEST TREES LEAVES BINS RATE THREADS QUERY SPARSE [KEY=VALUE ...]
//
// Its seconds are those of boosting. Those of binning, and the metric on TEST, are facts.
func (b *bench) fit(a []string) (*pairs.Result, error) {
	memory.TuneCollector() // as the command does, whose speed and memory are to be measured
	facts := map[string]float64{"interpreter": pairs.Memory("VmHWM")}
	query, err := strconv.Atoi(a[7])
	if err != nil {
		return nil, err
	}
	sparse := a[8] == "true"
	ds, err := read(a[0], query, sparse)
	if err != nil {
		return nil, err
	}
	facts["loaded"] = pairs.Memory("VmHWM")
	workers, err := strconv.Atoi(a[6])
	if err != nil {
		return nil, err
	}
	l, err := catalog.New("gbm")
	if err != nil {
		return nil, err
	}
	set := []string{"trees=" + a[2], "leaves=" + a[3], "bins=" + a[4], "learning_rate=" + a[5],
		"min_leaf=1", "colsample=1"}
	if query > 0 { // programs differ in the scale of second derivatives
		set = append(set, "loss=lambdamart", "l2=0", "min_child_weight=0.001")
	} else {
		set = append(set, "l2=1", "min_child_weight=1")
	}
	if err := l.Params().Set(append(set, a[9:]...)); err != nil {
		return nil, err
	}
	ctx, start, cpu := context.Background(), time.Now(), pairs.Spent()
	f, err := l.Prepare(ctx, ds.Frame, data.AllRows(ds.Rows()), ds.Target.Weight,
		catalog.Env(workers))
	if err != nil {
		return nil, err
	}
	facts["binning"], facts["cpu of binning"] = time.Since(start).Seconds(), pairs.Spent()-cpu
	stop, err := pairs.Profiled(b.Profile)
	if err != nil {
		return nil, err
	}
	start, cpu = time.Now(), pairs.Spent()
	m, err := f.Fit(ctx, &ds.Target, learn.Job{Seed: 1, Workers: workers})
	if err != nil {
		return nil, err
	}
	r := &pairs.Result{Seconds: time.Since(start).Seconds(), Facts: facts}
	facts["cpu of boosting"] = pairs.Spent() - cpu
	if err := stop(); err != nil {
		return nil, err
	}
	traintest.AddTrees(facts, m)
	facts["metric"], err = evaluate(m, a[1], query, workers, sparse)
	return r, err
}

// read reads a folder. So many rows, one after the other, are a group that is ranked; 0 = none.
func read(folder string, query int, sparse bool) (*data.Dataset, error) {
	table := exchange.Read
	if sparse {
		table = exchange.ReadSparse
	}
	ds, err := table(folder)
	if err != nil || query == 0 {
		return ds, err
	}
	ds.Target.Task = data.Ranking
	for i := range ds.Rows() {
		ds.Target.Group = append(ds.Target.Group, int64(i/query))
	}
	return ds, nil
}

// evaluate returns the metric of a table: see made.metric.
func evaluate(
	m model.Model, folder string, query, workers int, sparse bool,
) (float64, error) {
	ds, err := read(folder, query, sparse)
	if err != nil {
		return 0, err
	}
	if query == 0 && ds.Target.Class == nil {
		_, rmse, err := traintest.Error(m, ds, workers)
		return rmse, err
	}
	p, err := m.Bind(&ds.Schema, model.Options{Workers: workers})
	if err != nil {
		return 0, err
	}
	w := p.Width()
	out := make([]float64, ds.Rows()*w)
	if err := p.Predict(out, ds.Frame, nil); err != nil {
		return 0, err
	}
	s := metric.SampleOf(&ds.Target, data.AllRows(ds.Rows()))
	s.Pred, s.Width = out, w
	switch {
	case query > 0:
		return metric.Of("ndcg@10", s)
	case w > 2:
		return metric.Of("logloss", s)
	}
	return metric.Of("auc", s)
}
