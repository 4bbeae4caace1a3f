//go:build linux

package main

import (
	"context"
	"fmt"
	"io"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/codec/formats"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/replace"
	"github.com/coppice-ml/coppice/learn/catalog"
)

// one is a model. Numbers of rows are the largest: the benchmark may have fewer.
type one struct {
	name, learner    string
	trees            int
	settings         []string
	train            int
	rows, background int
	peers            bool // others explain it, too
}

// every is a number of rows that no table has.
const every = 1 << 30

func cases() []one {
	boosted := []string{"bins=255", "learning_rate=0.1", "l2=1", "min_child_weight=1", "min_leaf=1"}
	return []one{
		{"500 trees of 31 leaves", "gbm", 500, append([]string{"leaves=31"}, boosted...), every,
			every, every, true},
		{"200 trees of depth 8", "gbm", 200, append([]string{"leaves=256", "depth=8"}, boosted...),
			every, every, every, true},
		{"forest of 100 full trees", "forest", 100, nil, 10_000, 1000, 100, false},
	}
}

// write trains a model, and writes it in all formats.
func (b *bench) write(c *one, ds *data.Dataset, base string) error {
	l, err := catalog.New(c.learner)
	if err != nil {
		return err
	}
	settings := append([]string{fmt.Sprint("trees=", max(1, c.trees/b.less))}, c.settings...)
	if err := l.Params().Set(settings); err != nil {
		return err
	}
	m, err := coppice.Train(context.Background(), l, ds, coppice.Seed(1),
		coppice.Rows(data.AllRows(min(c.train, ds.Rows()))))
	if err != nil {
		return err
	}
	if err := coppice.Save(b.file(base+".coppice"), m); err != nil || !c.peers {
		return err
	}
	for _, suffix := range []string{".txt", ".ubj"} {
		path := b.file(base + suffix)
		format := formats.BySuffix(path)
		if err := replace.File(path, func(w io.Writer) error { return format.Encode(w, m) }); err != nil {
			return err
		}
	}
	return nil
}
