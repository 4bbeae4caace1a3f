package serve_test

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/serve"
)

// hashed is the line of a token.
func hashed(token string) string {
	h := sha256.Sum256([]byte(token))
	return hex.EncodeToString(h[:])
}

// Requests without a token are refused, and a token for some models sees no others, at any address.
func TestTokens(t *testing.T) {
	models := serve.NewModels()
	for _, name := range []string{"mine", "other"} {
		m, err := serve.NewModel(name, grown(t, 0), serve.ModelOptions{})
		if err != nil {
			t.Fatal(err)
		}
		models.Put(m)
	}
	tokens, err := serve.ReadTokens(strings.NewReader("# of the team\n\n" + hashed("all") + "  -\n" +
		hashed("some") + " mine,more\n"))
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(serve.Handler(models, serve.Options{Tokens: tokens}))
	defer web.Close()
	const row = `{"X":1,"Y":2,"Z":"a"}`
	for _, c := range []struct {
		token, method, path, body string
		status                    int
		has, lacks                string
	}{
		{"", "POST", "/v1/models/mine/predict", row, 401, "send Authorization: Bearer TOKEN", "mine"},
		{"Bearer wrong", "POST", "/v1/models/mine/predict", row, 401, "no token that this server accepts", ""},
		{"Basic some", "POST", "/v1/models/mine/predict", row, 401, "no token", ""},
		{"Bearer some", "POST", "/v1/models/mine/predict", row, 200, `"label"`, ""},
		{"bearer some", "POST", "/v1/models/mine:predict", `{"instances":[` + row + `]}`, 200, "predictions", ""},
		{"Bearer some", "POST", "/v1/models/other/predict", row, 404, "no model is called", ""},
		{"Bearer some", "POST", "/v1/models/other:predict", `{"instances":[]}`, 404, "no model is called", ""},
		{"Bearer some", "POST", "/v2/models/other/infer", "{}", 404, "no model is called", ""},
		{"Bearer some", "POST", "/invocations?model=other", "{}", 404, "no model is called", ""},
		{"Bearer some", "POST", "/invocations", `{"instances":[` + row + `]}`, 200, "predictions", ""},
		{"Bearer some", "GET", "/v1/models", "", 200, `"mine"`, "other"},
		{"Bearer some", "GET", "/openapi.json", "", 200, "/v1/models/mine/predict", "/v1/models/other"},
		{"Bearer some", "GET", "/v2/models/other", "", 404, "no model", ""},
		{"Bearer all", "GET", "/v1/models", "", 200, `"other"`, ""},
		{"", "GET", "/v2/models/mine", "", 401, `{"error":"the request has no token`, ""},
		{"", "GET", "/livez", "", 200, "live", ""},
		{"", "GET", "/readyz", "", 200, "ready", ""},
		{"", "GET", "/v2/health/ready", "", 200, "ready", ""},
		{"", "GET", "/nothing", "", 401, "no token", ""},
	} {
		r, err := http.NewRequest(c.method, web.URL+c.path, strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		if c.token != "" {
			r.Header.Set("Authorization", c.token)
		}
		a, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(a.Body)
		a.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		text := string(b)
		if a.StatusCode != c.status || !strings.Contains(text, c.has) ||
			c.lacks != "" && strings.Contains(text, c.lacks) {
			t.Errorf("%s %s with %q: %d %s", c.method, c.path, c.token, a.StatusCode, text)
		}
		if (a.StatusCode == http.StatusUnauthorized) != (a.Header.Get("WWW-Authenticate") == "Bearer") {
			t.Errorf("%s: status %d, WWW-Authenticate %q", c.path, a.StatusCode,
				a.Header.Get("WWW-Authenticate"))
		}
	}
	var guarded *httptest.ResponseRecorder
	all := httptest.NewRequest(http.MethodGet, "/metrics", http.NoBody)
	guard := tokens.Guard(http.NotFoundHandler())
	for token, want := range map[string]int{"": 401, "Bearer some": 401, "Bearer all": 404} {
		all.Header.Set("Authorization", token)
		guarded = httptest.NewRecorder()
		if guard.ServeHTTP(guarded, all); guarded.Code != want {
			t.Errorf("metrics for %q: %d, want %d", token, guarded.Code, want)
		}
	}
	if err := tokens.Replace(strings.NewReader(hashed("new"))); err != nil {
		t.Fatal(err)
	}
	guarded = httptest.NewRecorder()
	all.Header.Set("Authorization", "Bearer all")
	if guard.ServeHTTP(guarded, all); guarded.Code != http.StatusUnauthorized {
		t.Error("a token that was taken out is accepted")
	}
	for text, want := range map[string]string{
		"":                              "there is no token",
		"secret":                        "line 1: want the SHA-256 hash of a token, 64 hexadecimal digits",
		"#\n" + strings.Repeat("x", 64): "line 2: the hash of the token",
		hashed("a") + " b c":            `line 1: want names of models with "," between them`,
	} {
		if _, err := serve.ReadTokens(strings.NewReader(text)); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
