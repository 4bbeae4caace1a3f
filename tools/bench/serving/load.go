//go:build linux

package serving

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/dmitryikh/leaves"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/serve"
	"github.com/coppice-ml/coppice/serve/prometheus"
	"github.com/coppice-ml/coppice/tools/bench/pairs"
)

// load is the job of a side: it starts a server, sends requests over some connections for some
// seconds, and ends it. The arguments are the numbers of connections and seconds, the path, the
// type of content, the file of the body, and the words that start the server. The result is the
// seconds of 1,000 requests.
func load(a []string) (*pairs.Result, error) {
	connections, err := strconv.Atoi(a[0])
	if err != nil {
		return nil, err
	}
	seconds, err := strconv.Atoi(a[1])
	if err != nil {
		return nil, err
	}
	body, err := os.ReadFile(a[4])
	if err != nil {
		return nil, err
	}
	address, end, err := start(a[5:])
	if err != nil {
		return nil, err
	}
	defer func() { _, _ = end() }()
	request := requestOf(address, a[2], a[3], body)
	first, err := wait(address, request)
	if err != nil {
		return nil, err
	}
	times, failed := drive(address, request, connections, time.Duration(seconds)*time.Second)
	busy, err := end()
	if err != nil {
		return nil, err
	}
	if len(times) == 0 {
		return nil, errors.New("no request succeeded")
	}
	slices.Sort(times)
	rate := float64(len(times)) / float64(seconds)
	at := func(part float64) float64 { return 1e3 * times[int(part*float64(len(times)-1))].Seconds() }
	return &pairs.Result{Seconds: 1000 / rate, Version: strings.Join(a[5:min(len(a), 8)], " "),
		Facts: map[string]float64{"requests": rate, "median": at(0.5), "p99": at(0.99),
			"processor": 1e6 * busy.Seconds() / float64(len(times)), "failed": float64(failed),
			"answer": firstNumber(first)}}, nil
}

// start starts a server at a free port. end ends it and waits, once, and returns the time that it
// took of processors.
func start(words []string) (address string, end func() (time.Duration, error), err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	address = l.Addr().String()
	_, port, err := net.SplitHostPort(address)
	if err := errors.Join(err, l.Close()); err != nil {
		return "", nil, err
	}
	for i := range words {
		words[i] = strings.ReplaceAll(words[i], "PORT", port)
	}
	c := exec.Command(words[0], words[1:]...)
	c.Stderr = os.Stderr
	if err := c.Start(); err != nil {
		return "", nil, err
	}
	return address, sync.OnceValues(func() (time.Duration, error) {
		if err := c.Process.Signal(syscall.SIGTERM); err != nil {
			return 0, err
		}
		var exit *exec.ExitError // by the signal: some servers know no other end
		if err := c.Wait(); err != nil && !errors.As(err, &exit) {
			return 0, err
		}
		return c.ProcessState.UserTime() + c.ProcessState.SystemTime(), nil
	}), nil
}

// requestOf returns the bytes of a request.
func requestOf(address, path, kind string, body []byte) []byte {
	header := ""
	if kind == "application/octet-stream" {
		line, rest, _ := bytes.Cut(body, []byte("\n"))
		header, body = fmt.Sprintf("Inference-Header-Content-Length: %s\r\n", line), rest
	}
	return append(fmt.Appendf(nil, "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: %s\r\n%sContent-Length: %d\r\n\r\n",
		path, address, kind, header, len(body)), body...)
}

// wait sends a request until the server answers it, and returns the answer.
func wait(address string, request []byte) (body []byte, err error) {
	for range 600 {
		var c net.Conn
		if c, err = net.Dial("tcp", address); err == nil {
			var ok bool
			body, ok, err = once(c, bufio.NewReader(c), request)
			_ = c.Close()
			if err == nil && !ok {
				err = fmt.Errorf("the server refuses the request: %.300s", body)
			}
			if err == nil {
				return body, nil
			}
		}
		time.Sleep(50 * time.Millisecond)
	}
	return nil, err
}

// once sends a request and reads its answer; ok: its status is 200.
func once(c net.Conn, r *bufio.Reader, request []byte) (body []byte, ok bool, err error) {
	if _, err := c.Write(request); err != nil {
		return nil, false, err
	}
	a, err := http.ReadResponse(r, nil)
	if err != nil {
		return nil, false, err
	}
	body, err = io.ReadAll(a.Body)
	return body, a.StatusCode == http.StatusOK, errors.Join(err, a.Body.Close())
}

// drive sends requests over connections until the time is over, and returns the times of those that
// succeeded.
func drive(address string, request []byte, connections int, length time.Duration) (
	times []time.Duration, failed int) {
	var mu sync.Mutex
	var all sync.WaitGroup
	until := time.Now().Add(length)
	for range connections {
		all.Go(func() {
			own, wrong := connection(address, request, until)
			mu.Lock()
			defer mu.Unlock()
			times, failed = append(times, own...), failed+wrong
		})
	}
	all.Wait()
	return times, failed
}

// connection sends requests one behind the other.
func connection(address string, request []byte, until time.Time) (times []time.Duration, failed int) {
	c, err := net.Dial("tcp", address)
	if err != nil {
		return nil, 1
	}
	defer c.Close()
	r := bufio.NewReaderSize(c, 1<<16)
	for {
		begin := time.Now()
		if begin.After(until) {
			return times, failed
		}
		_, ok, err := once(c, r, request)
		if err != nil {
			return times, failed + 1
		}
		if !ok {
			failed++
			continue
		}
		times = append(times, time.Since(begin))
	}
}

// number is one with a point, as predictions have.
var number = regexp.MustCompile(`-?\d+\.\d+`)

// firstNumber returns the first number of an answer, so that the sides can be compared.
func firstNumber(body []byte) float64 {
	v, err := strconv.ParseFloat(string(number.Find(body)), 64)
	if err != nil {
		return -1
	}
	return v
}

// pythonHas reports whether a Python has some packages.
func pythonHas(program string, packages ...string) bool {
	return program != "" && exec.Command(program, "-c", "import "+strings.Join(packages, ",")).Run() == nil
}

// serveModel is the job of a server of Coppice's handler alone, with metrics or without. The
// arguments are the model, "with" or "without", and the port.
func serveModel(a []string) (*pairs.Result, error) {
	m, err := coppice.Open(a[0])
	if err != nil {
		return nil, err
	}
	one, err := serve.NewModel("model", m, serve.ModelOptions{})
	if err != nil {
		return nil, err
	}
	models := serve.NewModels()
	models.Put(one)
	var o serve.Options
	if a[1] == "with" {
		metrics := prometheus.New(models)
		o.Observe, o.EachRow = metrics.Observe, metrics.EachRow
	}
	return nil, http.ListenAndServe("127.0.0.1:"+a[2], serve.Handler(models, o))
}

// serveLeaves is the job of a server that a Go team writes first: encoding/json, a row of the
// model's columns, and leaves. The arguments are the model, the names of
// its columns and the port.
func serveLeaves(a []string) (*pairs.Result, error) {
	m, err := leaves.LGEnsembleFromFile(a[0], true)
	if err != nil {
		return nil, err
	}
	list, err := os.ReadFile(a[1])
	if err != nil {
		return nil, err
	}
	var names []string
	if err := json.Unmarshal(list, &names); err != nil {
		return nil, err
	}
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var row map[string]float64
		if err := json.NewDecoder(r.Body).Decode(&row); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		values, p := make([]float64, len(names)), make([]float64, 1)
		for i, name := range names {
			values[i] = row[name]
		}
		if err := m.Predict(values, 0, p); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]float64{"probability": p[0]})
	})
	return nil, http.ListenAndServe("127.0.0.1:"+a[2], handler)
}
