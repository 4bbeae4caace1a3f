//go:build linux

package forests

import (
	"os"
	"strconv"
	"time"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/memory"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tools/bench/exchange"
	"github.com/coppice-ml/coppice/tools/bench/pairs"
	"github.com/coppice-ml/coppice/tools/bench/traintest"
)

// The jobs of this program have the arguments that the peers' programs take for them too, in their
// order:
//
//	save     TRAIN MODEL TREES MTRY THREADS    a forest on TRAIN into files whose names begin with MODEL
//	predict  MODEL TEST THREADS                labels of TEST, twice: the second time counts
//	load     MODEL TEST THREADS                a model from a file, and its memory before and after use

// predictAll is traintest.Error with so many threads.
func predictAll(m model.Model, ds *data.Dataset, threads string) (seconds, wrong float64, err error) {
	workers, err := strconv.Atoi(threads)
	if err != nil {
		return 0, 0, err
	}
	return traintest.Error(m, ds, workers)
}

func save(a []string) (*pairs.Result, error) {
	memory.TuneCollector() // as the command does, whose speed and memory are to be measured
	ds, err := exchange.Read(a[0])
	if err != nil {
		return nil, err
	}
	workers, err := strconv.Atoi(a[4])
	if err != nil {
		return nil, err
	}
	m, err := traintest.Train(ds, workers, forest, "trees="+a[2], "mtry="+a[3], "node_size=1")
	if err != nil {
		return nil, err
	}
	return &pairs.Result{}, coppice.Save(a[1]+".coppice", m)
}

func predict(a []string) (*pairs.Result, error) {
	memory.TuneCollector() // as the command does, whose speed and memory are to be measured
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
	memory.TuneCollector() // as the command does, whose speed and memory are to be measured
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
