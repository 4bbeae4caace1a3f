package serve_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/forest"
	"github.com/coppice-ml/coppice/learn/gbm"
	"github.com/coppice-ml/coppice/learn/isolation"
	"github.com/coppice-ml/coppice/learn/linear"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/serve"
)

// visit has a column of each kind, and labels of two kinds.
type visit struct {
	Age    float64   `coppice:"age" json:"age"`
	Weight float32   `coppice:"weight" json:"weight"`
	Plan   string    `coppice:"plan" json:"plan"`
	Code   int       `coppice:"code,categorical" json:"code"`
	Note   string    `coppice:"note,text" json:"note"`
	Day    time.Time `coppice:"day" json:"day"`
	Stays  string    `coppice:"stays" json:"-"`
	Cost   float64   `coppice:"cost" json:"-"`
}

// visits makes rows whose labels depend on all columns.
func visits(n int, seed uint64) []visit {
	r := rand.New(rand.NewPCG(seed, 1))
	words := strings.Fields("pain fever fall cough broken arm old wound")
	rows := make([]visit, n)
	for i := range rows {
		v := &rows[i]
		v.Age, v.Weight = math.Round(r.Float64()*900)/10, 40+float32(r.IntN(120))/2
		v.Plan = []string{"basic", "plus", "gold"}[r.IntN(3)]
		v.Code = []int{3, 7, 12}[r.IntN(3)]
		v.Note = words[r.IntN(8)] + " " + words[r.IntN(8)]
		v.Day = time.Date(2024, 1, 1+r.IntN(300), r.IntN(24), 0, 0, 0, time.UTC)
		v.Cost = v.Age + float64(10*v.Code) + float64(v.Day.YearDay())/10 + 5*r.Float64()
		v.Stays = "no"
		if v.Cost+float64(v.Weight) > 220 || v.Plan == "gold" && strings.Contains(v.Note, "fever") {
			v.Stays = "yes"
		}
	}
	return rows
}

// trained trains a model on visits; label names its label, and the other one is left out.
func trained(t testing.TB, l learn.Learner, label string) model.Model {
	t.Helper()
	roles := data.Roles{Ignore: []string{"stays", "cost"}}
	if label != "" {
		roles = data.Label(label)
		roles.Ignore = []string{map[string]string{"stays": "cost", "cost": "stays"}[label]}
	}
	m, err := coppice.TrainStructs(t.Context(), l, visits(400, 1), roles, coppice.Workers(1))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// boosted is a small gbm.
func boosted() learn.Learner {
	l := gbm.New()
	l.Trees, l.Rehearse = 10, false
	return l
}

// server serves a model as visits.
func server(t testing.TB, m model.Model, o serve.Options) *httptest.Server {
	t.Helper()
	s, err := serve.NewModel("visits", m, serve.ModelOptions{})
	if err != nil {
		t.Fatal(err)
	}
	models := serve.NewModels()
	models.Put(s)
	web := httptest.NewServer(serve.Handler(models, o))
	t.Cleanup(web.Close)
	return web
}

// post sends a body and returns the status and the answer.
func post(t testing.TB, url, kind, body string) (int, string) {
	t.Helper()
	r, err := http.Post(url, kind, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(b)
}

// encoded writes a value as JSON.
func encoded(t testing.TB, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// decoded reads the answer of a request that succeeded.
func decoded(t testing.TB, status int, text string, v any) {
	t.Helper()
	if status != http.StatusOK {
		t.Fatalf("status %d: %s", status, text)
	}
	if err := json.Unmarshal([]byte(text), v); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
}

// answered is a row of the row API's answer.
type answered struct {
	ID            any                `json:"id"`
	Label         string             `json:"label"`
	Probabilities map[string]float64 `json:"probabilities"`
	Score         float64            `json:"score"`
	Value         float64            `json:"value"`
	Flags         []struct{ Column, Kind string }
	Reasons       []struct {
		Column, Value, Towards string
		Effect                 float64
	}
	Error *struct {
		Status int
		Detail string
	}
}

// tasks are models of all kinds of predictions.
func tasks(t *testing.T) map[string]model.Model {
	small := forest.New()
	small.Trees = 5
	alone := isolation.New()
	return map[string]model.Model{
		"boosted classes":  trained(t, boosted(), "stays"),
		"forest numbers":   trained(t, small, "cost"),
		"logistic classes": trained(t, linear.NewLogistic(), "stays"),
		"isolation scores": trained(t, alone, ""),
	}
}

// TestAnswersOfRows: names, ids and shapes stand in answers, and values have the bits of Predictor,
// for models of all kinds of predictions, also where a number has 32 bits or is whole.
func TestAnswersOfRows(t *testing.T) {
	rows := visits(100, 2) // which are predicted together
	for name, m := range tasks(t) {
		t.Run(name, func(t *testing.T) {
			p, err := coppice.NewPredictor[visit](m)
			if err != nil {
				t.Fatal(err)
			}
			want := make([]coppice.Prediction, len(rows))
			for i := range rows {
				if want[i], err = p.Predict(rows[i]); err != nil {
					t.Fatal(err)
				}
			}
			web := server(t, m, serve.Options{CSVHeader: true})
			t.Run("rows", func(t *testing.T) { sendRows(t, web.URL, rows, want) })
			t.Run("csv", func(t *testing.T) { sendCSV(t, web.URL, m.Spec(), rows, want) })
			t.Run("infer", func(t *testing.T) { sendInfer(t, web.URL, m.Spec(), rows, want) })
		})
	}
}

// check compares an answer of the row API.
func check(t *testing.T, got answered, want coppice.Prediction) {
	t.Helper()
	if got.Label != want.Class {
		t.Errorf("label %q, want %q", got.Label, want.Class)
	}
	switch {
	case len(got.Probabilities) > 0:
		for class, p := range got.Probabilities {
			if p != want.Probability(class) {
				t.Errorf("probability of %s %v, want %v", class, p, want.Probability(class))
			}
		}
	case got.Label != "":
		if got.Score != want.Values[0] {
			t.Errorf("score %v, want %v", got.Score, want.Values[0])
		}
	case got.Value != want.Value:
		t.Errorf("value %v, want %v", got.Value, want.Value)
	}
}

func sendRows(t *testing.T, url string, rows []visit, want []coppice.Prediction) {
	url += "/v1/models/visits/predict"
	status, text := post(t, url, "application/json", encoded(t, rows))
	var got struct {
		Model       string
		ModelID     string `json:"model_id"`
		Predictions []answered
	}
	decoded(t, status, text, &got)
	if len(got.Predictions) != len(rows) || got.Model != "visits" || len(got.ModelID) != 32 {
		t.Fatal(text)
	}
	for i := range rows {
		check(t, got.Predictions[i], want[i])
		var one answered
		status, text := post(t, url, "", encoded(t, rows[i]))
		decoded(t, status, text, &one)
		check(t, one, want[i])
	}
}

// csvOf writes rows as CSV with a column that no model has.
func csvOf(rows []visit) string {
	var b strings.Builder
	b.WriteString("row,day,note,code,plan,weight,age\n")
	for i, v := range rows {
		fmt.Fprintf(&b, "%d,%s,%s,%d,%s,%v,%v\n", i, v.Day.Format(time.RFC3339), v.Note, v.Code, v.Plan,
			strconv.FormatFloat(float64(v.Weight), 'g', -1, 64), v.Age)
	}
	return b.String()
}

func sendCSV(t *testing.T, url string, spec *model.Spec, rows []visit, want []coppice.Prediction) {
	status, text := post(t, url+"/v1/models/visits/predict?id=row", "text/csv", csvOf(rows))
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if status != http.StatusOK || len(lines) != len(rows)+1 {
		t.Fatalf("status %d: %s", status, text)
	}
	if spec.Task == data.Anomaly && lines[0] != "row,score,flags" {
		t.Errorf("columns %s: the command predict writes a score", lines[0])
	}
	_, invoked := post(t, url+"/invocations", "text/csv", csvOf(rows))
	simple := strings.Split(strings.TrimSpace(invoked), "\n")
	for i, line := range lines[1:] {
		fields := strings.Split(line, ",")
		first := want[i].Class
		if !spec.Labels() || spec.Task == data.Anomaly {
			first = strconv.FormatFloat(want[i].Values[0], 'g', -1, 64)
		}
		if fields[0] != strconv.Itoa(i) || fields[1] != first {
			t.Errorf("line %q, want row %d and %s", line, i, first)
		}
		if spec.Labels() {
			first = want[i].Class
		}
		if simple[i] != first {
			t.Errorf("invocations: %q, want %q", simple[i], first)
		}
	}
}

// TestQuantilesAreColumns: CSV has a column for each quantile, as the command predict writes.
func TestQuantilesAreColumns(t *testing.T) {
	l := boosted()
	if err := l.Params().Set([]string{"loss=quantile", "loss.quantiles=0.1,0.9"}); err != nil {
		t.Fatal(err)
	}
	web := server(t, trained(t, l, "cost"), serve.Options{})
	_, text := post(t, web.URL+"/v1/models/visits/predict", "text/csv", csvOf(visits(2, 2)))
	lines := strings.Split(text, "\n")
	if fields := strings.Split(lines[1], ","); lines[0] != "q0.1,q0.9,flags" || len(fields) != 3 ||
		strings.Contains(fields[0], " ") {
		t.Errorf("%s", text)
	}
}

// inputsOf are rows as tensors.
func inputsOf(rows []visit) []map[string]any {
	column := func(name, kind string, f func(*visit) any) map[string]any {
		var values []any
		for i := range rows {
			values = append(values, f(&rows[i]))
		}
		return map[string]any{"name": name, "shape": []int{len(rows)}, "datatype": kind, "data": values}
	}
	return []map[string]any{
		column("age", "FP64", func(v *visit) any { return v.Age }),
		column("weight", "FP32", func(v *visit) any { return v.Weight }),
		column("plan", "BYTES", func(v *visit) any { return v.Plan }),
		column("code", "INT32", func(v *visit) any { return v.Code }),
		column("note", "BYTES", func(v *visit) any { return v.Note }),
		column("day", "BYTES", func(v *visit) any { return v.Day.Format(time.RFC3339) }),
	}
}

func sendInfer(t *testing.T, url string, spec *model.Spec, rows []visit, want []coppice.Prediction) {
	body := encoded(t, map[string]any{"id": "7", "inputs": inputsOf(rows)})
	status, text := post(t, url+"/v2/models/visits/infer", "application/json", body)
	var got struct {
		ID      string
		Model   string `json:"model_name"`
		Outputs []struct {
			Name     string
			Datatype string
			Shape    []int
			Data     []any
		}
	}
	decoded(t, status, text, &got)
	if got.ID != "7" || got.Model != "visits" {
		t.Error(text)
	}
	for _, o := range got.Outputs {
		width := len(o.Data) / len(rows)
		if o.Shape[0] != len(rows) {
			t.Errorf("%s has the shape %v", o.Name, o.Shape)
		}
		for i, w := range want {
			expected := any(w.Values)
			switch {
			case o.Datatype == "BYTES":
				expected = []string{w.Class}
			}
			if encoded(t, o.Data[i*width:][:width]) != encoded(t, expected) {
				t.Errorf("row %d of %s: %v, want %v", i, o.Name, o.Data[i*width:][:width], expected)
			}
		}
	}
	if labels := spec.Labels(); labels != (len(got.Outputs) == 2) {
		t.Errorf("%d outputs, labels: %v", len(got.Outputs), labels)
	}
}

func TestReasonsAreThoseOfExplain(t *testing.T) {
	m := trained(t, boosted(), "stays")
	p, err := coppice.NewPredictor[visit](m)
	if err != nil {
		t.Fatal(err)
	}
	r, err := explain.NewReasons(context.Background(), m, p.Schema(), explain.ReasonOptions{})
	if err != nil {
		t.Fatal(err)
	}
	web := server(t, m, serve.Options{})
	for _, row := range visits(20, 3) {
		want, err := r.Row(p.Values(nil, &row), 3)
		if err != nil {
			t.Fatal(err)
		}
		var got answered
		status, text := post(t, web.URL+"/v1/models/visits/predict?reasons=3", "", encoded(t, row))
		decoded(t, status, text, &got)
		if len(got.Reasons) != len(want) {
			t.Fatalf("%d reasons, want %d", len(got.Reasons), len(want))
		}
		for i, w := range want {
			if g := got.Reasons[i]; g.Column != w.Column || g.Effect != w.Effect || g.Value != w.Value ||
				g.Towards != w.Towards {
				t.Errorf("reason %+v, want %+v", g, w)
			}
		}
	}
	status, text := post(t, web.URL+"/v1/models/visits:explain", "", `{"instances":`+
		encoded(t, visits(2, 3))+`}`)
	var got struct{ Explanations []answered }
	decoded(t, status, text, &got)
	if len(got.Explanations) != 2 || len(got.Explanations[0].Reasons) < 3 {
		t.Error(text)
	}
}

// serverOf serves a set of models.
func serverOf(t testing.TB, set *serve.Models) string {
	web := httptest.NewServer(serve.Handler(set, serve.Options{}))
	t.Cleanup(web.Close)
	return web.URL
}
