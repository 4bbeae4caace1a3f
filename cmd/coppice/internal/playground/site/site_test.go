package site

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/playground"
	"github.com/coppice-ml/coppice/internal/svg"
	"github.com/coppice-ml/coppice/internal/testing/tier"
)

// served is a server of the playground, and a client of it.
func served(t *testing.T) http.Handler {
	t.Helper()
	h, err := newHandler("lecture.local:8080")
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func request(h http.Handler, method, path, body string, heads ...string) *http.Response {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Host = "127.0.0.1:8080"
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(heads); i += 2 {
		if r.Header.Set(heads[i], heads[i+1]); heads[i] == "Host" {
			r.Host = heads[i+1]
		}
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

// A request gets an answer, a file, or an error as JSON with a status of its own.
func TestServer(t *testing.T) {
	h := served(t)
	for _, c := range []struct {
		method, path, body string
		heads              []string
		status             int
		want               string
	}{
		{"GET", "/", "", nil, 200, `data-engine="server"`},
		{"GET", "/scenes/plane.js", "", nil, 200, "export function mount"},
		{"GET", "/worker.js", "", nil, 200, "playground.wasm.gz"},
		{"GET", "/../server.go", "", nil, 404, `{"error":"there is no such file"}`},
		{"GET", "/scenes", "", nil, 404, "no such file"},
		{"POST", "/", "", nil, 405, "files are requested by GET"},
		{"POST", "/api/choices", "{}", nil, 200, `"methods":[{"name":"tree"`},
		{"GET", "/api/choices", "", nil, 405, "POST"},
		{"POST", "/api/sun", "{}", nil, 400, `{"error":"there is no scene \"sun\""}`},
		{"POST", "/api/plane", "{", nil, 400, "no JSON"},
		{"POST", "/api/plane", strings.Repeat(" ", playground.MaxBody+1), nil, 413, "262144 bytes"},
		{"POST", "/api/choices", "{}", []string{"Content-Type", "text/plain"}, 415, "application/json"},
		{"POST", "/api/choices", "{}", []string{"Sec-Fetch-Site", "cross-site"}, 403, "other pages"},
		{"POST", "/api/choices", "{}", []string{"Origin", "http://evil.example"}, 403, "other pages"},
		{"GET", "/", "", []string{"Host", "evil.example:8080"}, 421, "evil.example"},
		{"GET", "/", "", []string{"Host", "Lecture.local:8080"}, 200, "playground"},
		{"GET", "/", "", []string{"Host", "[::1]:8080"}, 200, "playground"},
		{"GET", "/", "", []string{"Host", "localhost"}, 200, "playground"},
	} {
		answer := request(h, c.method, c.path, c.body, c.heads...)
		text, err := io.ReadAll(answer.Body)
		if err != nil || answer.StatusCode != c.status || !strings.Contains(string(text), c.want) {
			t.Errorf("%s %s %q: status %d, want %d: %.100s", c.method, c.path, c.heads,
				answer.StatusCode, c.status, text)
		}
		if answer.Header.Get("X-Content-Type-Options") == "" && answer.StatusCode != 403 {
			t.Errorf("%s %s: no X-Content-Type-Options", c.method, c.path)
		}
	}
}

// Each scene of the page has a lesson, and there are no others.
func TestLessonsOfScenes(t *testing.T) {
	text, err := assets.ReadFile("assets/main.js")
	if err != nil {
		t.Fatal(err)
	}
	var scenes, lessons []string
	for _, m := range regexp.MustCompile(`\{ name: '([a-z-]+)'`).FindAllSubmatch(text, -1) {
		scenes = append(scenes, string(m[1]))
	}
	var choices struct{ Lessons []struct{ Scene string } }
	if err := json.NewDecoder(request(served(t), "POST", "/api/choices", "{}").Body).
		Decode(&choices); err != nil {
		t.Fatal(err)
	}
	for _, l := range choices.Lessons {
		lessons = append(lessons, l.Scene)
	}
	if len(scenes) == 0 || !slices.Equal(scenes, lessons) {
		t.Errorf("scenes %q, lessons %q", scenes, lessons)
	}
}

// A server ends with its context, without an error.
func TestServe(t *testing.T) {
	l, err := Listen(":0")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(l.Addr().String(), "127.0.0.1:") {
		t.Errorf("without a host the address is %s", l.Addr())
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- Serve(ctx, l, ":0") }()
	answer, err := http.Get(fmt.Sprintf("http://%s/style.css", l.Addr()))
	if err != nil || answer.StatusCode != 200 || answer.Body.Close() != nil {
		t.Errorf("%v, %v", answer, err)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestBadAddresses(t *testing.T) {
	for _, address := range []string{"", "8080", "nowhere", "127.0.0.1:http:80", ":99999"} {
		if l, err := Listen(address); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, %v", address, l, err)
		}
	}
}

// The style sheet has the colours of all other pictures.
func TestColours(t *testing.T) {
	text, err := assets.ReadFile("assets/style.css")
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"blue", "orange", "green", "purple", "sky", "red"} {
		if want := fmt.Sprintf("--%s: %v;", name, svg.ClassColour(i)); !strings.Contains(string(text),
			want) {
			t.Errorf("style.css has no %s", want)
		}
	}
}

// An export holds the whole page, and its program is small.
func TestExport(t *testing.T) {
	tier.NotShort(t, "compiles the playground for browsers")
	folder := filepath.Join(t.TempDir(), "new")
	found, err := Export(t.Context(), folder)
	if err != nil {
		t.Fatal(err)
	}
	if most := 4 << 20; found.Wasm > most || found.Bytes > most {
		t.Errorf("the program has %d bytes, all files %d, of %d", found.Wasm, found.Bytes, most)
	}
	all, err := files("worker")
	if err != nil || !strings.Contains(string(all["index.html"]), `data-engine="worker"`) {
		t.Error("index.html names no worker: ", err)
	}
	for name := range all {
		if _, err := os.Stat(filepath.Join(folder, name)); err != nil {
			t.Error(err)
		}
	}
	f, err := os.Open(filepath.Join(folder, "playground.wasm.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	if program, err := io.ReadAll(z); err != nil || !strings.HasPrefix(string(program), "\x00asm") {
		t.Error("playground.wasm.gz is no WebAssembly: ", err)
	}
}

// Without the source of the project, or without Go, an export writes nothing and gives the reason.
func TestExportElsewhere(t *testing.T) {
	t.Chdir(t.TempDir())
	if _, err := Export(t.Context(), "out"); err == nil || !strings.Contains(err.Error(), "checkout") &&
		!strings.Contains(err.Error(), "toolchain") {
		t.Error(err)
	}
	t.Setenv("PATH", "")
	if _, err := Export(t.Context(), "out"); err == nil || !strings.Contains(err.Error(), "toolchain") {
		t.Error(err)
	}
	if _, err := os.Stat("out"); err == nil {
		t.Error("something was written")
	}
}
