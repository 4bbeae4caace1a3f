package stores

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/data/parquetdata"
	"github.com/coppice-ml/coppice/data/tabletest"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/internal/testing/tier"
)

// faulty is a case of a server that fails at a request for a case's file, or from that one on.
type faulty struct {
	scheme, file, fault string
	at                  int // request, from 1
	lasts               bool

	mu    sync.Mutex
	asked int
}

func (c *faulty) folder() string {
	return fmt.Sprintf("%s-%s-%s-%d-%v", c.scheme, c.file, c.fault, c.at, c.lasts)
}

// fails reports whether the next request of the case fails.
func (c *faulty) fails() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked++
	return c.asked == c.at || c.lasts && c.asked > c.at
}

// passes reports whether a request may be sent again after a fault.
func (c *faulty) passes() bool { return !c.lasts && c.fault != "403" && c.fault != "404" }

// answer answers a request as s does, but for the fault of the case.
func (c *faulty) answer(s *server, w http.ResponseWriter, r *http.Request) {
	if !c.fails() {
		s.ServeHTTP(w, r)
		return
	}
	switch c.fault {
	case "closed":
		panic(http.ErrAbortHandler)
	case "cut":
		whole := httptest.NewRecorder()
		s.ServeHTTP(whole, r)
		for name, values := range whole.Header() {
			w.Header()[name] = values
		}
		if r.Method == http.MethodHead {
			w.WriteHeader(whole.Code)
			return
		}
		w.Header().Set("Content-Length", fmt.Sprint(whole.Body.Len()))
		w.WriteHeader(whole.Code)
		w.Write(whole.Body.Bytes()[:whole.Body.Len()/2])
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	default:
		status := 0
		fmt.Sscan(c.fault, &status)
		fault(w, r, status, "Fault")
	}
}

// Whichever request for a table fails, once or from then on, the table is whole, or there is one
// line of error without what gives access. What may pass is tried again.
func TestAnyRequestFails(t *testing.T) {
	s := newServer(t)
	text := "x,y,z\n" + strings.Repeat("1,2,a\n3,4,b\n", 5000)
	files := map[string][]byte{"t.csv": []byte(text), "t.parquet": parquetFile(t, 0, 300)}
	open := func(url string) (*data.Frame, error) {
		o := data.ReadOptions{Stores: New()}
		if strings.Contains(url, ".csv") {
			return csvdata.Open(csvdata.Options{ReadOptions: o}, url).Frame(t.Context())
		}
		return parquetdata.Open(o, url).Frame(t.Context())
	}
	want := map[string]*data.Frame{}
	var cases []*faulty
	for name, b := range files {
		s.files["bkt/"+name] = b
		for _, scheme := range []string{"s3", "gs", "az", "http"} {
			s.asked.Store(0)
			url := scheme + "://bkt/" + name
			if scheme == "http" {
				url = s.URL + "/bkt/" + name
			}
			f, err := open(url)
			if err != nil {
				t.Fatal(err)
			}
			want[name] = f
			requests := int(s.asked.Load())
			for _, fault := range []string{"403", "404", "429", "500", "503", "closed", "cut"} {
				for at := 1; at <= min(requests, tier.Count(1, 3, 20)); at++ {
					for _, lasts := range []bool{false, true} {
						c := &faulty{scheme: scheme, file: name, fault: fault, at: at, lasts: lasts}
						cases = append(cases, c)
						s.files["bkt/"+c.folder()+"/"+name] = b
					}
				}
			}
		}
	}
	byFolder := map[string]*faulty{}
	for _, c := range cases {
		byFolder[c.folder()] = c
	}
	s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		at := r.URL.Query().Get("prefix") // of a list
		if at == "" {
			_, at, _ = strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		}
		folder, _, _ := strings.Cut(at, "/")
		if c := byFolder[folder]; c != nil {
			c.answer(s, w, r)
			return
		}
		s.ServeHTTP(w, r)
	})
	// Most wait between their attempts. With more at a time a busy machine runs out of patience.
	parallel.Each(24, len(cases), func(_, i int) { cases[i].check(t, s, open, want[cases[i].file]) })
	failed := 0 // a table may take a request more or less
	for _, c := range cases {
		if c.asked >= c.at {
			failed++
		}
	}
	if failed < 80 || failed < len(cases)*9/10 {
		t.Errorf("%d requests failed, in %d cases", failed, len(cases))
	}
	t.Logf("%d requests failed", failed)
}

// check reads the file of a case.
func (c *faulty) check(t *testing.T, s *server, open func(url string) (*data.Frame, error), want *data.Frame) {
	url := c.scheme + "://bkt/" + c.folder() + "/" + c.file
	if c.scheme == "http" {
		url = s.URL + "/bkt/" + c.folder() + "/" + c.file + "?sig=secret-word"
	}
	got, err := open(url)
	if err == nil {
		if tabletest.Render(got) != tabletest.Render(want) {
			t.Errorf("%s: another table", c.folder())
		}
		return
	}
	if c.passes() {
		t.Errorf("%s: a fault that passes ends the reading: %v", c.folder(), err)
	}
	tabletest.CheckError(t, err)
	shown, _, _ := strings.Cut(url, "?")
	if !strings.HasPrefix(err.Error(), shown) || strings.Contains(err.Error(), "secret") {
		t.Errorf("%s: %v", c.folder(), err)
	}
}
