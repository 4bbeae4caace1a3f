package main

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// A model of a web server is fetched, and again once it has changed. One that cannot be fetched
// leaves the model before, and one of another checksum is refused.
func TestServeFromTheWeb(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "m.coppice")
	file := func(learner string) []byte {
		trainIris(t, path, "--learner", learner)
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	first, second := file("cart"), file("bayes")
	var now atomic.Pointer[[]byte]
	now.Store(&first)
	var fetches atomic.Int64
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b := now.Load()
		if b == nil {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("ETag", fmt.Sprintf("%q", fmt.Sprintf("%x", sha256.Sum256(*b))[:8]))
		if r.Header.Get("Range") != "bytes=0-0" {
			fetches.Add(1)
		}
		http.ServeContent(w, r, "", time.Time{}, strings.NewReader(string(*b)))
	}))
	defer web.Close()
	const row = `{"sepal_length": 6.1, "sepal_width": 2.8, "petal_length": 4.7, "petal_width": 1.2}`
	s := startServer(t, web.URL+"/models/m.coppice", "--poll", "10ms")
	before := s.post(t, row)
	if !strings.Contains(before, `"model":"m"`) {
		t.Fatal(before)
	}
	once := fetches.Load()
	now.Store(nil)
	if line := s.wait(t, "the models before go on"); !strings.Contains(line, "/models/m.coppice: ") {
		t.Error(line)
	}
	if got := s.post(t, row); got != before {
		t.Errorf("%s, want %s", got, before)
	}
	now.Store(&second)
	if line := s.wait(t, "note: serving m, version 1, from"); !strings.Contains(line, web.URL) {
		t.Error(line)
	}
	if got := s.post(t, row); got == before {
		t.Error("the model before answers")
	}
	if n := fetches.Load(); once != 1 || n != 2 {
		t.Errorf("the file was fetched %d times, and then %d, want 1 and 1", once, n-once)
	}
	sum := fmt.Sprintf("%x", sha256.Sum256(second))
	startServer(t, web.URL+"/m.coppice#sha256="+sum)
	for address, want := range map[string]string{
		web.URL + "/m.coppice#sha256=" + strings.Repeat("00", 32): "the SHA-256 is " + sum + ", and is to be 0000",
		web.URL + "/m.coppice#sha256=12":                          "want 64 digits behind #sha256=",
		web.URL + "/models/":                                      "want the address of a model file",
		"ftp://localhost/m.coppice":                               "models are read from s3, gs, az, https and http",
	} {
		cmd, stderr := startable(t, "serve", address, "--listen", "127.0.0.1:0")
		if err := cmd.Run(); err == nil || !strings.Contains(stderr.String(), want) ||
			strings.Count(stderr.String(), "\n") != 1 {
			t.Errorf("%s: %v, %q, want %q", address, err, stderr, want)
		}
	}
}
