package coppice_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"reflect"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm"
	"github.com/coppice-ml/coppice/model"
)

// appointment has fields as rows of a database have.
type appointment struct {
	Age    sql.Null[float64] `coppice:"age"`
	Ward   sql.NullString    `coppice:"ward"`
	Review sql.NullString    `coppice:"review,text"`
	Stay   float64           `coppice:"stay"`
}

func appointments(n int) []appointment {
	rows := make([]appointment, n)
	for i := range rows {
		rows[i] = appointment{sql.Null[float64]{V: float64(20 + i%50), Valid: i%7 > 0},
			sql.NullString{String: string(rune('a' + i%3)), Valid: i%5 > 0},
			sql.NullString{String: "good food", Valid: i%2 > 0}, float64(i%50 + i%3)}
	}
	return rows
}

// PredictAll predicts what Predict does, in order, and names the first row of an error.
func TestPredictAll(t *testing.T) {
	rows := appointments(1000)
	m, err := coppice.TrainStructs(t.Context(), gbm.New(), rows, data.Label("stay"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := coppice.NewPredictor[appointment](m)
	if err != nil {
		t.Fatal(err)
	}
	all, err := p.PredictAll(t.Context(), rows)
	if err != nil {
		t.Fatal(err)
	}
	for i := range rows {
		one, err := p.Predict(rows[i])
		if err != nil || !reflect.DeepEqual(one, all[i]) {
			t.Fatalf("row %d: got %v, want %v, error %v", i, all[i], one, err)
		}
	}
	if none, err := p.PredictAll(t.Context(), nil); len(none) != 0 || err != nil {
		t.Errorf("of no rows: %v, %v", none, err)
	}
	checked, err := coppice.NewPredictor[appointment](m, model.Checks{Range: data.Refuse})
	if err != nil {
		t.Fatal(err)
	}
	rows[701].Age.V, rows[901].Age.V = 500, 500
	if _, err := checked.PredictAll(t.Context(), rows); err == nil || !strings.HasPrefix(err.Error(), "row 702: ") {
		t.Errorf("got %v", err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.PredictAll(cancelled, rows); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// A training with a logger makes the same model, and writes where it begins, goes on and ends.
func TestLog(t *testing.T) {
	rows := appointments(100)
	l := gbm.New()
	l.Trees = 3
	train := func(options ...coppice.Option) (model.Model, error) {
		return coppice.TrainStructs(t.Context(), l, rows, data.Label("stay"), options...)
	}
	silent, err := train()
	if err != nil {
		t.Fatal(err)
	}
	var lines bytes.Buffer
	log := slog.New(slog.NewTextHandler(&lines, &slog.HandlerOptions{Level: slog.LevelDebug}))
	rounds := 0
	logged, err := train(coppice.Log(log), coppice.Observe(func(learn.Round) error {
		rounds++
		return nil
	}))
	if err != nil {
		t.Fatal(err)
	}
	first, err := coppice.ID(silent)
	if err != nil {
		t.Fatal(err)
	}
	if second, err := coppice.ID(logged); err != nil || first != second {
		t.Errorf("the logger changes the model: %s, %s, error %v", first, second, err)
	}
	text := lines.String()
	if rounds == 0 || strings.Count(text, "msg=progress") != rounds ||
		!strings.Contains(text, `msg="training begins" label=stay task=regression rows=100 columns=`) ||
		!strings.Contains(text, `level=INFO msg="training ends" took=`) {
		t.Errorf("%d rounds:\n%s", rounds, text)
	}
	lines.Reset()
	if _, err := train(coppice.Log(log), coppice.Rows([]int32{1000})); err == nil {
		t.Error("a row that there is not is trained on")
	}
	if l.Loss.Name = "logistic"; true {
		_, err = train(coppice.Log(log))
	}
	if err == nil || !strings.Contains(lines.String(), `level=ERROR msg="training ends"`) {
		t.Errorf("error %v:\n%s", err, lines.String())
	}
}
