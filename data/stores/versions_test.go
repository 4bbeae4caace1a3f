package stores

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/data/tabletest"
)

// told is what a server reports of a range of a file and sends.
type told struct {
	tag, modified string
	from, total   int
	body          string
	plain         bool   // a whole file, whatever range was requested
	more          string // bytes that follow, without a length
}

// liar is a server of one file whose answers to requests for its bytes change after the first,
// whatever conditions these make. That one breaks in the middle if it is to.
func liar(t *testing.T, text string, breaks bool, lie func(a *told)) *server {
	s := newServer(t)
	var sent atomic.Int64
	s.instead = func(w http.ResponseWriter, r *http.Request, key string) bool {
		if !strings.HasSuffix(key, "t.csv") {
			return false
		}
		ranges := r.Header.Get("Range") + r.Header.Get("x-ms-range")
		a := told{tag: `"v1"`, modified: stamp, total: len(text)}
		to := len(text) - 1
		fmt.Sscanf(ranges, "bytes=%d-%d", &a.from, &to)
		a.body = text[a.from : to+1]
		first := false
		if r.Method != http.MethodHead && ranges != "bytes=0-0" {
			if first = sent.Add(1) == 1; !first {
				lie(&a)
			}
		}
		h := w.Header()
		for name, value := range map[string]string{"ETag": a.tag, "Last-Modified": a.modified} {
			if value != "" {
				h.Set(name, value)
			}
		}
		if a.more == "" {
			h.Set("Content-Length", fmt.Sprint(len(a.body)))
		}
		if ranges != "" && !a.plain {
			h.Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", a.from, a.from+len(a.body)-1, a.total))
			w.WriteHeader(http.StatusPartialContent)
		}
		if r.Method == http.MethodHead {
			return true
		}
		if first && breaks {
			io.WriteString(w, a.body[:len(a.body)/2])
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		}
		if a.more != "" {
			w.(http.Flusher).Flush()
		}
		io.WriteString(w, a.body+a.more)
		return true
	}
	return s
}

// urlOf returns the URL of the liar's file.
func urlOf(s *server, scheme string) string {
	if scheme == "http" {
		return s.URL + "/bkt/t.csv"
	}
	return scheme + "://bkt/t.csv"
}

// halves reads a file by two requests, the second of which the server lies about.
func halves(t *testing.T, s *server, scheme string, size int64) (string, error) {
	t.Helper()
	store := New()[scheme]
	f, err := store.Stat(t.Context(), urlOf(s, scheme))
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, part := range [][2]int64{{0, size / 2}, {size / 2, size - size/2}} {
		in, err := store.Open(t.Context(), f, part[0], part[1])
		if err != nil {
			return all.String(), err
		}
		_, err = io.Copy(&all, io.LimitReader(in, part[1]))
		in.Close()
		if err != nil {
			return all.String(), err
		}
	}
	return all.String(), nil
}

// However a server lies about a file that it sends in two answers, its bytes are those of the file
// that was found first, or there is an error. No answer of another version is used.
func TestTwoVersions(t *testing.T) {
	text := "x,y\n" + strings.Repeat("1,2\n3,4\n", 100)
	other := strings.ReplaceAll(text, "1", "7")
	for name, c := range map[string]struct {
		lie  func(a *told)
		want error // nil: the file is read
	}{
		"nothing":                     {func(a *told) {}, nil},
		"a weak tag of one name":      {func(a *told) { a.tag = `W/"v1"` }, nil},
		"no tag":                      {func(a *told) { a.tag = "" }, nil},
		"another tag":                 {func(a *told) { a.tag, a.body = `"v2"`, other[a.from:] }, errChanged},
		"another weak tag":            {func(a *told) { a.tag, a.body = `W/"v2"`, other[a.from:] }, errChanged},
		"another time":                {func(a *told) { a.tag, a.modified, a.body = "", "Sun, 09 Sep 2001 01:46:41 GMT", other[a.from:] }, errChanged},
		"another size":                {func(a *told) { a.tag, a.total = "", a.total+8 }, errChanged},
		"a smaller size":              {func(a *told) { a.tag, a.total, a.body = "", a.total-8, a.body[:len(a.body)-8] }, errChanged},
		"another start":               {func(a *told) { a.from, a.body = a.from+8, a.body[8:] }, errRange},
		"its beginning":               {func(a *told) { a.from, a.body = 0, text }, errRange},
		"more than there is":          {func(a *told) { a.body += "9,9\n" }, errRange},
		"no range":                    {func(a *told) { a.plain, a.body = true, text }, errRange},
		"no range of another version": {func(a *told) { a.plain, a.tag, a.body = true, `"v2"`, other }, errChanged},
		"more bytes":                  {func(a *told) { a.more = "9,9\n9,9\n" }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			for _, scheme := range []string{"http", "s3", "gs", "az"} {
				s := liar(t, text, false, c.lie)
				got, err := halves(t, s, scheme, int64(len(text)))
				switch {
				case err != c.want:
					t.Errorf("%s: got %v, want %v", scheme, err, c.want)
				case err == nil && got != text:
					t.Errorf("%s: other bytes of the file", scheme)
				}
			}
		})
	}
}

// A file that was replaced while the connection broke is one line, and no row of it is read.
func TestReplacedFile(t *testing.T) {
	text := "x,y\n" + strings.Repeat("1,2\n3,4\n", 1000)
	for _, scheme := range []string{"http", "s3", "gs", "az"} {
		s := liar(t, text, true, func(a *told) { a.tag = `"v2"` })
		url := urlOf(s, scheme)
		_, err := csvdata.Open(csvdata.Options{ReadOptions: data.ReadOptions{Stores: New()}}, url).Frame(t.Context())
		tabletest.CheckError(t, err)
		if err == nil || err.Error() != url+": the file changed while it was read" {
			t.Errorf("got %v", err)
		}
	}
}

// A server that sends fewer bytes than were requested is asked again for the rest.
func TestShortBodies(t *testing.T) {
	text := "x,y\n" + strings.Repeat("1,2\n3,4\n", 1000)
	want, err := csvdata.Open(csvdata.Options{ReadOptions: data.ReadOptions{Bytes: map[string][]byte{"t.csv": []byte(text)}}}, "t.csv").Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, scheme := range []string{"http", "az"} {
		shorter := true
		s := liar(t, text, true, func(a *told) {
			if shorter {
				a.body, shorter = a.body[:len(a.body)/2], false
			}
		})
		got, err := csvdata.Open(csvdata.Options{ReadOptions: data.ReadOptions{Stores: New()}}, urlOf(s, scheme)).Frame(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		tabletest.Same(t, got, want, 0)
	}
}

// A redirect may lead to another version.
func TestRedirects(t *testing.T) {
	s := newServer(t)
	files := map[string]string{"v1.csv": "x,y\n1,2\n", "v2.csv": "x,y\n7,8\n"}
	asked := 0
	s.instead = func(w http.ResponseWriter, r *http.Request, key string) bool {
		name := strings.TrimPrefix(key, "bkt/")
		if name == "t.csv" {
			if asked++; asked > 1 {
				name = "v2.csv"
			} else {
				name = "v1.csv"
			}
			http.Redirect(w, r, "/bkt/"+name, http.StatusFound)
			return true
		}
		w.Header().Set("ETag", `"`+name+`"`)
		r.Header.Del("If-Match") // a server that does not know it
		http.ServeContent(w, r, "", time.Time{}, strings.NewReader(files[name]))
		return true
	}
	_, err := csvdata.Open(csvdata.Options{ReadOptions: data.ReadOptions{Stores: New()}}, s.URL+"/bkt/t.csv").Frame(t.Context())
	if err == nil || !strings.HasSuffix(err.Error(), ": "+errChanged.Msg) {
		t.Errorf("got %v", err)
	}
}

func TestRangeOf(t *testing.T) {
	for _, c := range []struct {
		header string
		at     int64
		size   int64
		ok     bool
	}{
		{"bytes 0-9/100", 0, 100, true}, {"bytes 5-99/100", 5, 100, true}, {"bytes 5-99/*", 5, -1, true}, {"bytes 4-99/100", 5, 0, false},
		{"bytes 5-100/100", 5, 0, false}, {"bytes 5-4/100", 5, 0, false}, {"bytes */100", 0, 0, false}, {"", 0, 0, false},
		{"lines 0-9/100", 0, 0, false}, {"bytes 0-9", 0, 0, false}, {"bytes 0-9/x", 0, 0, false},
	} {
		if size, err := rangeOf(c.header, c.at); (err == nil) != c.ok || c.ok && size != c.size {
			t.Errorf("%q from %d: %d, %v", c.header, c.at, size, err)
		}
	}
}
