package serve_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/serve"
)

// TestRepository unloads and loads a model by the requests of the protocol's extension.
func TestRepository(t *testing.T) {
	folder := t.TempDir()
	store(t, grown(t, 0), folder, "churn.coppice")
	store(t, grown(t, 1), folder, "spam", "2", "spam.coppice")
	source := &serve.Source{Paths: []string{folder}}
	set := serve.NewModels()
	refresh(t, source, set)
	web := httptest.NewServer(serve.Handler(set, serve.Options{Repository: source}))
	defer web.Close()
	ask := func(path, body, want string) {
		t.Helper()
		if status, text := post(t, web.URL+path, "", body); !strings.Contains(text, want) ||
			(status == http.StatusOK) == strings.Contains(text, "error") {
			t.Errorf("%s: %d %s, want %s", path, status, text, want)
		}
	}
	const churn, spam = `{"name":"churn","version":"1","state":"READY"}`, `{"name":"spam","version":"2","state":"READY"}`
	ask("/v2/repository/index", "", "["+churn+","+spam+"]")
	ask("/v2/repository/models/churn/unload", "{}", "{}")
	if refresh(t, source, set); set.Get("churn", "") != nil {
		t.Error("a model that was unloaded is loaded without a request")
	}
	ask("/v2/models/churn/infer", "{}", "no model is called")
	ask("/v2/repository/index", "", `"state":"UNAVAILABLE","reason":"it was unloaded"}`)
	ask("/v2/repository/index", `{"ready":true}`, "["+spam+"]")
	ask("/v2/repository/models/churn/load", "", "{}")
	ask("/v2/repository/index", "", "["+churn+","+spam+"]")
	ask("/v2/repository/models/churn/load", `{"parameters":{"config":"{}"}}`, `the parameter \"config\" is not known`)
	ask("/v2/repository/models/chrun/load", "", `no file is of a model called \"chrun\"`)
	ask("/v2/repository/models/chrun/unload", "", `the nearest is \"churn\"`)
	ask("/v2/repository/index", `{"ready":7}`, "error")
	for header, value := range map[string]string{"Origin": "http://evil.example", "Sec-Fetch-Site": "cross-site"} {
		page := httptest.NewRequest(http.MethodPost, "/v2/repository/models/churn/unload", http.NoBody)
		page.Header.Set(header, value)
		w := httptest.NewRecorder()
		if web.Config.Handler.ServeHTTP(w, page); w.Code != http.StatusForbidden {
			t.Errorf("a page with the header %s unloads a model: %d", header, w.Code)
		}
	}
	if err := os.WriteFile(filepath.Join(folder, "churn.coppice"), []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	ask("/v2/repository/models/churn/load", "", "error")
	if set.Get("churn", "") == nil {
		t.Error("a damaged file took the model out")
	}
	if _, text := get(t, web.URL+"/v2"); !strings.Contains(text, "model_repository") {
		t.Error(text)
	}
	if status, _ := post(t, serverOf(t, set)+"/v2/repository/index", "", ""); status != http.StatusNotFound {
		t.Errorf("status %d of a server without a repository", status)
	}
}
