//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"os/exec"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/formats"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/replace"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tools/bench/tables/recipe"
)

// table writes the table higgs, unless it is there: rows to train on, their labels, and the rows
// behind them, which are predicted. All are little-endian float32, row after row.
func (b *bench) table() error {
	if exists(b.trainFile()) && exists(b.labelFile()) && exists(b.rowsFile()) {
		return nil
	}
	t := recipe.Tables()[0]
	x, y := make([]float32, (b.train+b.rows)*t.Features), make([]float32, b.train)
	wide := make([]float64, t.Features)
	for i := range b.train + b.rows {
		label := t.Row(i, x[i*t.Features:][:t.Features], wide)
		if i < b.train {
			y[i] = label
		}
	}
	split := b.train * t.Features
	for _, part := range []struct {
		path   string
		values []float32
	}{{b.trainFile(), x[:split]}, {b.labelFile(), y}, {b.rowsFile(), x[split:]}} {
		err := replace.File(part.path, func(w io.Writer) error {
			return binary.Write(w, binary.LittleEndian, part.values)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// labels returns the labels of the first rows to predict.
func (b *bench) labels(n int) []uint32 {
	t := recipe.Tables()[0]
	x, wide, class := make([]float32, t.Features), make([]float64, t.Features), make([]uint32, n)
	for i := range class {
		class[i] = uint32(t.Row(b.train+i, x, wide))
	}
	return class
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// numbers reads a file of little-endian numbers.
func numbers[T float32 | float64](path string) ([]T, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var one T
	values := make([]T, len(b)/binary.Size(one))
	_, err = binary.Decode(b, binary.LittleEndian, values)
	return values, err
}

// write writes the models of a case that are not there: ours, what it is in the formats of others,
// and scikit-learn's. A format that cannot hold the model is left out, and so is scikit-learn where
// it is missing.
func (b *bench) write(ctx context.Context, c *one) error {
	own := c.base + ".coppice"
	if !exists(own) {
		m, err := b.fit(ctx, c)
		if err != nil {
			return err
		}
		if err := coppice.Save(own, m); err != nil {
			return err
		}
	}
	m, err := coppice.Open(own)
	if err != nil {
		return err
	}
	for _, suffix := range []string{".txt", ".ubj", ".onnx"} {
		if path := c.base + suffix; !exists(path) {
			format := formats.BySuffix(path)
			err := replace.File(path, func(w io.Writer) error { return format.Encode(w, m) })
			if err != nil {
				leftOut(path, err.Error())
			}
		}
	}
	if err := older(c.base+".txt", c.base+".leaves.txt"); err != nil {
		return err
	}
	if path := c.base + ".pickle"; b.python != "" && !exists(path) {
		if err := b.teach("sklearn", "", c, path); err != nil {
			leftOut(ownTrees, err.Error())
		}
	}
	return nil
}

// fit trains the model of a case, here or by XGBoost.
func (b *bench) fit(ctx context.Context, c *one) (model.Model, error) {
	if c.depth > 0 {
		path := c.base + ".ubj"
		if err := b.teach("xgboost", b.xgboost, c, path); err != nil {
			return nil, err
		}
		m, _, err := formats.Open(path, codec.Limits{})
		return m, err
	}
	ds, err := b.dataset()
	if err != nil {
		return nil, err
	}
	l, err := catalog.New("gbm")
	if err != nil {
		return nil, err
	}
	err = l.Params().Set([]string{fmt.Sprint("trees=", c.trees), fmt.Sprint("leaves=", c.leaves),
		"bins=255", "learning_rate=0.1", "l2=1", "min_child_weight=1", "min_leaf=1"})
	if err != nil {
		return nil, err
	}
	return coppice.Train(ctx, l, ds, coppice.Seed(1))
}

// teach makes a peer train a model of its own, and write it to a file.
func (b *bench) teach(module, library string, c *one, path string) error {
	command := exec.Command(b.python, b.script, "fit", module, library, b.trainFile(),
		b.labelFile(), fmt.Sprint(columns), fmt.Sprint(c.trees), fmt.Sprint(c.leaves),
		fmt.Sprint(c.depth), path)
	command.Stderr = os.Stderr
	return command.Run()
}

// columns is the number of columns of the table.
const columns = 28

// names are what its columns are called.
func names() []string {
	all := make([]string, columns)
	for j := range all {
		all[j] = fmt.Sprint("f", j)
	}
	return all
}

// dataset reads the rows to train on.
func (b *bench) dataset() (*data.Dataset, error) {
	x, err := numbers[float32](b.trainFile())
	if err != nil {
		return nil, err
	}
	y, err := numbers[float32](b.labelFile())
	if err != nil {
		return nil, err
	}
	table, err := newBlock(names(), b.train)
	if err != nil {
		return nil, err
	}
	table.fill(x)
	class := make([]uint32, len(y))
	for i, v := range y {
		class[i] = uint32(v)
	}
	return &data.Dataset{Frame: table.frame, Target: data.Target{Name: "y", Task: data.Binary,
		Classes: []string{"0", "1"}, Class: class}}, nil
}

// older writes a LightGBM file for leaves, which reads version 2 alone: the trees of numeric
// columns are written alike in all versions.
func older(path, to string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil // it was left out
	}
	text = bytes.Replace(text, []byte("\nversion=v4\n"), []byte("\nversion=v2\n"), 1)
	return os.WriteFile(to, text, 0o644)
}
