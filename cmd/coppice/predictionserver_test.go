package main

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// predictionServer is a server that runs, with the lines of its standard error.
type predictionServer struct {
	cmd   *exec.Cmd
	lines chan string
	url   string
	admin string // the address of --admin; "" = none
}

// trainIris trains a model on the iris table.
func trainIris(t *testing.T, path string, args ...string) {
	t.Helper()
	table, err := filepath.Abs("../../testdata/iris/iris.csv")
	if err != nil {
		t.Fatal(err)
	}
	cmd, stderr := startable(t, append([]string{"train", table, "--label", "species", "-o", path},
		args...)...)
	if err := cmd.Run(); err != nil {
		t.Fatal(err, stderr)
	}
}

// startServer serves a model at a free port, and returns once it listens.
func startServer(t *testing.T, path string, args ...string) *predictionServer {
	t.Helper()
	cmd, _ := startable(t, append([]string{"serve", path, "--listen", "127.0.0.1:0"}, args...)...)
	cmd.Stderr = nil
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s := &predictionServer{cmd: cmd, lines: make(chan string, 1000)}
	go func() {
		for lines := bufio.NewScanner(stderr); lines.Scan(); {
			s.lines <- lines.Text()
		}
		close(s.lines)
	}()
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	line := s.wait(t, "://")
	if strings.Contains(line, "rollback") {
		_, s.admin, _ = strings.Cut(line, "at ")
		line = s.wait(t, "://")
	}
	_, s.url, _ = strings.Cut(line, "at ")
	s.url, s.admin = strings.TrimSuffix(s.url, `"}`), strings.TrimSuffix(s.admin, `"}`) // of JSON
	return s
}

// wait returns the next line that has a text.
func (s *predictionServer) wait(t *testing.T, text string) string {
	t.Helper()
	var before []string
	for line := range s.lines {
		if strings.Contains(line, text) {
			return line
		}
		before = append(before, line)
	}
	t.Fatalf("the server ended without %q: %q", text, before)
	return ""
}

// post sends a row and returns the answer.
func (s *predictionServer) post(t *testing.T, row string) string {
	t.Helper()
	r, err := http.Post(s.url, "", strings.NewReader(row))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// fetched requests an address.
func fetched(t *testing.T, url string) (int, string) {
	t.Helper()
	r, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(b)
}

// The requests of docs/serving.md give what it shows. A file that changes is served, one that is
// damaged is not, and SIGTERM ends the server with status 0.
func TestServe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "iris.coppice")
	trainIris(t, path)
	page, err := os.ReadFile("../../docs/serving.md")
	if err != nil {
		t.Fatal(err)
	}
	// what the model learned may change with the defaults; the form of the answer does not
	plain := func(text string) string {
		text = regexp.MustCompile(`0\.\d+`).ReplaceAllString(strings.ReplaceAll(text, "\n ", ""), "P")
		return regexp.MustCompile(`[0-9a-f]{32}`).ReplaceAllString(text, "ID")
	}
	whole := plain(string(page))
	s := startServer(t, path, "--poll", "10ms")
	const row = `{"sepal_length": 6.1, "sepal_width": 2.8, "petal_length": 4.7, "petal_width": 1.2}`
	for _, row := range []string{row, strings.Replace(row, "4.7", `"long"`, 1)} {
		if got := plain(strings.TrimSpace(s.post(t, row))); !strings.Contains(whole, got) {
			t.Errorf("docs/serving.md lacks %s", got)
		}
	}
	first := s.post(t, row)
	metrics, _, _ := strings.Cut(s.url, "/v1/")
	if status, text := fetched(t, metrics+"/metrics"); status != http.StatusOK ||
		!strings.Contains(text, `coppice_rows_total{model="iris",version="1"} 2`) {
		t.Errorf("%d %s", status, text)
	}
	if err := os.WriteFile(path, []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	if line := s.wait(t, "does not serve"); !strings.Contains(line, "the model before goes on") {
		t.Error(line)
	}
	if got := s.post(t, row); got != first {
		t.Errorf("the model before does not go on: %s", got)
	}
	trainIris(t, path, "--learner", "cart")
	s.wait(t, "note: serving iris, version 1, from")
	if got := s.post(t, row); got == first {
		t.Errorf("the old model answers: %s", got)
	}
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	for last := false; !last; { // no request of a client that keeps its connection is lost
		r, err := http.Post(s.url, "", strings.NewReader(row))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, r.Body); err != nil || r.StatusCode != http.StatusOK {
			t.Fatal(err, r.StatusCode)
		}
		r.Body.Close()
		last = r.Close
	}
	s.wait(t, "the server has ended")
	if err := s.cmd.Wait(); err != nil {
		t.Error(err)
	}
}

// Without --admin nothing is changed by requests. With it a port reloads at once, and goes back to
// the model before.
func TestServeAdmin(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.coppice")
	trainIris(t, path, "--learner", "cart")
	s := startServer(t, filepath.Dir(path), "--poll", "0s", "--admin", "127.0.0.1:0", "--access-log")
	base, _, _ := strings.Cut(s.url, "/v1/")
	if status, text := fetched(t, base+"/metrics"); status != http.StatusNotFound {
		t.Errorf("the metrics are at the main port, too: %d %s", status, text)
	}
	if _, text := fetched(t, s.admin+"/metrics"); !strings.Contains(text, "coppice_model_info") {
		t.Error(text)
	}
	const row = `{"sepal_length": 6.1, "sepal_width": 2.8, "petal_length": 4.7, "petal_width": 1.2}`
	first := s.post(t, row)
	trainIris(t, path, "--learner", "bayes")
	if got := s.post(t, row); got != first {
		t.Errorf("%s without a reload, want %s", got, first)
	}
	send := func(path string, want int, header ...string) {
		t.Helper()
		q, err := http.NewRequest(http.MethodPost, s.admin+path, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		if header != nil {
			q.Header.Set(header[0], header[1])
		}
		r, err := http.DefaultClient.Do(q)
		if err != nil {
			t.Fatal(err)
		}
		r.Body.Close()
		if r.StatusCode != want {
			t.Fatal(path, r.StatusCode)
		}
	}
	send("/reload", http.StatusForbidden, "Origin", "http://evil.example")
	send("/reload", http.StatusForbidden, "Sec-Fetch-Site", "cross-site")
	if status, text := fetched(t, s.admin+"/readyz"); status != http.StatusOK {
		t.Error(status, text)
	}
	send("/reload", http.StatusOK)
	if got := s.post(t, row); got == first {
		t.Errorf("%s after a reload", got)
	}
	if r, err := http.Post(s.admin+"/reload", "", http.NoBody); err != nil {
		t.Fatal(err)
	} else if text, _ := io.ReadAll(r.Body); string(text) != `{"changed":[],"failed":[]}`+"\n" {
		t.Errorf("a reload of nothing: %s", text)
	}
	send("/models/m/rollback", http.StatusOK)
	if got := s.post(t, row); got != first {
		t.Errorf("%s after a rollback, want %s", got, first)
	}
	for _, name := range []string{"README.md", "notes.txt"} { // no models, and no failures
		stray := filepath.Join(filepath.Dir(path), name)
		if err := os.WriteFile(stray, []byte("how to reload"), 0o600); err != nil {
			t.Fatal(err)
		}
		send("/reload", http.StatusOK)
		if line := s.wait(t, name); !strings.Contains(line, `"level":"WARN"`) {
			t.Errorf("a warning is %s", line)
		}
		send("/reload", http.StatusOK)
	}
	if err := os.WriteFile(path, []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.wait(t, `"method":"POST","path":"/reload","status":200`)
	for range 2 { // as long as the file is there
		send("/reload", http.StatusConflict)
	}
	if _, text := fetched(t, s.admin+"/metrics"); !strings.Contains(text, "coppice_reload_success 0") ||
		!strings.Contains(text, "coppice_reload_errors_total 1") {
		t.Error(text)
	}
}

// TLS is spoken by a certificate that is read again, and clients of no authority are refused.
func TestServeTLS(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "m.coppice")
	trainIris(t, path, "--learner", "cart")
	cert, key := filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem")
	first := writeCertificate(t, cert, key)
	s := startServer(t, path, "--poll", "10ms", "--tls-cert", cert, "--tls-key", key, "--client-ca", cert)
	base, _, _ := strings.Cut(s.url, "/v1/")
	if !strings.HasPrefix(base, "https://") {
		t.Fatal(s.url)
	}
	ask := func(server tls.Certificate, own ...tls.Certificate) error {
		t.Helper()
		roots := x509.NewCertPool()
		roots.AddCert(server.Leaf)
		client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true,
			TLSClientConfig: &tls.Config{RootCAs: roots, Certificates: own}}}
		r, err := client.Get(base + "/livez")
		if err == nil {
			r.Body.Close()
		}
		return err
	}
	if err := ask(first, first); err != nil {
		t.Error(err)
	}
	if err := ask(first); err == nil {
		t.Error("a client without a certificate is accepted")
	}
	second := writeCertificate(t, cert, key)
	s.wait(t, "cert.pem has changed")
	if err := ask(second, first); err != nil {
		t.Error(err)
	}
	if err := ask(first, first); err == nil {
		t.Error("the certificate before is used")
	}
}

// writeCertificate writes a new certificate of this machine, which signs itself, and its key.
func writeCertificate(t *testing.T, cert, key string) tls.Certificate {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	serial, err := rand.Int(rand.Reader, big.NewInt(1<<60))
	if err != nil {
		t.Fatal(err)
	}
	plan := &x509.Certificate{SerialNumber: serial, IsCA: true, BasicConstraintsValid: true,
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, NotBefore: time.Unix(0, 0),
		NotAfter:    time.Unix(1<<32, 0),
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}}
	der, err := x509.CreateCertificate(rand.Reader, plan, plan, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalECPrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	write := func(path, kind string, b []byte) []byte {
		t.Helper()
		b = pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: b})
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		return b
	}
	pair, err := tls.X509KeyPair(write(cert, "CERTIFICATE", der), write(key, "EC PRIVATE KEY", secret))
	if err != nil {
		t.Fatal(err)
	}
	return pair
}
