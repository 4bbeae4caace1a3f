//go:build unix

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	httpserve "github.com/coppice-ml/coppice/serve"
)

// storm is a server under fire, with what it is to answer.
type storm struct {
	t       *testing.T
	server  *predictionServer
	address string // host and port
	rows    []string
	want    map[string]bool // answers of each row by each of the models: row, blank, answer
	right   atomic.Int64    // answers
	refused atomic.Int64    // requests that are wrong, and were refused
	busy    atomic.Int64    // requests that found the server busy
	wrong   atomic.Int64
}

// stormTime is how long the server is under fire: COPPICE_STORM=30m is the long test.
func stormTime(t *testing.T) (time.Duration, time.Duration) {
	if text := os.Getenv("COPPICE_STORM"); text != "" {
		d, err := time.ParseDuration(text)
		if err != nil {
			t.Fatal(err)
		}
		return d, time.Second
	}
	return time.Duration(tier.Count(800, 1500, 1500)) * time.Millisecond, 30 * time.Millisecond
}

// TestServerUnderFire: while a model is replaced, damaged and truncated all the time, and clients
// vanish, are slow or send what is wrong, each answer is right, and goroutines and memory stay.
// Requests that run at SIGTERM are answered.
func TestServerUnderFire(t *testing.T) {
	long, reload := stormTime(t)
	folder := t.TempDir()
	path := filepath.Join(folder, "m.coppice")
	s := &storm{t: t, want: map[string]bool{}}
	for i := range 20 {
		s.rows = append(s.rows, fmt.Sprintf(
			`{"sepal_length":%d.5,"sepal_width":2.8,"petal_length":%d.7,"petal_width":%d.2}`, 4+i%4, 1+i%6, i%3))
	}
	var files [][]byte
	for _, learner := range []string{"cart", "bayes"} {
		trainIris(t, path, "--learner", learner)
		s.expect(path)
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, b)
	}
	s.server = startServer(t, path, "--poll", "10ms", "--admin", "127.0.0.1:0", "--max-body", "1MiB",
		"--timeout", "20s", "--log", filepath.Join(folder, "log"), "--log-share", "0.05")
	go func() { // the lines of files that do not serve
		for range s.server.lines {
		}
	}()
	base, _, _ := strings.Cut(s.server.url, "/v1/")
	s.address = strings.TrimPrefix(base, "http://")
	s.request(s.rows[0])
	goroutines, _ := s.state()

	ctx, end := context.WithTimeout(t.Context(), long)
	defer end()
	var group sync.WaitGroup
	repeat := func(n int, pause time.Duration, f func(r *rand.Rand)) {
		for i := range n {
			group.Go(func() {
				for r := rand.New(rand.NewPCG(uint64(i), 7)); ctx.Err() == nil; time.Sleep(pause) {
					f(r)
				}
			})
		}
	}
	repeat(1, reload, func(r *rand.Rand) { s.replace(path, files, r) })
	repeat(3, 0, func(r *rand.Rand) { s.request(s.rows[r.IntN(len(s.rows))]) })
	repeat(2, 0, s.malformed)
	repeat(1, 0, s.vanish)
	repeat(2, 0, func(r *rand.Rand) { s.slow(s.rows[r.IntN(len(s.rows))], r) })
	var memory float64
	time.Sleep(long / 4)
	_, memory = s.state()
	group.Wait()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		now, used := s.state()
		if now <= goroutines+10 && used <= 1.5*memory+64e6 {
			break
		}
		if time.Now().After(deadline) {
			t.Errorf("%v goroutines and %.0f MB, at first %v and %.0f MB", now, used/1e6, goroutines, memory/1e6)
			break
		}
	}
	if err := os.WriteFile(path, files[0], 0o600); err != nil {
		t.Fatal(err)
	}
	s.drain()
	t.Logf("%d right answers, %d wrong requests refused, %d found the server busy", s.right.Load(),
		s.refused.Load(), s.busy.Load())
	if s.right.Load() == 0 || s.refused.Load() == 0 {
		t.Error("no request was answered, or none refused")
	}
}

// expect keeps what a model answers for each row.
func (s *storm) expect(path string) {
	s.t.Helper()
	inner, err := coppice.Open(path)
	if err != nil {
		s.t.Fatal(err)
	}
	m, err := httpserve.NewModel("m", inner, httpserve.ModelOptions{})
	if err != nil {
		s.t.Fatal(err)
	}
	models := httpserve.NewModels()
	models.Put(m)
	h := httpserve.Handler(models, httpserve.Options{})
	for _, row := range s.rows {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/v1/models/m/predict", strings.NewReader(row)))
		s.want[row+" "+w.Body.String()] = true
	}
}

// state returns the goroutines and the memory of the server.
func (s *storm) state() (goroutines, memory float64) {
	s.t.Helper()
	_, text := fetched(s.t, s.server.admin+"/metrics")
	for line := range strings.Lines(text) {
		_, _ = fmt.Sscanf(line, "go_goroutines %g", &goroutines)
		_, _ = fmt.Sscanf(line, "process_resident_memory_bytes %g", &memory)
	}
	return goroutines, memory
}

// replace writes a model: whole, cut off, or damaged, in one step or in place.
func (s *storm) replace(path string, files [][]byte, r *rand.Rand) {
	b := bytes.Clone(files[r.IntN(len(files))])
	switch r.IntN(4) {
	case 0:
		b = b[:r.IntN(len(b))]
	case 1:
		b[r.IntN(len(b))] ^= 1
	}
	to := path
	if whole := r.IntN(2) == 0; whole {
		to = path + ".new"
	}
	if err := os.WriteFile(to, b, 0o600); err != nil {
		s.t.Error(err)
	}
	if to != path {
		if err := os.Rename(to, path); err != nil {
			s.t.Error(err)
		}
	}
}

// request sends a row, whose answer is to be that of one of the models.
func (s *storm) request(row string) {
	r, err := http.Post(s.server.url, "", strings.NewReader(row))
	if errors.Is(err, syscall.EADDRNOTAVAIL) {
		return
	}
	if err != nil {
		s.t.Error(err)
		return
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	s.answered(row, r.StatusCode, string(b), err)
}

// answered checks an answer.
func (s *storm) answered(row string, status int, text string, err error) {
	switch {
	case err == nil && status == http.StatusOK && s.want[row+" "+text]:
		s.right.Add(1)
	case status == http.StatusTooManyRequests:
		s.busy.Add(1)
	case s.wrong.Add(1) < 10:
		s.t.Errorf("%s: status %d, %v, %q", row, status, err, text)
	}
}

// dial connects to the server; nil: no port is free for now, or the server does not listen, which
// is an error.
func (s *storm) dial() net.Conn {
	c, err := net.Dial("tcp", s.address)
	if errors.Is(err, syscall.EADDRNOTAVAIL) {
		time.Sleep(100 * time.Millisecond)
		return nil
	}
	if err != nil {
		s.t.Error(err)
		return nil
	}
	return c
}

// malformed sends what is no request, or one of wrong values, over a connection of its own. The
// server may close it; an answer is never a success or an error of the server.
func (s *storm) malformed(r *rand.Rand) {
	row := s.rows[0]
	body := []byte(row)
	for range 1 + r.IntN(4) {
		body[r.IntN(len(body))] = byte(r.IntN(256))
	}
	host := "Host: localhost\r\nConnection: close\r\n"
	length := fmt.Sprintf("Content-Length: %d\r\n", len(body))
	text := [...]string{
		"POST /v1/models/m/predict HTTP/1.1\r\n" + host + length + "\r\n" + string(body),
		"POST /v2/models/m/infer HTTP/1.1\r\n" + host + length + "\r\n" + string(body),
		"POST /invocations HTTP/1.1\r\n" + host + "Content-Type: text/csv\r\n" + length + "\r\n" + string(body),
		"POST /v1/models/m/predict HTTP/1.1\r\n" + host + "Content-Length: 2000000\r\n\r\n[" + strings.Repeat(row+",", 20000),
		"POST /v1/models/m/predict HTTP/1.1\r\n" + host + length + "Transfer-Encoding: chunked\r\n\r\nzz\r\n" + string(body),
		"POST /v1/models/m/predict HTTP/1.1\r\n" + host + "Content-Length: 5\r\nContent-Length: 6\r\n\r\n" + row,
		"POST /v1/models/..%2f..%2fetc/predict HTTP/1.1\r\n" + host + length + "\r\n" + string(body),
		string(body) + "\r\n\r\n",
		"GET /\x00 HTTP/1.1\r\n" + host + "\r\n",
		"POST /v1/models/m/predict HTTP/1.1\r\n" + host + strings.Repeat("X: "+strings.Repeat("y", 1000)+"\r\n", 100) + "\r\n",
	}[r.IntN(10)]
	c := s.dial()
	if c == nil {
		return
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(10 * time.Second))
	_, _ = io.WriteString(c, text) // the server may have closed it already
	answer, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		return // no answer but the end of the connection
	}
	defer answer.Body.Close()
	b, _ := io.ReadAll(answer.Body)
	switch {
	case answer.StatusCode == http.StatusOK: // a digit may have become another one
		if !json.Valid(b) && s.wrong.Add(1) < 10 {
			s.t.Errorf("%.200q is answered by %q", text, b)
		}
	case answer.StatusCode >= 500 && s.wrong.Add(1) < 10:
		s.t.Errorf("%.200q is answered by status %d: %q", text, answer.StatusCode, b)
	default:
		s.refused.Add(1)
	}
}

// vanish sends the beginning of a request, and goes.
func (s *storm) vanish(r *rand.Rand) {
	c := s.dial()
	if c == nil {
		return
	}
	text := fmt.Sprintf("POST /v1/models/m/predict HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s",
		len(s.rows[0]), s.rows[0])
	_, _ = io.WriteString(c, text[:r.IntN(len(text)+1)])
	if tcp, is := c.(*net.TCPConn); is && r.IntN(2) == 0 {
		_ = tcp.SetLinger(0) // a reset
	}
	c.Close()
	time.Sleep(time.Millisecond)
}

// slow sends a request in parts, and reads the answer in parts.
func (s *storm) slow(row string, r *rand.Rand) {
	c := s.dial()
	if c == nil {
		return
	}
	defer c.Close()
	text := fmt.Sprintf("POST /v1/models/m/predict HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s",
		len(row), row)
	for len(text) > 0 {
		n := min(len(text), 1+r.IntN(60))
		if _, err := io.WriteString(c, text[:n]); err != nil {
			s.t.Error(err)
			return
		}
		text = text[n:]
		time.Sleep(5 * time.Millisecond)
	}
	answer, err := http.ReadResponse(bufio.NewReaderSize(c, 16), nil)
	if err != nil {
		s.t.Error(err)
		return
	}
	defer answer.Body.Close()
	b, err := io.ReadAll(answer.Body)
	s.answered(row, answer.StatusCode, string(b), err)
}

// drain ends the server while requests run. Those that it has begun to answer are answered.
func (s *storm) drain() {
	s.t.Helper()
	const streams = 8
	var begun, ended sync.WaitGroup
	rest := make(chan struct{})
	begun.Add(streams)
	for range streams {
		ended.Go(func() {
			in, out := io.Pipe()
			first := true
			defer func() {
				if first {
					begun.Done()
				}
			}()
			go func() {
				_, _ = io.WriteString(out, s.rows[0]+"\n")
				<-rest
				for _, row := range s.rows[1:] {
					_, _ = io.WriteString(out, row+"\n")
				}
				out.Close()
			}()
			r, err := http.Post(s.server.url, "application/x-ndjson", in)
			if err != nil {
				s.t.Error(err)
				return
			}
			defer r.Body.Close()
			lines := bufio.NewScanner(r.Body)
			n := 0
			for ; lines.Scan(); n++ {
				if !strings.Contains(lines.Text(), `"label":"Iris-`) {
					s.t.Errorf("line %d of a stream: %s", n+1, lines.Text())
				}
				if first {
					first = false
					begun.Done()
				}
			}
			if n != len(s.rows) || lines.Err() != nil {
				s.t.Errorf("a stream of %d rows ended behind %d, %v", len(s.rows), n, lines.Err())
			}
		})
	}
	begun.Wait()
	var load sync.WaitGroup
	load.Go(func() { // what is answered is right, until nobody listens any more
		for {
			r, err := http.Post(s.server.url, "", strings.NewReader(s.rows[0]))
			if err != nil {
				if errors.Is(err, syscall.ECONNREFUSED) {
					return
				}
				continue
			}
			b, err := io.ReadAll(r.Body)
			r.Body.Close()
			s.answered(s.rows[0], r.StatusCode, string(b), err)
		}
	})
	if err := s.server.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		s.t.Fatal(err)
	}
	load.Wait()
	close(rest)
	ended.Wait()
	if err := s.server.cmd.Wait(); err != nil {
		s.t.Errorf("the server ended with %v", err)
	}
}
