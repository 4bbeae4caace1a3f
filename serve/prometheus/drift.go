package prometheus

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/coppice-ml/coppice/check"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/outside"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/serve"
)

const (
	driftWindow  = time.Hour
	driftBlock   = 1024        // rows that are counted at a time
	driftPause   = time.Second // between blocks: rows of a faster server are a sample
	leastDrift   = 50          // rows of a window
	mostColumns  = 200         // of a model, that have a metric
	mostOutputs  = 20
	driftWorkers = 1
)

// drifts compare the rows of each model with those of its training.
type drifts struct {
	metrics *Metrics
	psi     *prometheus.Desc
	outputs *prometheus.Desc
	drifted *prometheus.Desc
	rows    *prometheus.Desc
}

// drift is the rows of a model, in a window of time.
type drift struct {
	model *serve.Model
	pause atomic.Int64 // until when rows are passed over, in nanoseconds since 1970; 0: none are
	over  atomic.Int64 // rows that were passed over

	mu        sync.Mutex
	checker   *check.Checker
	began     time.Time     // of the window
	seen      int           // rows of the window
	rows      []float64     // that are not counted yet, one after the other
	responses []float64     // of these rows
	n         int           // of these rows
	last      *check.Report // of the last whole window; nil: there is none
}

func newDrifts(m *Metrics) *drifts {
	desc := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc(name, help, append([]string{"model", "version"}, labels...), nil)
	}
	return &drifts{metrics: m,
		psi: desc("coppice_psi", "Population stability index of a column against training, of the last hour.",
			"column"),
		outputs: desc("coppice_prediction_psi",
			"Population stability index of predictions against those of training, of the last hour.", "output"),
		drifted: desc("coppice_drifted_columns", "Columns that differ from training beyond chance."),
		rows:    desc("coppice_drift_rows", "Rows that drift was computed of.")}
}

// Describe sends the descriptions of the metrics.
func (d *drifts) Describe(to chan<- *prometheus.Desc) {
	for _, one := range []*prometheus.Desc{d.psi, d.outputs, d.drifted, d.rows} {
		to <- one
	}
}

// Collect sends the drift of the models that are served.
func (d *drifts) Collect(to chan<- prometheus.Metric) {
	served := d.metrics.models.All()
	d.metrics.counted.Range(func(key, value any) bool {
		m, _ := key.(*serve.Model)
		c, _ := value.(*counted)
		if !slices.Contains(served, m) {
			d.metrics.counted.Delete(key)
			return true
		}
		if c.drift == nil {
			return true
		}
		r := c.drift.report()
		if r == nil {
			return true
		}
		send := func(desc *prometheus.Desc, v float64, labels ...string) {
			to <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, v,
				append([]string{m.Name(), m.Version()}, labels...)...)
		}
		send(d.rows, float64(r.Rows))
		send(d.drifted, float64(r.Drifted))
		for _, c := range r.Columns[:min(len(r.Columns), mostColumns)] {
			if c.PSI != nil {
				send(d.psi, *c.PSI, c.Name)
			}
		}
		for _, c := range r.Predictions[:min(len(r.Predictions), mostOutputs)] {
			if c.PSI != nil {
				send(d.outputs, *c.PSI, c.Name)
			}
		}
		return true
	})
}

// add counts a row, or passes it over while so many come that some are enough. In a pause one of
// some rows looks at the clock.
func (d *drift) add(r *serve.PredictedRow) {
	const looks = 16
	until := d.pause.Load()
	if until != 0 && d.over.Add(1)%looks != 0 {
		return
	}
	now := outside.Now()
	if now.UnixNano() < until {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.pause.CompareAndSwap(until, 0)
	if d.checker == nil || now.Sub(d.began) >= driftWindow && d.seen >= leastDrift {
		d.next(now)
	}
	d.seen++
	d.rows, d.responses = append(d.rows, r.Row...), append(d.responses, r.Response...)
	if d.n++; d.n == driftBlock {
		d.count()
		d.pause.Store(now.Add(driftPause).UnixNano())
	}
}

// next begins a window.
func (d *drift) next(now time.Time) {
	d.last = d.current()
	d.began, d.seen = now, 0
	d.checker = check.New(d.model.Inner(), check.Options{ColumnsOnly: true,
		Options: model.Options{Workers: driftWorkers}})
}

// report returns the drift of the last whole window, else of the one so far; nil: of too few rows.
func (d *drift) report() *check.Report {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.last == nil {
		return d.current()
	}
	return d.last
}

// current returns the drift of the window so far.
func (d *drift) current() *check.Report {
	if d.checker == nil {
		return nil
	}
	d.count()
	r, err := d.checker.Report(context.Background())
	if err != nil || r.Rows < leastDrift { // without labels there is no error
		return nil
	}
	return r
}

// count adds the rows that wait to the checker.
func (d *drift) count() {
	if d.n == 0 {
		return
	}
	width := len(d.model.Schema().Fields)
	f, err := data.RowsFrame(d.model.Schema(), d.n, func(i int) []float64 { return d.rows[i*width:] })
	if err == nil {
		_ = d.checker.Add(context.Background(), f) // columns alone have no error
	}
	d.checker.AddPredicted(d.responses)
	d.rows, d.responses, d.n = d.rows[:0], d.responses[:0], 0
}
