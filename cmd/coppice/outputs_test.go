package main

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/internal/testing/tier"
)

// wide are the ends of commands on a small model that declares 262,144 classes, with a limit of
// memory that no table of predictions fits into: an error, or "" where the command needs one row at
// a time. Commands that read no model have no entry.
var wide = map[string][]wideCase{
	"predict":   {{"m $t --output label", ""}, {"m $t --keep f0 --output leaf", ""}},
	"evaluate":  {{"m $t --label label", "the confusion matrix of 262144 classes needs 550 GB"}},
	"explain":   {{"m $t", "explaining 6 columns and 262144 scores needs 3.2 GB"}, {"m $t --top 2", "explaining 6 columns"}},
	"why":       {{"m $t --row 1", predicting}},
	"effects":   {{"m $t --columns f0", predicting}},
	"surrogate": {{"m $t", predicting}},
	"report":    {{"m $t --label label -o r.html", predicting}},
	"proximity": {{"m $t", predicting}},
	"diff":      {{"m m $t", predicting}},
	"bench":     {{"m $t --seconds 0.01", predicting}, {"m --seconds 0.01", "predicting 126 rows with 262144 outputs needs 264 MB"}},
	"draw":      {{"m $t --label label --what rounds -o p.svg", predicting}, {"m $t --label label --what partition --columns f0,f1 -o p.svg", predicting}},
	"show":      {{"m $t --label label --importances permutation", predicting}, {"m", ""}},
	"check":     {{"m $t", ""}},
	"profile":   {{"m $t -o p.coppice", predicting}},
	"verify":    nil, // as convert, by package parity

	// convert is tested by package parity, since it takes seconds; merge, generate and the others
	// predict no table
	"convert": nil, "generate": nil, "merge": nil, "train": nil, "retrain": nil, "tune": nil, "cv": nil, "compare": nil, "serve": nil, "monitor": nil, "lab": nil, "data": nil, "split": nil,
	"learners": nil, "version": nil,
}

type wideCase struct{ args, want string }

const predicting = "predicting 100 rows with 262144 outputs needs 210 MB of memory, the limit is 200 MB"

// Rows times outputs pass the limit of memory in every command.
func TestOutputsPassTheLimit(t *testing.T) {
	tier.NotShort(t, "runs each command with little memory")
	b, err := os.ReadFile(filepath.Join("..", "..", "codec", "xgboost", "testdata", "softmax.model"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	binary.LittleEndian.PutUint32(b[12:], 262144)
	write(t, "m", string(b))
	var table strings.Builder
	table.WriteString("f0,f1,f2,f3,f4,f5,label\n")
	for i := range 100 {
		fmt.Fprintf(&table, "%d,%d,%d,%d,%d,%d,%d\n", i, i%7, i%5, i%3, i%2, i%11, i%4)
	}
	write(t, "t.csv", table.String())
	for _, command := range commands() {
		name := command.Name
		cases, known := wide[name]
		if !known {
			t.Errorf("the command %s: add its end on a model of many outputs to wide, or nil", name)
		}
		for _, c := range cases {
			args := append([]string{name}, strings.Fields(strings.ReplaceAll(c.args, "$t", "t.csv"))...)
			if name != "verify" && (name != "show" || strings.Contains(c.args, "$t")) {
				args = append(args, "--memory", "200MB")
			}
			_, errs, status := run(t, args...)
			lines := strings.Count(errs, "\n")
			if (status == 0) != (c.want == "") || c.want != "" && (lines != 1 || !strings.Contains(errs, c.want)) {
				t.Errorf("%q: status %d, %q, want %q", args, status, errs, c.want)
			}
		}
	}
}
