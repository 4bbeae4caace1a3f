package serve_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/coppice-ml/coppice/serve"
)

// slowServer serves visits at a path, one at a time, and returns what connects. A socket of the
// file system holds little of an answer that nobody reads.
func slowServer(t *testing.T, o serve.Options) (connect func() net.Conn) {
	t.Helper()
	m, err := serve.NewModel("visits", trained(t, boosted(), "stays"), serve.ModelOptions{})
	if err != nil {
		t.Fatal(err)
	}
	models := serve.NewModels()
	models.Put(m)
	web := httptest.NewUnstartedServer(serve.Handler(models, o))
	web.Listener.Close()
	folder, err := os.MkdirTemp("", "s") // the path of a socket has about 100 bytes at most
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	path := folder + "/s"
	if web.Listener, err = net.Listen("unix", path); err != nil {
		t.Fatal(err)
	}
	web.Start()
	t.Cleanup(web.Close)
	return func() net.Conn {
		c, err := net.Dial("unix", path)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		return c
	}
}

// ask sends a request of a length of which a part is the body, and returns its connection.
func ask(t *testing.T, c net.Conn, kind, body string, length int) net.Conn {
	t.Helper()
	_, err := fmt.Fprintf(c, "POST /v1/models/visits/predict HTTP/1.1\r\nHost: a\r\n"+
		"Content-Type: %s\r\nContent-Length: %d\r\n\r\n%s", kind, length, body)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// status reads an answer.
func status(t *testing.T, c net.Conn) int {
	t.Helper()
	_ = c.SetReadDeadline(time.Now().Add(10 * time.Second))
	r, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	return r.StatusCode
}

// TestSlowClients: clients that send no body, lines that do not end, and one that takes no answer
// keep nobody out of the only place of a server, and end when their time is over.
func TestSlowClients(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("an answer of 700 kB has to fill the socket, which only those of Unix are known to do")
	}
	done := make(chan int, 2000)
	connect := slowServer(t, serve.Options{Concurrent: 1, Timeout: time.Second,
		Observe: func(o *serve.Observation) { done <- o.Status }})
	var waiting []net.Conn
	for range 3 {
		waiting = append(waiting, ask(t, connect(), "application/json", goodVisit[:1], 10))
	}
	const lines, streams = "application/x-ndjson", 4 // for one place
	for range streams {
		waiting = append(waiting, ask(t, connect(), lines, goodVisit[:1], 10))
	}
	rows := "[" + strings.Repeat(goodVisit+",", 4999) + goodVisit + "]"
	large := ask(t, connect(), "application/json", rows, len(rows)) // whose answer of 700 kB stays
	if _, err := large.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	refused, requests := false, 3+streams+1+2
	for range 1000 { // until the streams before are there
		requests++
		if refused = status(t, ask(t, connect(), lines, "", 0)) == http.StatusTooManyRequests; refused {
			break
		}
	}
	if !refused {
		t.Error("any number of streams may be open")
	}
	last := connect()
	for range 2 { // one behind the other at once
		if got := status(t, ask(t, last, "application/json", goodVisit, len(goodVisit))); got != http.StatusOK {
			t.Errorf("status %d beside slow clients", got)
		}
	}
	for i, c := range waiting {
		want := http.StatusRequestTimeout
		if i >= 3 {
			want = http.StatusOK // which was sent before
		}
		if got := status(t, c); got != want {
			t.Errorf("status %d of slow client %d", got, i)
		}
	}
	for range requests {
		select {
		case <-done:
		case <-time.After(10 * time.Second):
			t.Fatal("a request goes on")
		}
	}
}

// TestConnectionsOutliveStreams: behind a line that is no JSON the stream ends, and the next
// request of its connection is answered.
func TestConnectionsOutliveStreams(t *testing.T) {
	c := slowServer(t, serve.Options{})()
	body := "no JSON\n" + strings.Repeat(goodVisit+"\n", 2000) // of which the server has read a part
	for range 3 {
		if got := status(t, ask(t, c, "application/x-ndjson", body, len(body))); got != http.StatusOK {
			t.Errorf("status %d", got)
		}
	}
}

// TestStalledStreamsEndTheirConnection: what is late of a stream is no request, and gets no answer.
func TestStalledStreamsEndTheirConnection(t *testing.T) {
	c := slowServer(t, serve.Options{Timeout: 100 * time.Millisecond})()
	ask(t, c, "application/x-ndjson", "no JSON\n", 100)
	_ = c.SetReadDeadline(time.Now().Add(10 * time.Second))
	all, err := io.ReadAll(c)
	if n := strings.Count(string(all), "HTTP/1.1 "); err != nil || n != 1 {
		t.Errorf("error %v, %d answers: %s", err, n, all)
	}
}

// TestErrorsAreBounded: the errors of many rows stay small, by the number of rows and of columns,
// and say how many more there are. What is beyond the memory for answers is refused.
func TestErrorsAreBounded(t *testing.T) {
	web := server(t, trained(t, boosted(), "stays"), serve.Options{MaxBody: 100_000})
	const rows = "/v1/models/visits/predict?errors=row"
	status, text := post(t, web.URL+rows, "", "["+strings.Repeat("{},", 3999)+"{}]")
	if status != http.StatusOK || strings.Count(text, `"more":6}`) < 3000 || len(text) > 300*4000 {
		t.Errorf("%d, %d bytes, %d rows state how many more", status, len(text), strings.Count(text, `"more":6}`))
	}
	status, text = post(t, web.URL+rows, "", "["+strings.Repeat("{},", 19_999)+"{}]")
	if status != http.StatusRequestEntityTooLarge || !strings.Contains(text, "the answer is larger than 1600000 bytes") {
		t.Errorf("%d %.300s", status, text)
	}
	packed := httptest.NewRequest(http.MethodPost, rows, strings.NewReader(goodVisit))
	packed.Header.Set("Content-Encoding", "gzip")
	w := httptest.NewRecorder()
	if web.Config.Handler.ServeHTTP(w, packed); w.Code != http.StatusUnsupportedMediaType {
		t.Errorf("%d of a compressed body", w.Code)
	}
	var wide strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&wide, `"%d%s":1,`, i, strings.Repeat("x", 30))
	}
	status, text = post(t, web.URL+"/v1/models/visits/predict?unknown=refuse", "", "{"+wide.String()+goodVisit[1:])
	if status != http.StatusUnprocessableEntity || len(text) > 5000 || !strings.Contains(text, `"more":1980}`) {
		t.Errorf("%d, %d bytes: %s", status, len(text), text)
	}
}
