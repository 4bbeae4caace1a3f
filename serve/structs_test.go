package serve_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/serve"
)

// TestHandlerOf: rows that are structs are predicted as Predictor predicts them, with reasons and
// smallest changes, and what is no struct is refused.
func TestHandlerOf(t *testing.T) {
	m := trained(t, boosted(), "stays")
	p, err := coppice.NewPredictor[visit](m)
	if err != nil {
		t.Fatal(err)
	}
	s, err := serve.NewModel("visits", m, serve.ModelOptions{})
	if err != nil {
		t.Fatal(err)
	}
	h, err := serve.HandlerOf[visit](s, serve.Options{MaxRows: 60})
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(h)
	defer web.Close()
	rows := visits(50, 7)
	var all struct{ Predictions []explained }
	status, text := post(t, web.URL+"/score?reasons=2", "", encoded(t, rows))
	decoded(t, status, text, &all)
	for i, row := range rows {
		want, err := p.Predict(row)
		if err != nil {
			t.Fatal(err)
		}
		check(t, all.Predictions[i].answered, want)
	}
	var one explained
	status, text = post(t, web.URL+"/score?reasons=2&why=1", "", encoded(t, rows[0]))
	decoded(t, status, text, &one)
	if len(one.Reasons) != 2 || one.Reasons[0] != all.Predictions[0].Reasons[0] ||
		len(one.Why.Changes) == 0 && !one.Why.Exact {
		t.Error(text)
	}
	for body, want := range map[string]string{
		`{"age":"old"}`:                         `row 1, column \"age\": want a number, not a JSON string`,
		"[7]":                                   "want a row as a JSON object",
		"[{}] {}":                               "something follows",
		"":                                      "the body ends",
		"[" + strings.Repeat("{},", 60) + "{}]": "more than 60 rows",
	} {
		status, text := post(t, web.URL, "", body)
		if status < 400 || status >= 500 || !strings.Contains(text, want) {
			t.Errorf("%.20q: %d %s, want %s", body, status, text, want)
		}
	}
	if status, text := post(t, web.URL+"/?id=x", "", "{}"); status != http.StatusBadRequest {
		t.Errorf("%d %s", status, text)
	}
	if status, text := post(t, web.URL+"/?unknown=refuse", "", `{"wait":1}`); !strings.Contains(text, `unknown field`) {
		t.Errorf("%d %s", status, text)
	}
	if status, text := get(t, web.URL); status != http.StatusMethodNotAllowed {
		t.Errorf("%d %s", status, text)
	}
	if _, err := serve.HandlerOf[struct{ Age float64 }](s, serve.Options{}); err == nil ||
		!strings.Contains(err.Error(), "no field for the model's column") {
		t.Errorf("error %v", err)
	}
}
