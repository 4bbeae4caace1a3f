package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// Listed is a file of a Source, and whether requests get it.
type Listed struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	State   string `json:"state"`            // READY or UNAVAILABLE
	Reason  string `json:"reason,omitempty"` // why it is unavailable
}

// Index lists the files of all models.
func (s *Source) Index(to *Models) []Listed {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := []Listed{}
	for _, f := range s.find() {
		if s.seen[f.path].stray {
			continue
		}
		one := Listed{Name: f.name, Version: f.version, State: "UNAVAILABLE", Reason: s.seen[f.path].failed}
		switch {
		case s.unloaded[f.name]:
			one.Reason = "it was unloaded"
		case to.Get(f.name, f.version) != nil:
			one.State = "READY"
		}
		all = append(all, one)
	}
	return all
}

// Load loads the files of a name, whether or not they have changed or were rolled back, and lets
// Refresh look at them again. The errors are those of files that do not serve, joined, and of a
// name that no file has.
func (s *Source) Load(ctx context.Context, name string, to *Models) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.unloaded, name)
	to.accept(name)
	var failed error
	known := false
	for _, f := range s.find() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if f.name == name {
			known = true
			_, err := s.update(f, to)
			failed = errors.Join(failed, err)
		}
	}
	if !known {
		return fmt.Errorf("no file is of a model called %q", name)
	}
	return failed
}

// Unload takes a model out of a set, until Load is called. Requests under way keep it. It reports
// whether there was one.
func (s *Source) Unload(name string, to *Models) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if to.Get(name, "") == nil {
		return false
	}
	if s.unloaded == nil {
		s.unloaded = map[string]bool{}
	}
	s.unloaded[name] = true
	to.Remove(name, "")
	return true
}

// repositoryRoutes are the addresses of the protocol's extension model_repository.
func (h *handler) repositoryRoutes() []route {
	guarded := func(f func(http.ResponseWriter, *http.Request) error) http.HandlerFunc {
		return plain(writeErrorText, func(w http.ResponseWriter, r *http.Request) error {
			if _, page := r.Header["Origin"]; page || r.Header.Get("Sec-Fetch-Site") != "" {
				return newProblem(http.StatusForbidden, kindToken,
					"pages in browsers cannot load or unload models: a program has to")
			}
			if h.set(r) != h.models {
				return newProblem(http.StatusForbidden, kindToken,
					"a token for some models cannot load or unload any")
			}
			return f(w, r)
		})
	}
	return []route{
		{"POST /v2/repository/index", guarded(h.repositoryIndex)},
		{"POST /v2/repository/models/{name}/load", guarded(h.repositoryLoad)},
		{"POST /v2/repository/models/{name}/unload", guarded(h.repositoryUnload)},
	}
}

// repositoryIndex lists the files, or those alone that serve.
func (h *handler) repositoryIndex(w http.ResponseWriter, r *http.Request) error {
	ready := false
	err := optionalBody(r, func(s *jsonScanner, _ string) error { return s.truth(&ready) }, "ready")
	if err != nil {
		return err
	}
	all := []Listed{}
	for _, f := range h.Repository.Index(h.models) {
		if !ready || f.State == "READY" {
			all = append(all, f)
		}
	}
	return writeJSON(w, all)
}

// repositoryLoad loads the files of a model again. Parameters, such as another configuration, are
// refused, since models have none.
func (h *handler) repositoryLoad(w http.ResponseWriter, r *http.Request) error {
	err := optionalBody(r, func(s *jsonScanner, _ string) error {
		if s.Take('{') && s.Take('}') {
			return nil
		}
		name, err := s.quoted("an object")
		return cmp.Or(err, syntaxf("the parameter %q is not known: models are loaded as their files are", name))
	}, "parameters")
	if err != nil {
		return err
	}
	if err := h.Repository.Load(r.Context(), r.PathValue("name"), h.models); err != nil {
		return newProblem(http.StatusUnprocessableEntity, kindModel, err.Error())
	}
	return writeJSON(w, struct{}{})
}

// repositoryUnload takes a model out.
func (h *handler) repositoryUnload(w http.ResponseWriter, r *http.Request) error {
	if name := r.PathValue("name"); !h.Repository.Unload(name, h.models) {
		_, err := find(h.models, name, "")
		return err
	}
	return writeJSON(w, struct{}{})
}

// optionalBody reads the fields of a small JSON body, if there is one.
func optionalBody(r *http.Request, read func(s *jsonScanner, name string) error, names ...string) error {
	const most = 1 << 16 // bytes
	body, err := io.ReadAll(io.LimitReader(r.Body, most))
	if err != nil || len(body) == 0 {
		return err
	}
	s := &jsonScanner{}
	s.reset(body)
	err = s.fields(func(name string) error { return read(s, name) }, names...)
	return cmp.Or(err, s.end())
}
