package serve

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/pprof"

	"github.com/coppice-ml/coppice/serve"
)

// admin answers the requests of whoever operates the server.
type admin struct {
	*command
	set     *serve.Models
	metrics http.Handler
}

// handler has the addresses of the port that --admin opens.
func (a *admin) handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", a.metrics)
	mux.HandleFunc("POST /reload", a.reload)
	mux.HandleFunc("POST /models/{name}/rollback", a.rollback)
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	return mux
}

// loaded is a file in the answer of a reload.
type loaded struct {
	File    string `json:"file,omitempty"`
	Model   string `json:"model,omitempty"` // that requests get now
	Version string `json:"version,omitempty"`
	ID      string `json:"model_id,omitempty"`
	Error   string `json:"error,omitempty"`
}

// reload loads the files that have changed at once, and answers what came of them.
func (a *admin) reload(w http.ResponseWriter, r *http.Request) {
	if err := a.remotes.refresh(r.Context()); err != nil {
		answer(w, http.StatusInternalServerError, map[string]string{"error": err.Error()})
		return
	}
	events, err := a.source.Refresh(r.Context(), a.set)
	if err != nil {
		answer(w, http.StatusInternalServerError, map[string]string{"error": err.Error()})
		return
	}
	a.report(events)
	all, status := []loaded{}, http.StatusOK
	for _, e := range events {
		l := loaded{File: a.remotes.shown(e.Path)}
		if m := e.Model; m != nil {
			l.Model, l.Version, l.ID = m.Name(), m.Version(), m.ID()
		}
		if e.Err != nil {
			l.Error, status = e.Err.Error(), http.StatusConflict
		}
		all = append(all, l)
	}
	answer(w, status, map[string]any{"changed": all})
}

// rollback puts the model back that was replaced last. The file is loaded again once it changes.
func (a *admin) rollback(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	m := a.set.Rollback(name)
	if m == nil {
		answer(w, http.StatusNotFound, map[string]string{
			"error": fmt.Sprintf("no model was replaced under the name %q", name)})
		return
	}
	a.Note("serving %s, version %s, as before: rolled back", m.Name(), m.Version())
	answer(w, http.StatusOK, loaded{Model: m.Name(), Version: m.Version(), ID: m.ID()})
}

// answer writes a value as JSON.
func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // a client that has gone needs no answer
}
