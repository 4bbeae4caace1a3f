//go:build linux

package predict

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/coppice-ml/coppice/tools/bench/pairs"
)

// one is a case: a model, and what it is called.
type one struct {
	name, about   string
	trees, leaves int
	depth         int    // of trees that XGBoost trains; 0: they are trained here
	base          string // of the names of its files
}

// cases returns the cases; without XGBoost none that it trains.
func (b *bench) cases() []one {
	var all []one
	for _, size := range [][2]int{{100, 31}, {500, 31}, {100, 255}, {500, 255}} {
		trees, leaves := size[0], size[1]
		all = append(all, one{name: fmt.Sprintf("%dx%d", trees, leaves), trees: trees,
			leaves: leaves, about: fmt.Sprintf("trees of %d leaves, trained here", leaves)})
	}
	if b.XGBoost != "" {
		all = append(all, one{name: "depth6", trees: 500, leaves: 64, depth: 6,
			about: "trees of depth 6, trained by XGBoost"})
	}
	for i := range all {
		if b.Quick {
			all[i].trees /= 10
		}
		all[i].base = filepath.Join(b.Dir, fmt.Sprintf("%s-%d-%d", all[i].name, all[i].trees,
			b.train))
	}
	return all
}

// find replaces folders by the libraries in them, and what is not found by nothing, and reports
// that.
func (b *bench) find() {
	if b.Python != "" && exec.Command(b.Python, "-c", "import numpy").Run() != nil {
		leftOut("all programs in Python", b.Python+" does not run or has no NumPy")
		b.Python = ""
	}
	if b.Python == "" {
		b.XGBoost, b.LightGBM, b.ONNXRuntime = "", "", ""
		return
	}
	for _, p := range []struct {
		name, flag, file string
		path             *string
	}{{"XGBoost", "xgboost", "libxgboost.so", &b.XGBoost},
		{"LightGBM", "lightgbm", "lib_lightgbm.so", &b.LightGBM},
		{"ONNX Runtime", "onnxruntime", "libonnxruntime.so*", &b.ONNXRuntime}} {
		if *p.path = pairs.Library(*p.path, p.file); *p.path == "" {
			leftOut(p.name, fmt.Sprintf("-%s names no %s", p.flag, p.file))
		}
	}
}

func leftOut(name, reason string) { fmt.Fprintf(os.Stderr, "left out: %s, as %s\n", name, reason) }

// sides returns the programs that predict with a model, ours first, and the file that each reads.
func (b *bench) sides(c *one, threads int) []pairs.Side {
	var all []pairs.Side
	add := func(name, suffix string, side func(arguments ...string) pairs.Side) {
		model := c.base + suffix
		if !exists(model) {
			return // that was reported
		}
		all = append(all, side(model, b.rowsFile(), fmt.Sprint(columns), fmt.Sprint(threads),
			fmt.Sprint(b.limit.Seconds()), fmt.Sprint(b.spend.Seconds()), b.output(len(all))))
	}
	own := func(name, suffix, job string) {
		add(name, suffix, func(a ...string) pairs.Side { return b.Own(name, job, a...) })
	}
	own("coppice", ".coppice", "whole")
	if c.depth > 0 {
		own("coppice, XGBoost's file", ".ubj", "coppice")
	} else {
		own("coppice, LightGBM's file", ".txt", "coppice")
	}
	if b.purego != "" {
		add("coppice, purego", ".coppice", func(a ...string) pairs.Side {
			s := b.Own("coppice, purego", "coppice", a...)
			s.Command[0] = b.purego
			return s
		})
	}
	own("plain loop", ".coppice", "loop")
	own("leaves", ".leaves.txt", "leaves")
	for _, p := range []struct{ name, module, path, suffix string }{
		{"XGBoost", "xgboost", b.XGBoost, ".ubj"}, {"LightGBM", "lightgbm", b.LightGBM, ".txt"},
		{"ONNX Runtime", "onnxruntime", b.ONNXRuntime, ".onnx"}, {ownTrees, "sklearn", "-", ".pickle"}} {
		if p.path != "" && b.Python != "" {
			add(p.name, p.suffix, func(a ...string) pairs.Side {
				return b.Peer(p.name, b.Python, b.script, append([]string{"predict", p.module, p.path},
					a...)...)
			})
		}
	}
	return all
}

// columns is the number of columns of the table higgs.
const columns = 28

// ownTrees is the side whose trees are not ours.
const ownTrees = "scikit-learn"

// file is a file of the folder, whose name has a number.
func (b *bench) file(format string, numbers ...any) string {
	return filepath.Join(b.Dir, fmt.Sprintf(format, numbers...))
}

// Files of the rows to train on, of their labels and of the rows to predict.
func (b *bench) trainFile() string { return b.file("train-%d.f32", b.train) }
func (b *bench) labelFile() string { return b.file("labels-%d.f32", b.train) }
func (b *bench) rowsFile() string  { return b.file("rows-%d-%d.f32", b.train, b.Rows) }

// output is the file of a side's probabilities.
func (b *bench) output(side int) string { return b.file("side%d.f64", side) }
