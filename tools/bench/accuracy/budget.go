//go:build linux

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/coppice-ml/coppice/internal/rng"
)

// The comparison budget: the default, --preset best and coppice tune at multiples of the default's
// processor time, beside LightGBM, XGBoost, and Optuna on XGBoost. Time is that of processors, so
// that other work on the machine does not change what fits into a budget. Each cell (a set, a round
// and a side) is a file in the cache; what is there is not computed again.

// cell is what one side does in one round of one set.
type cell struct {
	Main   float64  `json:"error"` // see score.main
	Log    *float64 `json:"logloss,omitempty"`
	AUC    *float64 `json:"auc,omitempty"`
	CPU    float64  `json:"cpu_seconds"`
	Detail string   `json:"detail,omitempty"`
}

// budgetSide is a side of the comparison.
type budgetSide struct {
	name  string
	times float64 // multiple of the default's time; 0 = as long as it takes
	ours  func(ctx context.Context, b *bench, p *problem, r round, limit float64) (ran, error)
	peer  string // that budget.py knows
}

// ran is what a side predicts of the test rows, and the time that it took.
type ran struct {
	predictions []float64
	cpu         float64
	detail      string
}

// budgetSides returns the sides, the default first.
func budgetSides() []budgetSide {
	all := []budgetSide{{name: "default", ours: trainDefault()},
		{name: "rehearse=false", ours: trainDefault("rehearse=false")}}
	for _, peer := range []string{"lightgbm", "lightgbm-stop", "lightgbm-tuned", "xgboost",
		"xgboost-stop", "xgboost-tuned", "histgradientboosting"} {
		all = append(all, budgetSide{name: peer, peer: peer})
	}
	for _, times := range []float64{1, 5, 20} {
		all = append(all, budgetSide{name: fmt.Sprintf("best %gx", times), times: times,
			ours: trainBest()},
			budgetSide{name: fmt.Sprintf("tune %gx", times), times: times, ours: trainTuned},
			budgetSide{name: fmt.Sprintf("optuna %gx", times), times: times, peer: "optuna"})
		if times > 1 {
			all = append(all,
				budgetSide{name: fmt.Sprintf("best of 10 folds %gx", times), times: times,
					ours: trainBest("folds=10")},
				budgetSide{name: fmt.Sprintf("refit %gx", times), times: times,
					ours: trainRefit(fmt.Sprintf("best %gx", times))})
		}
	}
	return all
}

// budget computes the cells that are missing, until its time is over, and prints the report of
// those that are there.
func (b *bench) budget(ctx context.Context, only []string) error {
	start := time.Now()
	var problems []*problem
	for _, s := range sets(b.rows) {
		if len(only) > 0 && !slices.Contains(only, s.name) {
			continue
		}
		p, err := b.problem(&s, s.name, b.budgetRounds)
		if errors.Is(err, fs.ErrNotExist) {
			fmt.Fprintf(os.Stderr, "%s: %v\n", s.name, err)
			continue
		}
		if err != nil {
			return err
		}
		problems = append(problems, p)
	}
	for i, g := range generators() {
		if len(only) > 0 && !slices.Contains(only, g.name) {
			continue
		}
		ds, err := g.make(rng.New(b.seed, uint64(i)), b.rows)
		if err != nil {
			return err
		}
		rounds, err := b.budgetRounds(ds)
		if err != nil {
			return err
		}
		p, err := b.newProblem(g.name, ds, rounds)
		if err != nil {
			return err
		}
		problems = append(problems, p)
	}
	for i := range mostRounds(problems) { // a round of all sets before the next round
		for _, p := range problems {
			if i >= len(p.rounds) {
				continue
			}
			for _, side := range budgetSides() {
				if b.lasts > 0 && time.Since(start) > b.lasts {
					return b.reportBudgets(problems)
				}
				if len(b.sides) > 0 && !slices.Contains(b.sides, side.name) {
					continue
				}
				if err := b.cell(ctx, p, i, &side); err != nil {
					return fmt.Errorf("%s, %s: %w", p.name, side.name, err)
				}
			}
		}
	}
	return b.reportBudgets(problems)
}

// path returns the file of a cell.
func (b *bench) path(p *problem, round int, side string) string {
	return filepath.Join(b.cache, strings.ReplaceAll(fmt.Sprintf("%s-%s-%d-%s.json", p.name,
		p.digest[:8], round, side), " ", "_"))
}

// read returns a cell; nil: it is not there.
func (b *bench) read(p *problem, round int, side string) *cell {
	bytes, err := os.ReadFile(b.path(p, round, side))
	var c cell
	if err != nil || json.Unmarshal(bytes, &c) != nil {
		return nil
	}
	return &c
}

// cell computes a cell, unless it is there.
func (b *bench) cell(ctx context.Context, p *problem, round int, side *budgetSide) error {
	if b.read(p, round, side.name) != nil {
		return nil
	}
	limit := 0.0
	if side.times > 0 {
		first := b.read(p, round, "default")
		if first == nil {
			return errors.New("the default, whose time is the budget, was not run")
		}
		limit = side.times * first.CPU
	}
	var found ran
	var err error
	if side.ours != nil {
		found, err = side.ours(ctx, b, p, p.rounds[round], limit)
	} else {
		found, err = b.budgetPeer(ctx, p, round, side.peer, limit)
	}
	if err != nil {
		return err
	}
	own := *p
	own.rounds = p.rounds[round : round+1]
	s, err := own.scores(found.predictions)
	if err != nil {
		return err
	}
	c := cell{Main: s.main[0], CPU: found.cpu, Detail: found.detail}
	if s.log != nil {
		c.Log = &s.log[0]
	}
	if s.auc != nil {
		c.AUC = &s.auc[0]
	}
	bytes, err := json.Marshal(c)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "%s %d, %s: %s\n", p.name, round, side.name, bytes)
	path := b.path(p, round, side.name)
	if err := os.WriteFile(path+".part", append(bytes, '\n'), 0o644); err != nil {
		return err
	}
	return os.Rename(path+".part", path)
}
