//go:build linux

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

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
	if b.xgboost != "" {
		all = append(all, one{name: "depth6", trees: 500, leaves: 64, depth: 6,
			about: "trees of depth 6, trained by XGBoost"})
	}
	for i := range all {
		if b.quick {
			all[i].trees /= 10
		}
		all[i].base = filepath.Join(b.dir, fmt.Sprintf("%s-%d-%d", all[i].name, all[i].trees,
			b.train))
	}
	return all
}

// find replaces folders by the libraries in them, and what is not found by nothing, and reports
// that.
func (b *bench) find() {
	if b.python != "" && exec.Command(b.python, "-c", "import numpy").Run() != nil {
		leftOut("all programs in Python", b.python+" does not run or has no NumPy")
		b.python = ""
	}
	if b.python == "" {
		b.xgboost, b.lightgbm, b.onnx = "", "", ""
		return
	}
	for _, p := range []struct {
		name, flag, file string
		path             *string
	}{{"XGBoost", "xgboost", "libxgboost.so", &b.xgboost},
		{"LightGBM", "lightgbm", "lib_lightgbm.so", &b.lightgbm},
		{"ONNX Runtime", "onnxruntime", "libonnxruntime.so*", &b.onnx}} {
		if *p.path = library(*p.path, p.file); *p.path == "" {
			leftOut(p.name, fmt.Sprintf("-%s names no %s", p.flag, p.file))
		}
	}
}

func leftOut(name, reason string) { fmt.Fprintf(os.Stderr, "left out: %s, as %s\n", name, reason) }

// library returns a path, or in a folder the first file of a pattern that is for this machine; ""
// if there is none.
func library(path, pattern string) string {
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	if !info.IsDir() {
		return path
	}
	for _, below := range []string{"", "lib", "*/lib", "capi", "*/capi", "bin/*/linux/x64"} {
		if found, err := filepath.Glob(filepath.Join(path, below, pattern)); err == nil &&
			len(found) > 0 {
			return found[0]
		}
	}
	return ""
}

// sides returns the programs that predict with a model, ours first, and the file that each reads.
func (b *bench) sides(c *one, threads int) []pairs.Side {
	var all []pairs.Side
	add := func(name, suffix string, command ...string) {
		model := c.base + suffix
		if !exists(model) {
			return // that was reported
		}
		all = append(all, pairs.Side{Name: name, Command: slices.Concat(command, []string{model,
			b.rowsFile(), fmt.Sprint(columns), fmt.Sprint(threads),
			fmt.Sprint(b.limit.Seconds()), fmt.Sprint(b.spend.Seconds()), b.output(len(all))})})
	}
	add("coppice", ".coppice", b.own, "-child", "whole")
	if c.depth > 0 {
		add("coppice, XGBoost's file", ".ubj", b.own, "-child", "coppice")
	} else {
		add("coppice, LightGBM's file", ".txt", b.own, "-child", "coppice")
	}
	if b.purego != "" {
		add("coppice, purego", ".coppice", b.purego, "-child", "coppice")
	}
	add("plain loop", ".coppice", b.own, "-child", "loop")
	add("leaves", ".leaves.txt", b.own, "-child", "leaves")
	for _, p := range []struct{ name, module, path, suffix string }{
		{"XGBoost", "xgboost", b.xgboost, ".ubj"}, {"LightGBM", "lightgbm", b.lightgbm, ".txt"},
		{"ONNX Runtime", "onnxruntime", b.onnx, ".onnx"}, {ownTrees, "sklearn", "-", ".pickle"}} {
		if p.path != "" && b.python != "" {
			add(p.name, p.suffix, b.python, b.script, "predict", p.module, p.path)
		}
	}
	return all
}

// ownTrees is the side whose trees are not ours.
const ownTrees = "scikit-learn"

// file is a file of the folder, whose name has a number.
func (b *bench) file(format string, numbers ...any) string {
	return filepath.Join(b.dir, fmt.Sprintf(format, numbers...))
}

// Files of the rows to train on, of their labels and of the rows to predict.
func (b *bench) trainFile() string { return b.file("train-%d.f32", b.train) }
func (b *bench) labelFile() string { return b.file("labels-%d.f32", b.train) }
func (b *bench) rowsFile() string  { return b.file("rows-%d-%d.f32", b.train, b.rows) }

// output is the file of a side's probabilities.
func (b *bench) output(side int) string { return b.file("side%d.f64", side) }
