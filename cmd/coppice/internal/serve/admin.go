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
	health  http.Handler // which clients of --listen need a certificate for, by --client-ca
}

// handler has the addresses of the port that --admin opens; local: this machine alone reaches it.
func (a *admin) handler(local bool) http.Handler {
	mux := http.NewServeMux()
	for _, path := range []string{"/livez", "/readyz", "/startupz"} {
		mux.Handle("GET "+path, a.health)
	}
	mux.Handle("GET /metrics", a.metrics)
	mux.HandleFunc("POST /reload", a.reload)
	mux.HandleFunc("POST /models/{name}/rollback", a.rollback)
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		answer(w, http.StatusNotFound, map[string]string{"error": fmt.Sprintf("nothing is at %s %s: "+
			"use POST /reload, POST /models/NAME/rollback, GET /metrics, /readyz or /debug/pprof/", r.Method, r.URL.Path)})
	})
	return programs(mux, !local)
}

// loaded is a file in the answer of a reload.
type loaded struct {
	File    string `json:"file,omitempty"`
	Model   string `json:"model"`
	Version string `json:"version"`
	ID      string `json:"model_id"`
}

// reload loads the files that have changed at once, and answers what came of them, and which files
// do not serve.
func (a *admin) reload(w http.ResponseWriter, r *http.Request) {
	events, err := []serve.Event(nil), a.remotes.refresh(r.Context())
	if err == nil {
		events, err = a.source.Refresh(r.Context(), a.set)
	}
	if err != nil {
		answer(w, http.StatusInternalServerError, map[string]string{"error": err.Error()})
		return
	}
	a.report(events)
	all, status := []loaded{}, http.StatusOK
	for _, e := range events {
		if m := e.Model; e.Err == nil && m != nil {
			all = append(all, loaded{a.remotes.shown(e.Path), m.Name(), m.Version(), m.ID()})
		}
	}
	failed, _ := a.set.Failures()
	if len(failed) > 0 {
		status = http.StatusConflict
	}
	answer(w, status, map[string]any{"changed": all, "failed": failed})
}

// rollback puts the model back that was replaced last, or the version before. The one that it takes
// out stays out until another file comes.
func (a *admin) rollback(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	m := a.set.Rollback(name)
	if m == nil {
		answer(w, http.StatusNotFound, map[string]string{
			"error": fmt.Sprintf("%q has no model before the one that serves", name)})
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
