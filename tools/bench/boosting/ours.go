//go:build linux

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"runtime/pprof"
	"strconv"
	"syscall"
	"time"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/garbage"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tools/bench/exchange"
	"github.com/coppice-ml/coppice/tools/bench/pairs"
)

// job is what this program runs itself with: one task of one process, with the arguments that the
// peers' program takes too, and parameters of ours.
//
//	fit  TRAIN TEST TREES LEAVES BINS RATE THREADS QUERY SPARSE [KEY=VALUE ...]    seconds of boosting; of binning, and the metric on TEST, as facts
func job(name, profile string, a []string) error {
	if name == "command" {
		return command(a)
	}
	garbage.Tune() // as the command does, whose speed and memory are to be measured
	if name != "fit" || len(a) < 9 {
		return fmt.Errorf("job %q with %d arguments", name, len(a))
	}
	r, err := fit(a, profile)
	if err != nil {
		return err
	}
	r.Version = pairs.Version()
	return json.NewEncoder(os.Stdout).Encode(r)
}

func fit(a []string, profile string) (*pairs.Result, error) {
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
	ctx, start, cpu := context.Background(), time.Now(), spent()
	f, err := l.Prepare(ctx, ds.Frame, data.AllRows(ds.Rows()), ds.Target.Weight,
		catalog.Env(workers))
	if err != nil {
		return nil, err
	}
	facts["binning"], facts["cpu of binning"] = time.Since(start).Seconds(), spent()-cpu
	stop, err := profiled(profile)
	if err != nil {
		return nil, err
	}
	start, cpu = time.Now(), spent()
	m, err := f.Fit(ctx, &ds.Target, learn.Job{Seed: 1, Workers: workers})
	if err != nil {
		return nil, err
	}
	r := &pairs.Result{Seconds: time.Since(start).Seconds(), Facts: facts}
	facts["cpu of boosting"] = spent() - cpu
	if err := stop(); err != nil {
		return nil, err
	}
	facts["peak"] = pairs.Memory("VmHWM")
	if e, ok := m.(*model.Ensemble); ok {
		for _, t := range e.Trees {
			facts["leaves"] += float64(t.NumLeaves()) / float64(len(e.Trees))
		}
		facts["trees"] = float64(len(e.Trees))
	}
	facts["metric"], err = evaluate(m, a[1], query, workers, sparse)
	return r, err
}

// spent returns the seconds that processors have worked for this process.
func spent() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return math.NaN()
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}

// profiled starts a profile of the processors' time, if there is a file for it, and returns what
// ends it.
func profiled(path string) (stop func() error, err error) {
	if path == "" {
		return func() error { return nil }, nil
	}
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	stop = func() error {
		pprof.StopCPUProfile()
		return f.Close()
	}
	return stop, pprof.StartCPUProfile(f)
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
		return metric.NDCG(10)(s)
	case ds.Target.Class == nil:
		sum := 0.0
		for i, y := range ds.Target.Y[0] {
			sum += (out[i] - y) * (out[i] - y)
		}
		return math.Sqrt(sum / float64(len(out))), nil
	case w > 2:
		return metric.LogLoss(s)
	}
	return metric.AUC(s)
}
