//go:build linux

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/learn/portfolio"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tools/bench/exchange"
	"github.com/coppice-ml/coppice/tune"
)

// processor returns the processor time of this process, in seconds.
func processor() float64 {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		panic(err)
	}
	seconds := func(t syscall.Timeval) float64 { return float64(t.Sec) + 1e-6*float64(t.Usec) }
	return seconds(r.Utime) + seconds(r.Stime)
}

// predicted returns what a model predicts of the test rows.
func (b *bench) predicted(p *problem, r round, m model.Model) ([]float64, error) {
	predictor, err := m.Bind(&p.Schema, model.Options{Workers: b.threads})
	if err != nil {
		return nil, err
	}
	test := r.rows(forTest)
	dst := make([]float64, len(test)*p.width())
	return dst, predictor.Predict(dst, p.Frame, test)
}

// trained trains a learner on the training rows of a round.
func (b *bench) trained(ctx context.Context, p *problem, r round, l learn.Learner,
	observe func(learn.Round) error, look func(model.Model) error) (ran, error) {
	runtime.GC() // what other sides left does not count
	start := processor()
	m, err := fit(ctx, l, p, learn.Job{Rows: r.rows(forTraining), Seed: b.seed,
		Workers: b.threads, Observe: observe})
	if err != nil {
		return ran{}, err
	}
	spent := processor() - start
	if look != nil {
		if err := look(m); err != nil {
			return ran{}, err
		}
	}
	predictions, err := b.predicted(p, r, m)
	return ran{predictions, spent, m.Describe().Words}, err
}

// trainDefault is the default learner, with settings if any are given.
func trainDefault(settings ...string) func(context.Context, *bench, *problem, round, float64) (ran,
	error) {
	return func(ctx context.Context, b *bench, p *problem, r round, _ float64) (ran, error) {
		l, err := catalog.New(catalog.Default)
		if err == nil {
			err = l.Params().Set(settings)
		}
		if err != nil {
			return ran{}, err
		}
		return b.trained(ctx, p, r, l, nil, nil)
	}
}

// beyond is a number of configurations or trials that no budget reaches.
const beyond = 1000

// trainBest is --preset best, which the observer stops once the time is spent.
func trainBest(settings ...string) func(context.Context, *bench, *problem, round, float64) (ran,
	error) {
	return func(ctx context.Context, b *bench, p *problem, r round, limit float64) (ran, error) {
		start := processor()
		return b.portfolio(ctx, p, r, func(learn.Round) error {
			if processor()-start >= limit {
				return learn.Stop
			}
			return nil
		}, append(settings, fmt.Sprint("budget=", beyond))...)
	}
}

// trainRefit is trainBest of as many configurations, and trains each that is selected on all rows.
// It takes longer.
func trainRefit(of string) func(context.Context, *bench, *problem, round, float64) (ran, error) {
	return func(ctx context.Context, b *bench, p *problem, r round, _ float64) (ran, error) {
		number := slices.IndexFunc(p.rounds, func(o round) bool { return &o[0] == &r[0] })
		c := b.read(p, number, of)
		if c == nil {
			return ran{}, fmt.Errorf("%s was not run", of)
		}
		count, _, _ := strings.Cut(c.Detail, " ")
		return b.portfolio(ctx, p, r, nil, "budget="+count, "final=refit")
	}
}

// portfolio trains a portfolio. The detail begins with the number of configurations.
func (b *bench) portfolio(ctx context.Context, p *problem, r round,
	observe func(learn.Round) error, settings ...string) (ran, error) {
	l, err := catalog.New(portfolio.Name)
	if err == nil {
		err = l.Params().Set(settings)
	}
	if err != nil {
		return ran{}, err
	}
	found := 0
	done, err := b.trained(ctx, p, r, l, observe, func(m model.Model) error {
		var s portfolio.Summary
		err := learn.ReadSummary(m, &s)
		found = len(s.Configurations)
		return err
	})
	done.detail = fmt.Sprint(found, " configurations: ", done.detail)
	return done, err
}

// trainTuned searches until the time that is left is that of a trial, and trains the best.
func trainTuned(ctx context.Context, b *bench, p *problem, r round, limit float64) (ran, error) {
	runtime.GC()
	start := processor()
	rows := r.rows(forTraining)
	fresh := func() (learn.Learner, error) { return catalog.New(catalog.Default) }
	study, err := tune.Run(ctx, []tune.Candidate{{Name: catalog.Default, New: fresh}}, p.Dataset,
		&data.Plan{K: 5, Seed: b.seed}, tune.Options{Trials: beyond, Rows: rows, Seed: b.seed,
			Workers: b.threads, Env: catalog.Env(b.threads),
			Observe: func(s *tune.Study) error {
				// The next trial, and a final training that chooses its rounds as a trial does.
				spent := processor() - start
				if spent+2*spent/float64(len(s.Trials)) >= limit {
					return learn.Stop
				}
				return nil
			}})
	if err != nil {
		return ran{}, err
	}
	l, err := fresh()
	if err == nil {
		err = l.Params().Set(study.Trials[study.Best].Settings)
	}
	if err != nil {
		return ran{}, err
	}
	m, err := fit(ctx, l, p, learn.Job{Rows: rows, Seed: b.seed, Workers: b.threads})
	if err != nil {
		return ran{}, err
	}
	spent := processor() - start
	predictions, err := b.predicted(p, r, m)
	return ran{predictions, spent, fmt.Sprint(len(study.Trials), " trials")}, err
}

// budgetPeer runs a peer in a round.
func (b *bench) budgetPeer(ctx context.Context, p *problem, round int, peer string, limit float64) (
	ran, error) {
	out := filepath.Join(b.dir, "budget.f64")
	cmd := exec.CommandContext(ctx, b.python, filepath.Join(b.dir, "budget.py"), p.folder, out, peer,
		fmt.Sprint(round), fmt.Sprint(limit), fmt.Sprint(b.seed), fmt.Sprint(b.threads))
	folders := b.lightgbm
	if peer != "optuna" { // it searches with the XGBoost of its Python
		folders += ":" + b.xgboost
	}
	cmd.Env = append(os.Environ(), "PYTHONPATH="+folders, fmt.Sprint("OMP_NUM_THREADS=", b.threads))
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	if err != nil {
		return ran{}, err
	}
	var found struct {
		CPU    float64 `json:"cpu"`
		Detail string  `json:"detail"`
	}
	if err := json.Unmarshal(text, &found); err != nil {
		return ran{}, fmt.Errorf("%w in %q", err, text)
	}
	f, err := os.Open(out)
	if err != nil {
		return ran{}, err
	}
	defer f.Close()
	predictions, err := exchange.ReadNumbers(f, len(p.rounds[round].rows(forTest))*p.width())
	return ran{predictions, found.CPU, found.Detail}, err
}
