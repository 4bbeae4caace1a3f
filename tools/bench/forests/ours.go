//go:build linux

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strconv"
	"time"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/garbage"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tools/bench/exchange"
	"github.com/coppice-ml/coppice/tools/bench/pairs"
)

// job is what this program runs itself with: one task of one process, with the arguments that the
// peers' programs take for it too, in their order.
//
//	fit      TRAIN TEST TREES MTRY THREADS LEARNER VARIANT    a forest on TRAIN, its error on TEST
//	save     TRAIN MODEL TREES MTRY THREADS    a forest on TRAIN into files whose names begin with MODEL
//	predict  MODEL TEST THREADS                labels of TEST, twice: the second time counts
//	load     MODEL TEST THREADS                a model from a file, and its memory before and after use
func job(name string, arguments []string) error {
	do, want := map[string]func([]string) (*pairs.Result, error){"fit": fit, "save": save,
		"predict": predict, "load": load}[name],
		map[string]int{"fit": 7, "save": 5, "predict": 3, "load": 3}[name]
	if do == nil || len(arguments) != want {
		return fmt.Errorf("job %q with %d arguments", name, len(arguments))
	}
	garbage.Tune() // as the command does, whose speed and memory are to be measured
	r, err := do(arguments)
	if err != nil {
		return err
	}
	r.Version = pairs.Version()
	return json.NewEncoder(os.Stdout).Encode(r)
}

func fit(a []string) (*pairs.Result, error) {
	facts := map[string]float64{"interpreter": pairs.Memory("VmHWM")}
	ds, err := exchange.Read(a[0])
	if err != nil {
		return nil, err
	}
	facts["loaded"] = pairs.Memory("VmHWM")
	start := time.Now()
	m, err := grow(ds, a[5], a[2], a[3], a[4])
	if err != nil {
		return nil, err
	}
	seconds := time.Since(start).Seconds()
	facts["peak"] = pairs.Memory("VmHWM")
	if e, ok := m.(*model.Ensemble); ok {
		for _, t := range e.Trees {
			facts["leaves"] += float64(t.NumLeaves()) / float64(len(e.Trees))
		}
	}
	test, err := exchange.Read(a[1])
	if err != nil {
		return nil, err
	}
	_, facts["error"], err = predictAll(m, test, a[4])
	return &pairs.Result{Seconds: seconds, Facts: facts}, err
}

// grow grows a forest of full depth with the learner's default parameters but for those given.
func grow(ds *data.Dataset, learner, trees, mtry, threads string) (model.Model, error) {
	workers, err := strconv.Atoi(threads)
	if err != nil {
		return nil, err
	}
	l, err := catalog.New(learner)
	if err != nil {
		return nil, err
	}
	if err := l.Params().Set([]string{"trees=" + trees, "mtry=" + mtry,
		"node_size=1"}); err != nil {
		return nil, err
	}
	return coppice.Train(context.Background(), l, ds, coppice.Seed(1), coppice.Workers(workers))
}

// predictAll returns the seconds of predicting all labels, binding not included, and the fraction
// of wrong ones; of numbers the root of the mean squared error.
func predictAll(
	m model.Model, ds *data.Dataset, threads string,
) (seconds, wrong float64, err error) {
	workers, err := strconv.Atoi(threads)
	if err != nil {
		return 0, 0, err
	}
	output := model.Label
	if ds.Target.Class == nil {
		output = model.Response
	}
	p, err := m.Bind(&ds.Schema, model.Options{Output: output, Workers: workers})
	if err != nil {
		return 0, 0, err
	}
	labels := make([]float64, ds.Rows())
	start := time.Now()
	if err := p.Predict(labels, ds.Frame, nil); err != nil {
		return 0, 0, err
	}
	seconds = time.Since(start).Seconds()
	if ds.Target.Class == nil {
		sum := 0.0
		for i, y := range ds.Target.Y[0] {
			sum += (labels[i] - y) * (labels[i] - y)
		}
		return seconds, math.Sqrt(sum / float64(len(labels))), nil
	}
	for i, label := range labels {
		if uint32(label) != ds.Target.Class[i] {
			wrong++
		}
	}
	return seconds, wrong / float64(len(labels)), nil
}

func save(a []string) (*pairs.Result, error) {
	ds, err := exchange.Read(a[0])
	if err != nil {
		return nil, err
	}
	m, err := grow(ds, forest, a[2], a[3], a[4])
	if err != nil {
		return nil, err
	}
	return &pairs.Result{}, coppice.Save(a[1]+".coppice", m)
}

func predict(a []string) (*pairs.Result, error) {
	m, err := coppice.Open(a[0])
	if err != nil {
		return nil, err
	}
	ds, err := exchange.Read(a[1])
	if err != nil {
		return nil, err
	}
	start := time.Now()
	if _, _, err := predictAll(m, ds, a[2]); err != nil {
		return nil, err
	}
	first := time.Since(start).Seconds()
	seconds, wrong, err := predictAll(m, ds, a[2])
	return &pairs.Result{Seconds: seconds,
		Facts: map[string]float64{"first": first, "rows": float64(ds.Rows()), "error": wrong}}, err
}

func load(a []string) (*pairs.Result, error) {
	ds, err := exchange.Read(a[1])
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(a[0])
	if err != nil {
		return nil, err
	}
	before := pairs.Memory("VmRSS")
	start := time.Now()
	m, err := coppice.OpenMapped(a[0])
	if err != nil {
		return nil, err
	}
	r := &pairs.Result{Seconds: time.Since(start).Seconds(),
		Facts: map[string]float64{"before": before, "file": float64(info.Size()) / 1e6}}
	r.Facts["resident"] = pairs.Memory("VmRSS") - before
	_, r.Facts["error"], err = predictAll(m, ds, a[2])
	r.Facts["used"] = pairs.Memory("VmRSS") - before
	return r, err
}
