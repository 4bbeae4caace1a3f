// Package prometheus counts what a server of package serve predicts, for Prometheus:
//
//	metrics := prometheus.New(models)
//	h := serve.Handler(models, serve.Options{Observe: metrics.Observe, EachRow: metrics.EachRow})
//	mux.Handle("/metrics", metrics.Handler())
//
// Labels are names and versions of models that are served, their columns, and classes of status. So
// their number is bounded, whatever clients send. No value of a row becomes a label.
//
//	coppice_request_seconds{model, code}     histogram of the time of requests that predict
//	coppice_requests_in_flight               requests that are being answered: see Metrics.InFlight
//	coppice_rows_total{model, version}       rows that were predicted
//	coppice_flags_total{model, column, kind} values that training had not
//	coppice_score{model, version}            histogram of probabilities
//	coppice_model_info{model, version, id}   1 for each model that is served
//	coppice_reload_errors_total              files that did not serve when they were loaded
//	coppice_reload_success                   0 while a file does not serve, else 1
//	coppice_psi{model, version, column}      drift of a column: see Metrics.EachRow
//	coppice_prediction_psi{model, version, output}
//	coppice_drifted_columns{model, version}  columns that differ from training beyond chance
//	coppice_drift_rows{model, version}       rows that drift was computed of
//	coppice_log_rows_total                   rows in a log of predictions: see Metrics.Log
//	coppice_log_lost_total                   rows that found no place in it
//	go_build_info{path, version, checksum}   the program
//
// Probabilities are those of the positive class of two, or of the predicted one of several. Models
// of numbers have none.
package prometheus

import (
	"net/http"
	"strconv"
	"sync"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/coppice-ml/coppice/serve"
)

// Metrics are those of one server. It is safe for concurrent use.
type Metrics struct {
	registry *prometheus.Registry
	inFlight prometheus.Gauge
	models   *serve.Models
	seconds  *prometheus.HistogramVec
	rows     *prometheus.CounterVec
	flags    *prometheus.CounterVec
	scores   *prometheus.HistogramVec
	info     *prometheus.Desc
	counted  sync.Map // *serve.Model -> *counted, of models that are served
}

// counted is what each request of a model adds to. Looking it up by labels would take as long as
// the rest of the metrics.
type counted struct {
	answered prometheus.Observer // seconds of requests with status 200
	rows     prometheus.Counter
	scores   prometheus.Observer // nil: a model of numbers
	drift    *drift              // nil: a model without a profile
}

// noModel is the label of requests that name no model that is served.
const noModel = ""

// New returns the metrics of a set of models, with those of the process and of Go.
func New(models *serve.Models) *Metrics {
	m := &Metrics{registry: prometheus.NewRegistry(), models: models,
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "coppice_requests_in_flight", Help: "Requests that are being answered."}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "coppice_request_seconds", Help: "Time of requests that predict.",
			Buckets: prometheus.ExponentialBuckets(50e-6, 2.5, 14)}, []string{"model", "code"}),
		rows: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "coppice_rows_total", Help: "Rows that were predicted."},
			[]string{"model", "version"}),
		flags: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "coppice_flags_total", Help: "Values that training had not."},
			[]string{"model", "column", "kind"}),
		scores: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "coppice_score", Help: "Predicted probabilities.",
			Buckets: prometheus.LinearBuckets(0.05, 0.05, 19)}, []string{"model", "version"}),
		info: prometheus.NewDesc("coppice_model_info", "1 for each model that is served.",
			[]string{"model", "version", "id"}, nil)}
	errors := counter("coppice_reload_errors_total", "Files that did not serve when they were loaded.",
		func() int64 { _, ever := models.Failures(); return ever })
	success := prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "coppice_reload_success",
		Help: "0 while a file does not serve, else 1."}, func() float64 {
		if failed, _ := models.Failures(); len(failed) > 0 {
			return 0
		}
		return 1
	})
	m.registry.MustRegister(m.seconds, m.inFlight, m.rows, m.flags, m.scores, served{m}, newDrifts(m), errors, success,
		collectors.NewGoCollector(), collectors.NewBuildInfoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// counter is a metric that somebody else counts.
func counter(name, help string, value func() int64) prometheus.Collector {
	return prometheus.NewCounterFunc(prometheus.CounterOpts{Name: name, Help: help},
		func() float64 { return float64(value()) })
}

// served collects which models are served.
type served struct{ of *Metrics }

// Describe sends the description of the metric.
func (s served) Describe(to chan<- *prometheus.Desc) { to <- s.of.info }

// Collect sends a metric for each model.
func (s served) Collect(to chan<- prometheus.Metric) {
	for _, m := range s.of.models.All() {
		to <- prometheus.MustNewConstMetric(s.of.info, prometheus.GaugeValue, 1, m.Name(),
			m.Version(), m.ID())
	}
}

// Observe counts a request: it is for serve.Options.Observe.
func (m *Metrics) Observe(o *serve.Observation) {
	name := noModel
	if o.Model != nil {
		name = o.Model.Name()
	}
	if o.Model == nil || o.Status != http.StatusOK {
		m.seconds.WithLabelValues(name, strconv.Itoa(o.Status)).Observe(o.Time.Seconds())
	} else {
		m.of(o.Model).answered.Observe(o.Time.Seconds())
	}
	if o.Rows == 0 {
		return
	}
	c := m.of(o.Model)
	c.rows.Add(float64(o.Rows))
	if c.scores != nil {
		for _, v := range o.Scores {
			c.scores.Observe(v)
		}
	}
	for _, f := range o.Flags {
		m.flags.WithLabelValues(name, f.Column, f.Kind.String()).Inc()
	}
}

// of returns what the requests of a model add to.
func (m *Metrics) of(model *serve.Model) *counted {
	found, has := m.counted.Load(model)
	if !has {
		spec, name, version := model.Inner().Spec(), model.Name(), model.Version()
		c := &counted{answered: m.seconds.WithLabelValues(name, "200"),
			rows: m.rows.WithLabelValues(name, version)}
		if spec.Task.Classes() {
			c.scores = m.scores.WithLabelValues(name, version)
		}
		if spec.Profile != nil {
			c.drift = &drift{model: model}
		}
		found, _ = m.counted.LoadOrStore(model, c)
	}
	c, _ := found.(*counted)
	return c
}

// EachRow compares a row with what the model stores of its training rows: it is for
// serve.Options.EachRow. Drift is that of package check, over the last whole hour with at least 50
// rows, else over the hour so far. Of more than a thousand rows in a second some are enough. The
// 200 columns that differ most have a metric. Models without a profile have none.
func (m *Metrics) EachRow(r *serve.PredictedRow) {
	if d := m.of(r.Model).drift; d != nil {
		d.add(r)
	}
}

// Log counts the rows of a log, of which a server has one.
func (m *Metrics) Log(l *serve.PredictionLog) {
	m.registry.MustRegister(
		counter("coppice_log_rows_total", "Rows that were logged.", l.Written),
		counter("coppice_log_lost_total", "Rows that found no place in the log.", l.Lost))
}

// InFlight counts the requests that next is answering.
func (m *Metrics) InFlight(next http.Handler) http.Handler {
	return promhttp.InstrumentHandlerInFlight(m.inFlight, next)
}

// Handler answers with the metrics in the format of Prometheus.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{Registry: m.registry})
}
