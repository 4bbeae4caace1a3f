package serve

import (
	"net/http"
	"runtime/debug"
)

// live answers that the server runs.
func (h *handler) live(w http.ResponseWriter, r *http.Request) error {
	return writeJSON(w, map[string]bool{"live": true})
}

// ready answers whether there is a model to predict with.
func (h *handler) ready(w http.ResponseWriter, r *http.Request) error {
	if len(h.set(r).All()) == 0 {
		return newProblem(http.StatusServiceUnavailable, kindModel, "no model is loaded")
	}
	if h.Ready != nil && !h.Ready() {
		return newProblem(http.StatusServiceUnavailable, kindBusy, "the server is about to end")
	}
	return writeJSON(w, map[string]bool{"ready": true})
}

// modelReady answers whether a model is served.
func (h *handler) modelReady(w http.ResponseWriter, r *http.Request) error {
	m, err := h.model(r)
	if err != nil {
		return err
	}
	return writeJSON(w, map[string]any{"name": m.name, "ready": true})
}

// server answers with the metadata of the server.
func (h *handler) server(w http.ResponseWriter, r *http.Request) error {
	version := "devel"
	if b, ok := debug.ReadBuildInfo(); ok && b.Main.Version != "" {
		version = b.Main.Version
	}
	extensions := []string{"binary_tensor_data"}
	if h.Repository != nil {
		extensions = append(extensions, "model_repository")
	}
	return writeJSON(w, map[string]any{"name": "coppice", "version": version,
		"extensions": extensions})
}

// metadata answers with the inputs and the outputs of a model.
func (h *handler) metadata(w http.ResponseWriter, r *http.Request) error {
	m, err := h.model(r)
	if err != nil {
		return err
	}
	inputs := []outputTensor{}
	for i := range m.rows.Columns() {
		f := m.rows.Field(i)
		inputs = append(inputs, outputTensor{f.Name, []int64{-1}, datatypeOf(f), nil, nil})
	}
	return writeJSON(w, map[string]any{"name": m.name, "versions": versionsOf(h.set(r), m.name),
		"platform": "coppice", "inputs": inputs, "outputs": m.outputs()})
}

// versionsOf lists the versions of a name.
func versionsOf(set *Models, name string) []string {
	var versions []string
	for _, m := range set.All() {
		if m.name == name {
			versions = append(versions, m.version)
		}
	}
	return versions
}

// modelFields say which model it is.
type modelFields struct {
	Model   string `json:"model"`
	Version string `json:"version"`
	ModelID string `json:"model_id"`
}

func (m *Model) fields() modelFields { return modelFields{m.name, m.version, m.id} }

// list answers with all models, and the files that do not serve.
func (h *handler) list(w http.ResponseWriter, r *http.Request) error {
	all := []modelFields{}
	for _, m := range h.set(r).All() {
		all = append(all, m.fields())
	}
	answer := map[string]any{"models": all}
	if failed, _ := h.set(r).Failures(); len(failed) > 0 {
		answer["failed"] = failed
	}
	return writeJSON(w, answer)
}

// state answers as KServe's first protocol does, with what the model is.
func (h *handler) state(w http.ResponseWriter, r *http.Request) error {
	m, err := h.model(r)
	if err != nil {
		return err
	}
	return writeJSON(w, struct {
		Name  string `json:"name"`
		Ready bool   `json:"ready"`
		modelFields
		Task    string   `json:"task"`
		Label   string   `json:"label,omitempty"`
		Classes []string `json:"classes,omitempty"`
		Learner string   `json:"learner"`
	}{m.name, true, m.fields(), m.spec.Task.String(), m.spec.Label, m.spec.Classes,
		m.spec.Learner})
}
