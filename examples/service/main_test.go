package main

import (
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestService(t *testing.T) {
	h, err := handler(t.Context(), "../../testdata/iris/iris.csv")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		body, want string
		status     int
	}{
		{`{"petal_length": 1.4, "petal_width": 0.2, "sepal_length": 5.1, "sepal_width": 3.5}`, "Iris-setosa", 200},
		{`{"petal_length": 60, "petal_width": 2.1, "sepal_length": 6.5, "sepal_width": 3}`, "Iris-virginica", 200},
		{`{"petal_lenght": 1}`, `unknown field \"petal_lenght\"`, 422},
		{`{`, "the body ends", 400},
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("POST", "/predict", strings.NewReader(c.body)))
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.want) {
			t.Errorf("%s: status %d, %s", c.body, w.Code, w.Body)
		}
		var a struct {
			Label         string
			Probabilities map[string]float64
			Flags         []struct{ Column string }
		}
		if c.status == 200 {
			if err := json.Unmarshal(w.Body.Bytes(), &a); err != nil || a.Label != c.want ||
				a.Probabilities[c.want] < 0.5 {
				t.Errorf("%s: %+v, error %v", c.body, a, err)
			}
		}
		if unusual := strings.Contains(c.body, "60"); unusual != (len(a.Flags) > 0) {
			t.Errorf("%s: flags %v", c.body, a.Flags)
		}
	}
}
