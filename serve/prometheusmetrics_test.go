package serve_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/serve"
	"github.com/coppice-ml/coppice/serve/prometheus"
)

// spot is a row of two features.
type spot struct {
	X    float64
	Z    string
	Kind string
}

// Requests of all outcomes are counted by model and status, rows and flags by model, and no value
// of a request becomes a label.
func TestMetricsCountRequests(t *testing.T) {
	var rows []spot
	for i := range 60 { // both columns matter
		p := spot{float64(i % 20), "abc"[i%3 : i%3+1], "low"}
		if p.X >= 10 != (p.Z == "c") {
			p.Kind = "high"
		}
		rows = append(rows, p)
	}
	inner, err := coppice.TrainStructs(t.Context(), cart.New(), rows, data.Label("Kind"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := serve.NewModel("points", inner, serve.ModelOptions{})
	if err != nil {
		t.Fatal(err)
	}
	models := serve.NewModels()
	models.Put(m)
	metrics := prometheus.New(models)
	web := httptest.NewServer(serve.Handler(models, serve.Options{Observe: metrics.Observe}))
	defer web.Close()
	for _, c := range []struct{ path, body string }{
		{"/v1/models/points/predict", `[{"X":1,"Z":"a"},{"X":19,"Z":"a"},{"X":100,"Z":"secret"}]`},
		{"/v1/models/points/predict", `{"X":"secret","Z":"a"}`},
		{"/v1/models/points:predict", `{"instances":[[1,"a"]]}`},
		{"/v2/models/points/infer", `{"inputs":[{"name":"X","shape":[1],"datatype":"FP64","data":[1]},{"name":"Z","shape":[1],"datatype":"BYTES","data":["a"]}]}`},
		{"/invocations", `{"instances":[{"X":1,"Z":"a"}]}`},
		{"/v1/models/secret/predict", `{}`},
	} {
		r, err := http.Post(web.URL+c.path, "", strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		r.Body.Close()
	}
	w := httptest.NewRecorder()
	metrics.InFlight(metrics.Handler()).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	text, err := io.ReadAll(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`coppice_request_seconds_count{code="200",model="points"} 4`,
		`coppice_request_seconds_count{code="422",model="points"} 1`,
		`coppice_request_seconds_count{code="404",model=""} 1`,
		`coppice_rows_total{model="points",version="1"} 6`,
		`coppice_flags_total{column="X",kind="range",model="points"} 1`,
		`coppice_flags_total{column="Z",kind="new",model="points"} 1`,
		`coppice_score_count{model="points",version="1"} 6`,
		fmt.Sprintf(`coppice_model_info{id=%q,model="points",version="1"} 1`, m.ID()),
		"coppice_requests_in_flight 1",
		"go_build_info{",
		"go_goroutines",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the metrics lack %s", want)
		}
	}
	if strings.Contains(string(text), "secret") {
		t.Errorf("a value is a label: %s", text)
	}
}
