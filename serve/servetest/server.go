// Package servetest gives tests of clients a server of models that runs in the test:
//
//	m, err := servetest.Constant[Customer]("yes", "no")
//	s := servetest.New(t, "churn", m)
//	s.Fail(http.StatusTooManyRequests, 2)
//	err = client(s.URL) // which has to try again
//	bodies := s.Bodies()
//
// The server is the handler of package serve, so clients see its checks, answers and problems.
package servetest

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/serve"
)

// Server is a server of one model on this machine, until the test ends.
type Server struct {
	*httptest.Server
	handler http.Handler

	mu     sync.Mutex
	bodies []string // of all requests
	status int      // of requests that are to fail
	left   int      // how many these are
}

// New serves a model under a name. A model that cannot be served ends the test.
func New(t testing.TB, name string, m model.Model) *Server {
	t.Helper()
	one, err := serve.NewModel(name, m, serve.ModelOptions{})
	if err != nil {
		t.Fatal(err)
	}
	set := serve.NewModels()
	set.Put(one)
	s := &Server{handler: serve.Handler(set, serve.Options{})}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

// Fail lets the next n requests fail with a status, as a server does that is busy (429, with
// Retry-After) or about to end (503).
func (s *Server) Fail(status, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.status, s.left = status, n
}

// Bodies returns the bodies of the requests so far.
func (s *Server) Bodies() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.bodies)
}

// ServeHTTP answers a request by the model, or lets it fail.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client has gone
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	s.mu.Lock()
	s.bodies = append(s.bodies, string(body))
	fails := s.left > 0
	if fails {
		s.left--
	}
	status := s.status
	s.mu.Unlock()
	if !fails {
		s.handler.ServeHTTP(w, r)
		return
	}
	if status == http.StatusTooManyRequests {
		w.Header().Set("Retry-After", "1")
	}
	w.WriteHeader(status)
}

// Constant returns a model of the columns of a struct, by the tags that data.FromStructs uses, that
// predicts the first of some classes for every row with a probability of 0.75; without classes it
// predicts the number 0.75. It knows no categories, so that each is flagged as new. Errors are
// those of data.FromStructs.
func Constant[T any](classes ...string) (model.Model, error) {
	f, err := data.FromStructs(make([]T, 1))
	if err != nil {
		return nil, err
	}
	if f, err = data.Expand(f, nil); err != nil {
		return nil, err
	}
	m := &model.Ensemble{Meta: model.Spec{Task: data.Regression, Schema: f.Schema}, Bias: []float64{0.75}}
	if len(classes) > 0 {
		m.Meta.Task, m.Meta.Classes = data.Multiclass, classes
	}
	if len(classes) == 2 {
		m.Meta.Task = data.Binary
	}
	for range max(0, len(classes)-1) {
		m.Bias = append(m.Bias, 0.25/float64(len(classes)-1))
	}
	return m, m.Validate()
}
