package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	served "github.com/coppice-ml/coppice/cmd/coppice/internal/serve"
)

// getPage requests a path of a page before a handler that is a teapot.
func getPage(path, host string, named bool) *httptest.ResponseRecorder {
	next := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusTeapot) })
	r := httptest.NewRequest(http.MethodGet, path, http.NoBody)
	r.Host = host
	w := httptest.NewRecorder()
	served.WithPage(next, named).ServeHTTP(w, r)
	return w
}

// TestServerPage: the page loads its own files alone, which are there, and is small.
func TestServerPage(t *testing.T) {
	size := 0
	for path, want := range map[string]string{"/": "<!doctype html>", "/ui/page.js": "mostFields",
		"/ui/page.css": ":root", "/ui/icon.svg": "<svg"} {
		w := getPage(path, "localhost:8080", false)
		size += w.Body.Len()
		policy := w.Header().Get("Content-Security-Policy")
		if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), want) ||
			!strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "unsafe") {
			t.Errorf("%s: %d %q", path, w.Code, policy)
		}
	}
	if size > 25_000 {
		t.Errorf("%d bytes", size)
	}
	if w := getPage("/v1/models", "localhost", false); w.Code != http.StatusTeapot {
		t.Errorf("status %d of the handler behind the page", w.Code)
	}
}

// TestServerHosts: names are refused what pages may read, unless the server is for any.
func TestServerHosts(t *testing.T) {
	for host, own := range map[string]bool{"localhost": true, "LOCALHOST:8080": true, "127.0.0.1:80": true,
		"[::1]:8080": true, "::1": true, "a.localhost:1": true, "evil.com": false, "evil.com:8080": false,
		"localhost.evil.com": false, "": false, "notlocalhost": false} {
		for _, path := range []string{"/", "/v1/models"} {
			if w := getPage(path, host, false); (w.Code != http.StatusMisdirectedRequest) != own {
				t.Errorf("%s of %q: status %d", path, host, w.Code)
			}
			if w := getPage(path, host, true); w.Code == http.StatusMisdirectedRequest {
				t.Errorf("%s of %q is refused although names are accepted", path, host)
			}
		}
	}
}

// TestServerProxy: a proxy that keeps its host's name gets predictions and health. A page whose
// name was turned to this machine gets neither rows nor models: its POST has an Origin, and its GET
// may lack all that tells browsers.
func TestServerProxy(t *testing.T) {
	const predict = "/v1/models/iris/predict"
	for _, c := range []struct {
		method, path, origin string
		passes               bool
	}{
		{http.MethodPost, predict, "", true},
		{http.MethodPost, "/v2/models/iris/infer", "", true},
		{http.MethodGet, "/readyz", "", true},
		{http.MethodGet, "/v2/health/live", "", true},
		{http.MethodPost, predict, "http://models.example.com", false},
		{http.MethodPost, predict, "null", false},
		{http.MethodPost, predict, "http://localhost", false},
		{http.MethodPost, predict, "cross-site", false},
		{http.MethodGet, "/v1/models", "", false},
		{http.MethodHead, "/openapi.json", "", false},
		{http.MethodGet, "/metrics", "", false},
		{http.MethodGet, "/", "", false},
		{http.MethodGet, "/ui/page.js", "", false},
		{http.MethodGet, predict, "", false},
	} {
		r := httptest.NewRequest(c.method, c.path, http.NoBody)
		r.Host = "models.example.com"
		if c.origin == "cross-site" {
			r.Header.Set("Sec-Fetch-Site", c.origin)
		} else if c.origin != "" {
			r.Header.Set("Origin", c.origin)
		}
		w := httptest.NewRecorder()
		served.WithPage(http.NotFoundHandler(), false).ServeHTTP(w, r)
		if (w.Code != http.StatusMisdirectedRequest) != c.passes {
			t.Errorf("%s %s of the origin %q: status %d", c.method, c.path, c.origin, w.Code)
		}
	}
}
