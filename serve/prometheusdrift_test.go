package serve_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coppice-ml/coppice"
	checks "github.com/coppice-ml/coppice/check"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/outside"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/serve"
	"github.com/coppice-ml/coppice/serve/prometheus"
)

// trip has a column of each kind.
type trip struct {
	X    float64
	Z    string
	Day  time.Time
	Note string `coppice:",text"`
	Kind string
}

// trips makes rows from some number on, whose X are shifted.
func trips(from, n int, shift float64) []trip {
	var rows []trip
	for i := range n {
		r := trip{X: float64((from+i)*7%40) + shift, Z: "abc"[i%3 : i%3+1], Kind: "low", Note: "two words",
			Day: time.Date(2026, 1, 1+i%60, 0, 0, 0, 0, time.UTC)}
		if r.X >= 20 != (r.Z == "c") {
			r.Kind = "high"
		}
		rows = append(rows, r)
	}
	return rows
}

// tripModel is a tree of trips.
func tripModel(t testing.TB) model.Model {
	t.Helper()
	m, err := coppice.TrainStructs(t.Context(), cart.New(), trips(0, 200, 0), data.Label("Kind"),
		coppice.Workers(1))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// The drift of a served model is that of check for the same rows. A window goes on until it has
// enough rows, and what is shown is the last whole one.
func TestMetricsShowDrift(t *testing.T) {
	now := atomic.Int64{}
	now.Store(1_800_000_000)
	defer outside.Judge(func(c outside.Call) outside.Fault {
		if c.Kind == outside.Clock {
			return outside.Fault{Time: time.Unix(now.Load(), 0)}
		}
		return outside.Fault{}
	})()
	inner := tripModel(t)
	m, err := serve.NewModel("trips", inner, serve.ModelOptions{})
	if err != nil {
		t.Fatal(err)
	}
	models := serve.NewModels()
	models.Put(m)
	metrics := prometheus.New(models)
	h := serve.Handler(models, serve.Options{Observe: metrics.Observe, EachRow: metrics.EachRow})
	send := func(rows []trip) {
		t.Helper()
		var b strings.Builder
		b.WriteString("X,Z,Day,Note\n")
		for _, r := range rows {
			fmt.Fprintf(&b, "%v,%s,%s,%s\n", r.X, r.Z, r.Day.Format(time.DateOnly), r.Note)
		}
		w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/v1/models/trips/predict",
			strings.NewReader(b.String()))
		r.Header.Set("Content-Type", "text/csv")
		if h.ServeHTTP(w, r); w.Code != http.StatusOK {
			t.Fatal(w.Code, w.Body)
		}
	}
	want := func(rows []trip) map[string]string {
		t.Helper()
		f, err := data.FromStructs(rows)
		if err != nil {
			t.Fatal(err)
		}
		r, err := checks.Run(t.Context(), inner, f, checks.Options{NoLabel: true})
		if err != nil {
			t.Fatal(err)
		}
		all := map[string]string{"coppice_drift_rows": fmt.Sprint(r.Rows),
			"coppice_drifted_columns": fmt.Sprint(r.Drifted)}
		for _, c := range r.Columns {
			if c.PSI != nil {
				all["coppice_psi/"+c.Name] = fmt.Sprint(*c.PSI)
			}
		}
		if _, has := all["coppice_psi/X"]; !has {
			t.Fatal("the test says nothing of X")
		}
		return all
	}
	compare := func(when string, want map[string]string) {
		t.Helper()
		w := httptest.NewRecorder()
		metrics.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
		text, err := io.ReadAll(w.Body)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		for _, line := range regexp.MustCompile(`(?m)^(coppice_(?:drift\w+|psi))\{(?:column="(\w+)",)?model="trips",version="1"\} (\S+)$`).FindAllStringSubmatch(string(text), -1) {
			got[strings.TrimSuffix(line[1]+"/"+line[2], "/")] = line[3]
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s the metrics have %v\nwant %v", when, got, want)
		}
	}
	send(trips(0, 20, 0))
	compare("with few rows", map[string]string{})
	send(trips(20, 100, 0))
	first := append(trips(0, 20, 0), trips(20, 100, 0)...)
	compare("before the end of a window", want(first))
	now.Add(3601)
	later := trips(0, 30, 15)
	send(later) // begins a window
	compare("behind a window", want(first))
	now.Add(3601)
	next := trips(30, 60, 15)
	send(next) // the window had too few rows, and goes on until it has enough
	compare("behind a short window", want(append(later, next[:20]...)))
	models.Remove("trips", "")
	compare("without the model", map[string]string{})
}

// Of a fast server some rows are enough: each block is followed by a pause.
func TestDriftOfManyRows(t *testing.T) {
	inner := tripModel(t)
	m, err := serve.NewModel("trips", inner, serve.ModelOptions{})
	if err != nil {
		t.Fatal(err)
	}
	models := serve.NewModels()
	models.Put(m)
	metrics := prometheus.New(models)
	row := &serve.PredictedRow{Model: m, Row: make([]float64, len(m.Schema().Fields)),
		Response: []float64{0.5, 0.5}}
	for range 20_000 {
		metrics.EachRow(row)
	}
	w := httptest.NewRecorder()
	metrics.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	var rows float64
	for line := range strings.Lines(w.Body.String()) {
		fmt.Sscanf(line, `coppice_drift_rows{model="trips",version="1"} %g`, &rows)
	}
	if rows < 1024 || rows > 10_000 {
		t.Errorf("drift is of %v rows of 20,000", rows)
	}
}

// BenchmarkMetrics measures a request of one row without metrics and with all.
func BenchmarkMetrics(b *testing.B) {
	m, err := serve.NewModel("trips", tripModel(b), serve.ModelOptions{})
	if err != nil {
		b.Fatal(err)
	}
	models := serve.NewModels()
	models.Put(m)
	metrics := prometheus.New(models)
	const body = `{"X":1,"Z":"a","Day":"2026-01-05","Note":"two words"}`
	for name, o := range map[string]serve.Options{"without": {},
		"with": {Observe: metrics.Observe, EachRow: metrics.EachRow}} {
		h := serve.Handler(models, o)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				w := httptest.NewRecorder()
				h.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/v1/models/trips/predict",
					strings.NewReader(body)))
				if w.Code != http.StatusOK {
					b.Fatal(w.Body)
				}
			}
		})
		b.Run(name+" over HTTP", func(b *testing.B) {
			web := httptest.NewServer(h)
			defer web.Close()
			for b.Loop() {
				r, err := http.Post(web.URL+"/v1/models/trips/predict", "", strings.NewReader(body))
				if err != nil {
					b.Fatal(err)
				}
				_, _ = io.Copy(io.Discard, r.Body)
				r.Body.Close()
			}
		})
	}
}
