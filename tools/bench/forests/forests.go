//go:build linux

// Package forests is the case of random forests beside those of ranger and scikit-learn: time and
// memory of training, speed of prediction, and what a stored forest costs in size, time and memory.
package forests

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/coppice-ml/coppice/tools/bench/exchange"
	"github.com/coppice-ml/coppice/tools/bench/pairs"
	"github.com/coppice-ml/coppice/tools/bench/traintest"
)

//go:embed peers.py
var peersPython string

//go:embed peers.R
var peersR string

// Case has parts for training (see trainings), for labels of rows (see labellings), and store.
// Tables are handed to all sides as the same binary files and are read, coded and filled in outside
// the clock. Where others require a value, it is the column's median or most frequent category.
var Case = pairs.Case{Name: "forests", About: "training, labels and files of forests beside ranger " +
	"and scikit-learn", Example: "-threads 1 higgs adult",
	Takes: "rounds threads quick busy rows trees python r data dir sides earlier",
	Set: func(r *pairs.Run) func(context.Context) error {
		b := &bench{Run: r}
		r.Job("fit", 3, traintest.Fit)
		r.Job("save", 5, save)
		r.Job("predict", 3, predict)
		r.Job("load", 3, load)
		return b.run
	}}

// bench is a run of the case.
type bench struct {
	*pairs.Run
	python, r string // the peers' programs
}

func (b *bench) run(ctx context.Context) (err error) {
	if b.Quick {
		b.Rows, b.Trees = 2000, 10
	}
	if b.python, err = b.Write("peers.py", exchange.Python+peersPython); err != nil {
		return err
	}
	if b.r, err = b.Write("peers.R", exchange.R+peersR); err != nil {
		return err
	}
	parts, names := map[string]func() error{}, []string{}
	add := func(name string, run func() error) { parts[name], names = run, append(names, name) }
	for _, t := range b.trainings() {
		add(t.name, func() error { return b.train(ctx, &t) })
	}
	for _, l := range b.labellings() {
		add(l.name, func() error { return b.predict(ctx, &l) })
	}
	add("store", func() error { return b.store(ctx) })
	chosen, err := b.Chosen(names...)
	if err != nil {
		return err
	}
	for _, name := range chosen {
		if err := parts[name](); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// sklearn and ranger are the sides of the peers that do a job.
func (b *bench) sklearn(name string, arguments ...string) pairs.Side {
	return b.Peer(name, b.Python, b.python, arguments...)
}

func (b *bench) ranger(name string, arguments ...string) pairs.Side {
	return b.Peer(name, b.R, b.r, arguments...)
}
