// Command clients has the tools that models are written for predict with them, and compares their
// scores and labels with those of coppice predict.
//
//	npm install --prefix FOLDER --ignore-scripts onnxruntime-node
//	go run ./clients [-all] [-only PATTERN] [-data FOLDER,...] [-node FOLDER] [-python PROGRAM]
//		[-xgboost FOLDER,...] [-lightgbm FOLDER] [-freeze FOLDER] -coppice PROGRAM
//	go run ./clients -fuzz 5000 -seed 1 ... -coppice PROGRAM
//
// A case is a kind of model, trained on a table with missing values and categories. Each format
// that another tool reads is written of it. The rows are nasty: values at the model's split points
// and one unit beside, in double and in single precision, zeros of both signs, very large numbers,
// missing values, and categories that training had not. The tool's predictions are compared with
// those of the file as coppice predict reads it, and on rows that single precision holds with those
// of the model itself.
//
// ONNX Runtime is the module onnxruntime-node below -node. XGBoost is the module of -python, and
// each folder of -xgboost has another version, as PYTHONPATH would. LightGBM is in the folder of
// -lightgbm. A client that is not there is named, and left out.
//
// Without -all one case of each kind runs. -freeze writes models, rows and what the tools predict,
// for the tests of codec/formats. -fuzz has the tools train small models themselves, and changes
// files at random; see fuzz.go. The status is 1 if a prediction differs.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// run is what the flags choose.
type run struct {
	coppice, work   string
	python, node    string
	xgboost         string
	lightgbm        string
	only, freeze    string
	data            string
	all             bool
	fuzz            int
	seed            uint64
	clients         []*client
	rows            int
	compared, wrong int
}

func main() {
	r := &run{}
	flag.StringVar(&r.coppice, "coppice", "", "the command coppice")
	flag.StringVar(&r.work, "work", "", "a folder for models and predictions; empty = one that is removed")
	flag.StringVar(&r.python, "python", "/usr/bin/python3", "the Python that has XGBoost, scikit-learn and onnx")
	flag.StringVar(&r.node, "node", "", "the folder in which npm installed onnxruntime-node")
	flag.StringVar(&r.xgboost, "xgboost", "", "folders with further versions of the Python module xgboost")
	flag.StringVar(&r.lightgbm, "lightgbm", "", "the folder that has the Python module lightgbm")
	flag.StringVar(&r.only, "only", "", "run the cases whose names contain this")
	flag.StringVar(&r.freeze, "freeze", "", "the folder to write what the tools predict to")
	flag.StringVar(&r.data, "data", "../testdata,../../shared/data", "folders of further tables")
	flag.BoolVar(&r.all, "all", false, "run all cases, with more rows, not one of each kind")
	flag.IntVar(&r.fuzz, "fuzz", 0, "compare so many random models instead")
	flag.Uint64Var(&r.seed, "seed", 1, "of the random models")
	flag.Parse()
	if err := r.do(); err != nil {
		fmt.Fprintln(os.Stderr, "clients:", err)
		os.Exit(1)
	}
}

func (r *run) do() error {
	if r.coppice == "" || flag.NArg() > 0 {
		return errors.New("name the command by -coppice")
	}
	var err error
	if r.coppice, err = filepath.Abs(r.coppice); err != nil {
		return err
	}
	if r.work == "" {
		if r.work, err = os.MkdirTemp("", "clients"); err != nil {
			return err
		}
		defer os.RemoveAll(r.work)
	}
	if err := r.findClients(); err != nil {
		return err
	}
	if r.fuzz > 0 {
		err = r.fuzzAll()
	} else {
		err = r.matrix()
	}
	if err == nil && r.wrong > 0 {
		err = fmt.Errorf("%d of %d comparisons differ", r.wrong, r.compared)
	}
	return err
}

// matrix trains all cases, has the clients predict, and prints the table.
func (r *run) matrix() error {
	r.rows = 40
	if r.all {
		r.rows = 300
	}
	if err := writeTable(filepath.Join(r.work, "table.csv")); err != nil {
		return err
	}
	var made []*made
	var untrained []error
	all := append(cases(), tables()...)
	if r.freeze != "" {
		all = cases()
	}
	for _, c := range all {
		if !r.all && !c.short || !strings.Contains(c.name, r.only) {
			continue
		}
		m, err := r.make(c)
		if errors.Is(err, errNoTable) {
			fmt.Printf("NOT RUN: %s: %v\n", c.name, err)
			continue
		}
		if err != nil {
			untrained = append(untrained, fmt.Errorf("%s: %w", c.name, err))
			continue
		}
		made = append(made, m)
	}
	for _, c := range r.clients {
		if err := r.score(c, made); err != nil {
			return err
		}
	}
	r.print(made)
	if r.freeze != "" {
		untrained = append(untrained, r.freezeAll(made))
	}
	return errors.Join(untrained...)
}
