package serve_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/gbm"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/serve"
)

// wide returns a model of 28 numbers with 500 trees of 31 leaves, and a row for it.
func wide(b *testing.B) (model.Model, map[string]float64) {
	b.Helper()
	r := rand.New(rand.NewPCG(1, 1))
	var columns []data.NamedColumn
	row, y := map[string]float64{}, make([]float64, 4000)
	for c := range 28 {
		v := make([]float64, len(y))
		for i := range v {
			v[i] = r.NormFloat64()
			y[i] += v[i] * float64(c%5)
		}
		name := fmt.Sprintf("column_%d", c)
		columns = append(columns, data.NamedColumn{Name: name, Values: v})
		row[name] = v[0]
	}
	f, err := data.FromColumns(append(columns, data.NamedColumn{Name: "y", Values: y})...)
	if err != nil {
		b.Fatal(err)
	}
	ds, err := data.Label("y").Apply(f)
	if err != nil {
		b.Fatal(err)
	}
	l := gbm.New()
	l.Trees, l.Leaves, l.Rehearse = 500, 31, false
	m, err := coppice.Train(b.Context(), l, ds)
	if err != nil {
		b.Fatal(err)
	}
	return m, row
}

// BenchmarkRequests measures a request of one row of 28 numbers, in the handler alone: decoding,
// prediction and the answer; and of a thousand rows. "bare" is what a service of encoding/json and
// nothing else does.
func BenchmarkRequests(b *testing.B) {
	m, row := wide(b)
	body, err := json.Marshal(row)
	if err != nil {
		b.Fatal(err)
	}
	thousand := append(append([]byte("["), bytes.Repeat([]byte(string(body)+","), 999)...), append(body, ']')...)
	s, err := serve.NewModel("wide", m, serve.ModelOptions{})
	if err != nil {
		b.Fatal(err)
	}
	models := serve.NewModels()
	models.Put(s)
	bound, err := m.Bind(&m.Spec().Schema, model.Options{Workers: 1})
	if err != nil {
		b.Fatal(err)
	}
	names := m.Spec().Schema.Names()
	bare := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var row map[string]float64
		if err := json.NewDecoder(r.Body).Decode(&row); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		values, y := make([]float64, len(names)), make([]float64, 1)
		for i, name := range names {
			values[i] = row[name]
		}
		if err := bound.PredictRow(y, values); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		_ = json.NewEncoder(w).Encode(map[string]float64{"value": y[0]})
	})
	for _, c := range []struct {
		name, path string
		handler    http.Handler
		body       []byte
	}{
		{"bare", "/", bare, body},
		{"row", "/v1/models/wide/predict", serve.Handler(models, serve.Options{}), body},
		{"reasons", "/v1/models/wide/predict?reasons=5", serve.Handler(models, serve.Options{}), body},
		{"thousand", "/v1/models/wide/predict", serve.Handler(models, serve.Options{}), thousand},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				r := httptest.NewRequest(http.MethodPost, c.path, bytes.NewReader(c.body))
				w := httptest.NewRecorder()
				c.handler.ServeHTTP(w, r)
				if w.Code != http.StatusOK {
					b.Fatal(w.Body)
				}
			}
		})
	}
}
