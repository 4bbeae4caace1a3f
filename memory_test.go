package coppice_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/memory"
	"github.com/coppice-ml/coppice/model"
)

// manyClasses is a table of rows with a label of as many classes.
func manyClasses(t *testing.T, rows, classes int) *data.Dataset {
	t.Helper()
	x, label := make([]string, rows), make([]string, rows)
	for i := range rows {
		x[i], label[i] = fmt.Sprint("x", i%7), fmt.Sprint("class ", i%classes)
	}
	f, err := data.FromColumns(data.NamedColumn{Name: "x", Values: x}, data.NamedColumn{Name: "y", Values: label})
	if err != nil {
		t.Fatal(err)
	}
	ds, err := data.Roles{Label: "y", Task: data.Multiclass}.Apply(f)
	if err != nil {
		t.Fatal(err)
	}
	return ds
}

// Every learner that uses classes declares its memory for rows x classes, and is refused before any
// work where that is over the limit.
func TestLearnersKeepToMemory(t *testing.T) {
	ds := manyClasses(t, 6000, 3000)
	for _, row := range catalog.Table() {
		l := row.New()
		c := l.Capabilities()
		if c.RowClassBytes != 0 && c.RowClassBytes < 16 {
			t.Errorf("%s declares %d bytes for each row and class", row.Name, c.RowClassBytes)
		}
		if c.Unsupervised {
			continue
		}
		bytes := max(16, c.RowClassBytes)
		needs := memory.Limit(6000 * 3000 * bytes)
		_, err := coppice.Train(t.Context(), l, ds, coppice.Memory(int64(needs-1)))
		var limit *memory.Error
		if !errors.Is(err, memory.ErrLimit) || !errors.As(err, &limit) || limit.Needed != int64(needs) ||
			!strings.Contains(err.Error(), "6000 rows of 3000 classes needs ") ||
			!strings.Contains(err.Error(), "data.ReadOptions.Memory") {
			t.Errorf("%s: %v", row.Name, err)
		}
		env := learn.Env{Memory: needs}
		if err := env.CheckMemory(l, &ds.Target, &learn.Job{}); err != nil {
			t.Errorf("%s, with memory enough: %v", row.Name, err)
		}
	}
}

// Cross-validation and samples hold predictions of all rows. Evaluation makes some at a time where
// memory holds no more, and has the same report.
func TestEvaluationKeepsToMemory(t *testing.T) {
	ds := manyClasses(t, 300, 20)
	l, err := catalog.New("cart")
	if err != nil {
		t.Fatal(err)
	}
	m, err := coppice.Train(t.Context(), l, ds)
	if err != nil {
		t.Fatal(err)
	}
	var reports []*eval.Report
	for _, limit := range []memory.Limit{0, 4 * 300 * 20 * 16, 300 * 20 * 16, 20 * 20 * 8} {
		r, err := eval.EvaluateRows(t.Context(), m, ds, nil, model.Options{Memory: limit})
		if err != nil {
			t.Fatal(err)
		}
		if reports = append(reports, r); !reflect.DeepEqual(r, reports[0]) {
			t.Errorf("memory %d: %+v, want %+v", limit, r, reports[0])
		}
	}
	if _, err := eval.EvaluateRows(t.Context(), m, ds, nil, model.Options{Memory: 20*20*8 - 1}); !errors.Is(err, memory.ErrLimit) {
		t.Errorf("evaluation: %v", err)
	}
	if _, err := eval.Sample(t.Context(), m, ds, nil, model.Options{Memory: 300*20*16 - 1}); !errors.Is(err, memory.ErrLimit) {
		t.Errorf("sample: %v", err)
	}
	plan := &split.Plan{Kind: split.Random, K: 3}
	if _, err := eval.CrossValidate(t.Context(), l, ds, plan, eval.Options{Memory: 300*20*16 - 1}); !errors.Is(err, memory.ErrLimit) {
		t.Errorf("cross-validation: %v", err)
	}
	if _, err := eval.CheckLeakage(t.Context(), l, ds, plan, 2, eval.Options{Memory: 200*20*16 - 1}); !errors.Is(err, memory.ErrLimit) {
		t.Errorf("leakage check: %v", err)
	}
}
