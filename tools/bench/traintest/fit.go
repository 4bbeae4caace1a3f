//go:build linux

package traintest

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"strconv"
	"time"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/memory"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tools/bench/exchange"
	"github.com/coppice-ml/coppice/tools/bench/pairs"
)

// Side returns our side of a training: a learner of the catalog with settings, on a table that Make
// wrote. Its case declares the job fit, see Fit.
func Side(r *pairs.Run, table string, threads int, learner string, settings ...string) pairs.Side {
	return r.Own("coppice", "fit", append([]string{table, strconv.Itoa(threads), learner},
		settings...)...)
}

// Fit is the job of Side. Its seconds are those of training. Facts are the memory of the process
// before the table is read (interpreter), before training (loaded) and at its end (peak); the
// number of trees, and their leaves in the mean; and the errors on the training rows and, where
// there are any, on the test rows.
func Fit(a []string) (*pairs.Result, error) {
	memory.TuneCollector() // as the command does, whose speed and memory are to be measured
	facts := map[string]float64{"interpreter": pairs.Memory("VmHWM")}
	ds, err := exchange.Read(a[0] + "-train")
	if err != nil {
		return nil, err
	}
	facts["loaded"], facts["rows"] = pairs.Memory("VmHWM"), float64(ds.Rows())
	workers, err := strconv.Atoi(a[1])
	if err != nil {
		return nil, err
	}
	start := time.Now()
	m, err := Train(ds, workers, a[2], a[3:]...)
	if err != nil {
		return nil, err
	}
	r := &pairs.Result{Seconds: time.Since(start).Seconds(), Facts: facts}
	AddTrees(facts, m)
	if _, facts["training"], err = Error(m, ds, workers); err != nil {
		return nil, err
	}
	test, err := exchange.Read(a[0] + "-test")
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil
	}
	if err == nil {
		_, facts["error"], err = Error(m, test, workers)
	}
	return r, err
}

// Train trains a learner of the catalog with settings.
func Train(ds *data.Dataset, workers int, learner string, settings ...string) (model.Model, error) {
	l, err := catalog.New(learner)
	if err != nil {
		return nil, err
	}
	if err := l.Params().Set(settings); err != nil {
		return nil, err
	}
	return coppice.Train(context.Background(), l, ds, coppice.Seed(1), coppice.Workers(workers))
}

// AddTrees adds the memory at its peak, the number of trees and their leaves, and the rounds of
// AdaBoost to facts.
func AddTrees(facts map[string]float64, m model.Model) {
	facts["peak"] = pairs.Memory("VmHWM")
	if e, ok := m.(*model.Ensemble); ok {
		for _, t := range e.Trees {
			facts["leaves"] += float64(t.NumLeaves()) / float64(len(e.Trees))
		}
		facts["trees"] = float64(len(e.Trees))
	}
	var summary struct{ Rounds float64 }
	if json.Unmarshal(m.Spec().Summary, &summary) == nil && summary.Rounds > 0 {
		facts["rounds"] = summary.Rounds
	}
}
