package serve_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coppice-ml/coppice/serve/servetest"
)

// customer has a column of each kind.
type customer struct {
	Age  float64   `coppice:"age"`
	Plan string    `coppice:"plan"`
	Note string    `coppice:"note,text"`
	Day  time.Time `coppice:"day"`
}

const row = `{"age":3,"plan":"gold","note":"a b","day":"2024-05-01"}`

// answer is what the tests read of an answer.
type answer struct {
	Label         string
	Value         float64
	Probabilities map[string]float64
	Flags         []struct{ Column, Kind string }
}

func send(t *testing.T, url string) (a answer, status int) {
	t.Helper()
	r, err := http.Post(url+"/v1/models/churn/predict", "", strings.NewReader(row))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if r.StatusCode == http.StatusOK {
		if err := json.NewDecoder(r.Body).Decode(&a); err != nil {
			t.Fatal(err)
		}
	}
	return a, r.StatusCode
}

// TestServer: a constant model answers by the handler, requests fail as often as they are to, and
// bodies are kept.
func TestServer(t *testing.T) {
	for _, classes := range [][]string{{"yes", "no"}, {"a", "b", "c"}, nil} {
		m, err := servetest.Constant[customer](classes...)
		if err != nil {
			t.Fatal(err)
		}
		s := servetest.New(t, "churn", m)
		s.Fail(http.StatusTooManyRequests, 2)
		for i := range 3 {
			a, status := send(t, s.URL)
			if i < 2 {
				if status != http.StatusTooManyRequests {
					t.Errorf("request %d: status %d", i+1, status)
				}
				continue
			}
			if status != http.StatusOK {
				t.Fatal(status)
			}
			if classes == nil && a.Value != 0.75 ||
				classes != nil && (a.Label != classes[0] || a.Probabilities[classes[0]] != 0.75) {
				t.Errorf("%v: %+v", classes, a)
			}
			if len(classes) > 0 && len(a.Probabilities) != len(classes) {
				t.Errorf("%v: %+v", classes, a)
			}
		}
		if b := s.Bodies(); len(b) != 3 || b[2] != row {
			t.Errorf("bodies %q", b)
		}
	}
	if _, err := servetest.Constant[struct{ C chan int }](); err == nil {
		t.Error("a channel is a column")
	}
}
