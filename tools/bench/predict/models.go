//go:build linux

package predict

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/formats"
	"github.com/coppice-ml/coppice/internal/replace"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tools/bench/exchange"
	"github.com/coppice-ml/coppice/tools/bench/tables/recipe"
)

// table writes the table higgs, unless it is there: rows to train on, their labels, and the rows
// behind them, which are predicted. All are little-endian float32, row after row.
func (b *bench) table() error {
	if exists(b.trainFile()) && exists(b.labelFile()) && exists(b.rowsFile()) {
		return nil
	}
	t := recipe.ByName("higgs")
	x, y := t.Matrix(0, b.train+b.Rows)
	split := b.train * t.Features
	return errors.Join(exchange.WriteNumbers(b.trainFile(), x[:split]),
		exchange.WriteNumbers(b.labelFile(), y[:b.train]), exchange.WriteNumbers(b.rowsFile(), x[split:]))
}

// labels returns the labels of the first rows to predict.
func (b *bench) labels(n int) []uint32 {
	_, y := recipe.ByName("higgs").Matrix(b.train, n)
	class := make([]uint32, n)
	for i, v := range y {
		class[i] = uint32(v)
	}
	return class
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
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
	if path := c.base + ".pickle"; b.Python != "" && !exists(path) {
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
		if err := b.teach("xgboost", b.XGBoost, c, path); err != nil {
			return nil, err
		}
		m, _, err := formats.Open(path, codec.Limits{})
		return m, err
	}
	ds, err := recipe.ByName("higgs").Dataset(0, b.train, 0)
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
	command := exec.Command(b.Python, b.script, "fit", module, library, b.trainFile(),
		b.labelFile(), fmt.Sprint(columns), fmt.Sprint(c.trees), fmt.Sprint(c.leaves),
		fmt.Sprint(c.depth), path)
	command.Stderr = os.Stderr
	return command.Run()
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
