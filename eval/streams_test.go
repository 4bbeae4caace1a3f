package eval_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/internal/outside"
	"github.com/coppice-ml/coppice/model"
)

// Scratch files of evaluations that end, and of those that fail, are closed.
func TestScratchFilesAreClosed(t *testing.T) {
	f := labeledTable(t, 70_000)
	r := data.Roles{Label: "class", Classes: []string{"0", "1"}, Ignore: []string{"w", "g", "grade"}}
	ds, err := r.StreamBlocks(t.Context(), &blocksOf{f, 10_000})
	if err != nil {
		t.Fatal(err)
	}
	m := reported(t, []string{"0", "1"}, []float64{3, 7}, []float64{1, 0})
	o := eval.SetOptions{Options: model.Options{Memory: least}, Scratch: t.TempDir()}
	for _, fails := range []bool{false, true} {
		opened, closed, written := 0, 0, 0
		end := outside.Judge(func(c outside.Call) (f outside.Fault) {
			switch c.Kind {
			case outside.Create:
				opened++
			case outside.Close:
				closed++
			case outside.Write:
				if written++; fails && written == 2 {
					f.Err = errors.New("the disk is full")
				}
			}
			return f
		})
		_, err := eval.EvaluateSets(t.Context(), m, ds, [][]int32{nil, nil}, o)
		end()
		if (err != nil) != fails || fails && !strings.Contains(err.Error(), "the disk is full") {
			t.Errorf("error %v, want one: %v", err, fails)
		}
		if opened == 0 || closed != opened {
			t.Errorf("%d files are made and %d closed", opened, closed)
		}
	}
}

// A running evaluation of blocks has the report of all rows at once, and stops with its context and
// at a row that the model refuses.
func TestRunningIsEvaluation(t *testing.T) {
	f := labeledTable(t, 3000)
	r := data.Roles{Label: "class", Classes: []string{"0", "1"}, Ignore: []string{"w", "g", "grade"}}
	ds, err := r.Apply(f)
	if err != nil {
		t.Fatal(err)
	}
	m := reported(t, []string{"0", "1"}, []float64{3, 7}, []float64{1, 1}, []float64{5, 5}, []float64{2, 9})
	want, err := eval.EvaluateRows(t.Context(), m, ds, nil, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	running, err := eval.NewRunning(m, ds, eval.SetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer running.Close()
	all := data.AllRows(3000)
	for _, rows := range [][]int32{all[:1], all[1:1700], all[1700:]} {
		block, err := r.Apply(f.Subset(rows))
		if err != nil {
			t.Fatal(err)
		}
		if err := running.Add(t.Context(), block); err != nil {
			t.Fatal(err)
		}
	}
	got, intervals, err := running.Report(t.Context(), eval.IntervalOptions{Resamples: 30})
	if err != nil || text(t, got) != text(t, want) || len(intervals) != len(want.Metrics) {
		t.Errorf("%v, %s, want %s", err, text(t, got), text(t, want))
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if err := running.Add(ended, ds); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
	if _, none, err := running.Report(ended, eval.IntervalOptions{}); !errors.Is(err, context.Canceled) || none != nil {
		t.Errorf("intervals %v, error %v, want that of the context", none, err)
	}
	other := *ds
	other.Target.Classes = []string{"0", "2"}
	if _, err := eval.NewRunning(m, &other, eval.SetOptions{}); err == nil {
		t.Error("other classes are evaluated")
	}
}
