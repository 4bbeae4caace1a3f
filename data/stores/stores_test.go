package stores

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/data/parquetdata"
	"github.com/coppice-ml/coppice/data/tabletest"
)

// server answers as S3, Azure and web servers do, as far as reading goes. Buckets are the first
// parts of its paths. tools/stores tests the same store with a complete server of S3.
type server struct {
	*httptest.Server
	files map[string][]byte // by bucket/key
	sent  atomic.Int64      // bytes of files
	asked atomic.Int64      // requests
	// called before a file is sent; true if it has answered itself
	instead func(w http.ResponseWriter, r *http.Request, key string) bool
	// the Authorization of the requests must begin so
	auth string
}

func newServer(t *testing.T) *server {
	s := &server{files: map[string][]byte{}}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	t.Setenv("AWS_ENDPOINT_URL", s.URL)
	t.Setenv("AWS_ACCESS_KEY_ID", "KEY")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret-word")
	t.Setenv("AWS_REGION", "us-east-1")
	t.Setenv("AWS_EC2_METADATA_DISABLED", "true")
	t.Setenv("STORAGE_EMULATOR_HOST", s.URL)
	t.Setenv("AZURE_STORAGE_CONNECTION_STRING", "DefaultEndpointsProtocol=http;AccountName=acc;"+
		"AccountKey=c2VjcmV0LXdvcmQ=;BlobEndpoint="+s.URL+";")
	return s
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.asked.Add(1)
	key := strings.TrimPrefix(r.URL.Path, "/")
	if !strings.HasPrefix(r.Header.Get("Authorization"), s.auth) {
		fault(w, r, http.StatusForbidden, "SignatureDoesNotMatch")
		return
	}
	bucket, name, _ := strings.Cut(key, "/")
	if bucket == "absent" {
		if r.URL.Query().Get("comp") == "list" {
			w.Header().Set("x-ms-error-code", "ContainerNotFound")
		}
		fault(w, r, http.StatusNotFound, "NoSuchBucket")
		return
	}
	if name == "" {
		s.list(w, r, bucket)
		return
	}
	if s.instead != nil && s.instead(w, r, key) {
		return
	}
	b, ok := s.files[key]
	if !ok {
		fault(w, r, http.StatusNotFound, "NoSuchKey")
		return
	}
	w.Header().Set("ETag", etag(b))
	if ranges := r.Header.Get("x-ms-range"); ranges != "" {
		r.Header.Set("Range", ranges)
	}
	http.ServeContent(&counted{w, &s.sent}, r, "", time.Unix(1e9, 0), bytes.NewReader(b))
}

// stamp is the time of all files.
var stamp = time.Unix(1e9, 0).UTC().Format(http.TimeFormat)

func etag(b []byte) string { return fmt.Sprintf(`"%x"`, len(b)) }

// counted counts the bytes that are sent.
type counted struct {
	http.ResponseWriter
	n *atomic.Int64
}

func (c *counted) Write(b []byte) (int, error) {
	c.n.Add(int64(len(b)))
	return c.ResponseWriter.Write(b)
}

// partial writes the head of an answer to a request for a range, if it is one.
func partial(w http.ResponseWriter, r *http.Request, from, size int) {
	if r.Header.Get("Range")+r.Header.Get("x-ms-range") != "" {
		w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, size-1, size))
		w.WriteHeader(http.StatusPartialContent)
	}
}

func fault(w http.ResponseWriter, r *http.Request, status int, code string) {
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		fmt.Fprintf(w, "<Error><Code>%s</Code><Message>about it</Message></Error>", code)
	}
}

func (s *server) list(w http.ResponseWriter, r *http.Request, bucket string) {
	var keys []string
	for key := range s.files {
		if name, ok := strings.CutPrefix(key, bucket+"/"); ok &&
			strings.HasPrefix(name, r.URL.Query().Get("prefix")) {
			keys = append(keys, name)
		}
	}
	slices.Sort(keys)
	azure := r.URL.Query().Get("comp") == "list"
	var b strings.Builder
	for _, key := range keys {
		content := s.files[bucket+"/"+key]
		if azure {
			fmt.Fprintf(&b, "<Blob><Name>%s</Name><Properties><Content-Length>%d</Content-Length>"+
				"<Etag>%s</Etag></Properties></Blob>", key, len(content), strings.Trim(etag(content), `"`))
			continue
		}
		fmt.Fprintf(&b, "<Contents><Key>%s</Key><Size>%d</Size><ETag>%s</ETag></Contents>", key,
			len(content), etag(content))
	}
	w.Header().Set("Content-Type", "application/xml")
	if azure {
		fmt.Fprintf(w, "<?xml version=\"1.0\"?><EnumerationResults><Blobs>%s</Blobs><NextMarker/>"+
			"</EnumerationResults>", b.String())
		return
	}
	fmt.Fprintf(w, "<ListBucketResult><IsTruncated>false</IsTruncated>%s</ListBucketResult>", b.String())
}

type row struct {
	X float64 `parquet:"x"`
	Y float64 `parquet:"y"`
	Z string  `parquet:"z"`
}

// parquetFile returns a file of three columns in several row groups.
func parquetFile(t *testing.T, from, rows int) []byte {
	t.Helper()
	var b bytes.Buffer
	w := parquet.NewGenericWriter[row](&b, parquet.MaxRowsPerRowGroup(int64(rows/3)))
	for i := range rows {
		v := float64(from + i)
		if _, err := w.Write([]row{{v, 1 / (v + 1), fmt.Sprintf("t%d", i%7)}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// All services give the same table as the file system.
func TestServices(t *testing.T) {
	s := newServer(t)
	dir := t.TempDir()
	for i, name := range []string{"k=1/a.parquet", "k=2/a.parquet", "k=2/b.parquet"} {
		b := parquetFile(t, 1000*i, 300)
		s.files["bucket/sales/"+name] = b
		tabletest.Write(t, filepath.Join(dir, "sales", filepath.FromSlash(name)), b)
	}
	s.files["bucket/sales/_SUCCESS"] = nil
	s.files["bucket/sales/k=1/"] = nil // as some tools mark folders
	want, err := parquetdata.Open(data.ReadOptions{}, filepath.Join(dir, "sales")).Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, scheme := range []string{"s3", "gs", "az"} {
		o := data.ReadOptions{Stores: New()}
		s.auth = ""
		if scheme == "s3" {
			s.auth = "AWS4-HMAC-SHA256 Credential=KEY/"
		}
		for _, path := range []string{"sales", "sales/", "sales/k=*/*.parquet", "sales/**/[ab].p*"} {
			got, err := parquetdata.Open(o, scheme+"://bucket/"+path).Frame(t.Context())
			if err != nil {
				t.Errorf("%s://%s: %v", scheme, path, err)
				continue
			}
			tabletest.Same(t, got, want, 0)
			if at := got.Locate(599); at != scheme+"://bucket/sales/k=2/a.parquet:300" {
				t.Errorf("row 599 is at %s", at)
			}
		}
	}
	s.auth = ""
	got, err := parquetdata.Open(data.ReadOptions{Stores: New()}, s.URL+"/bucket/sales/k=1/a.parquet?signature=secret-word", s.URL+"/bucket/sales/k=2/a.parquet", s.URL+"/bucket/sales/k=2/b.parquet").Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	tabletest.Same(t, got, want, 0)
	if at := got.Locate(0); at != s.URL+"/bucket/sales/k=1/a.parquet:1" {
		t.Errorf("row 0 is at %s", at)
	}
}

// Columns that are not needed are not fetched.
func TestOnlyNeededColumns(t *testing.T) {
	s := newServer(t)
	s.files["bkt/a.parquet"] = parquetFile(t, 0, 60000)
	o := data.ReadOptions{Stores: New(), Ignore: []string{"y"}}
	read := func(o data.ReadOptions) int64 {
		s.sent.Store(0)
		s.asked.Store(0)
		if _, err := parquetdata.Open(o, "s3://bkt/a.parquet").Frame(t.Context()); err != nil {
			t.Fatal(err)
		}
		return s.sent.Load()
	}
	size := int64(len(s.files["bkt/a.parquet"]))
	most := size * 15 / 22 // y has 8 of the 22 bytes of a row; the end of the file is read once
	if n := read(o); n > most {
		t.Errorf("%d of %d bytes were fetched without y, want at most %d", n, size, most)
	}
	// a request for each of two columns of three row groups, and a few for the footer
	if n := s.asked.Load(); n > 6+4 {
		t.Errorf("%d requests", n)
	}
	if n := read(data.ReadOptions{Stores: o.Stores}); n < size-size/20 {
		t.Errorf("%d of %d bytes were fetched of all columns", n, size)
	}
	schema := data.Schema{Fields: []data.Field{{Name: "x"}}}
	if n := read(data.ReadOptions{Stores: o.Stores, Schema: &schema}); n > most {
		t.Errorf("%d of %d bytes were fetched for a model of x", n, size)
	}
}

// A text is read on where its connection broke; a file that changes is an error.
func TestBrokenConnections(t *testing.T) {
	s := newServer(t)
	text := "x,y\n" + strings.Repeat("1,2\n3,4\n", 1<<17)
	s.files["bkt/a.csv"] = []byte(text)
	want, err := csvdata.Open(csvdata.Options{ReadOptions: data.ReadOptions{Bytes: map[string][]byte{"a.csv": []byte(text)}}}, "a.csv").Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	broken := 0
	s.instead = func(w http.ResponseWriter, r *http.Request, key string) bool {
		if r.Method == http.MethodHead || broken == 2 {
			return false
		}
		broken++
		var from int
		fmt.Sscanf(r.Header.Get("Range")+r.Header.Get("x-ms-range"), "bytes=%d-", &from)
		w.Header().Set("Content-Length", fmt.Sprint(len(text)-from))
		w.Header().Set("ETag", etag([]byte(text)))
		w.Header().Set("Last-Modified", stamp)
		partial(w, r, from, len(text))
		io.WriteString(w, text[from:from+len(text)/5])
		panic(http.ErrAbortHandler)
	}
	for _, url := range []string{"s3://bkt/a.csv", "az://bkt/a.csv"} {
		broken = 0
		got, err := csvdata.Open(csvdata.Options{ReadOptions: data.ReadOptions{Stores: New()}}, url).Frame(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if broken != 2 {
			t.Errorf("%s: the connection broke %d times", url, broken)
		}
		tabletest.Same(t, got, want, 0)
	}
	s.instead = func(w http.ResponseWriter, r *http.Request, key string) bool {
		if r.Method != http.MethodHead && r.URL.Query().Get("list-type") == "" {
			s.files[key] = []byte("x,y\n5,6\n")
		}
		return false
	}
	for _, url := range []string{"s3://bkt/a.csv", "gs://bkt/a.csv", "az://bkt/a.csv"} {
		s.files["bkt/a.csv"] = []byte(text)
		_, err := csvdata.Open(csvdata.Options{ReadOptions: data.ReadOptions{Stores: New()}}, url).Frame(t.Context())
		if err == nil || err.Error() != url+": the file changed while it was read" {
			t.Errorf("%s: %v", url, err)
		}
	}
}

// A web server may not know sizes or ranges: the file is held in memory then.
func TestPlainWebServer(t *testing.T) {
	text := "x,y\n1,2\n3,4\n"
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "flushed.csv") {
			w.(http.Flusher).Flush() // without a length
		}
		io.WriteString(w, text)
	}))
	defer web.Close()
	for _, name := range []string{"plain.csv", "flushed.csv"} {
		f, err := csvdata.Open(csvdata.Options{ReadOptions: data.ReadOptions{Stores: New()}}, web.URL+"/"+name).Frame(t.Context())
		if err != nil || f.Rows() != 2 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Everything that can go wrong is one line, without what gives access.
func TestFaults(t *testing.T) {
	s := newServer(t)
	s.files["bkt/a.csv"] = []byte("x,y\n1,2\n")
	s.instead = func(w http.ResponseWriter, r *http.Request, key string) bool {
		switch {
		case strings.HasSuffix(key, "denied.csv"):
			fault(w, r, http.StatusForbidden, "AccessDenied")
		case strings.HasSuffix(key, "busy.csv"):
			fault(w, r, http.StatusServiceUnavailable, "SlowDown")
		case strings.HasSuffix(key, "cut.csv"):
			var from int
			fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &from)
			w.Header().Set("Content-Length", fmt.Sprint(100-from))
			w.Header().Set("ETag", `"x"`)
			w.Header().Set("Last-Modified", stamp)
			partial(w, r, from, 100)
			if r.Method != http.MethodHead {
				io.WriteString(w, "x,y\n")
				w.(http.Flusher).Flush()
				panic(http.ErrAbortHandler)
			}
		default:
			return false
		}
		return true
	}
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nowhere := "http://" + closed.Addr().String()
	closed.Close()
	refused := ": the store cannot be reached: dial tcp " + closed.Addr().String() +
		": connect: connection refused (tried 4 times)"
	aws := "check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE"
	up := New()
	for _, scheme := range []string{"s3", "gs", "az"} { // connect before the environment changes
		if _, err := up[scheme].List(t.Context(), scheme+"://bkt/"); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("AWS_ENDPOINT_URL", nowhere)
	t.Setenv("AZURE_STORAGE_CONNECTION_STRING", "")
	t.Setenv("AZURE_STORAGE_ACCOUNT", "")
	down := New()
	down["s3"].Stat(t.Context(), "s3://bkt/a") // connect
	for _, c := range []struct {
		stores    map[string]data.Store
		url, want string
		reason    error
	}{
		{up, "s3://bkt/none.csv", "s3://bkt/none.csv: there is no such file, nor a folder with tables", fs.ErrNotExist},
		{up, "s3://bkt/*.parquet", "s3://bkt/*.parquet: no file matches the pattern", fs.ErrNotExist},
		{up, "s3://absent/a.csv", `s3://absent/a.csv: there is no bucket "absent"`, fs.ErrNotExist},
		{up, "az://absent/*.csv", `az://absent/*.csv: there is no container "absent"`, fs.ErrNotExist},
		{up, "s3://", "s3://: want s3://BUCKET/KEY", data.ErrOption},
		{up, "s3://bkt/denied.csv", "s3://bkt/denied.csv: access is denied (403 AccessDenied Access Denied.): " + aws, fs.ErrPermission},
		{up, "s3://bkt/busy.csv", "s3://bkt/busy.csv: the store answers 503 ", nil},
		{up, "s3://bkt/cut.csv", "s3://bkt/cut.csv: the connection was closed after 16 of 100 bytes (tried 4 times)", nil},
		{up, s.URL + "/bkt/cut.csv?sig=secret-word", s.URL + "/bkt/cut.csv: ", nil},
		{up, s.URL + "/bkt/none.csv?sig=secret-word", s.URL + "/bkt/none.csv: no such file", fs.ErrNotExist},
		{up, "http://user:secret-word@" + closed.Addr().String() + "/a.csv", nowhere + "/a.csv" + refused, nil},
		{up, "ftp://b/a.csv", "ftp://b/a.csv: files of ftp:// cannot be read", data.ErrOption},
		{down, "s3://bkt/a.csv", "s3://bkt/a.csv" + refused, nil},
		{down, "az://bkt/a.csv", "az://bkt/a.csv: the account is unknown: set AZURE_STORAGE_ACCOUNT or AZURE_STORAGE_CONNECTION_STRING", data.ErrOption},
	} {
		t.Run(c.url, func(t *testing.T) {
			t.Parallel() // most wait between their attempts
			_, err := csvdata.Open(csvdata.Options{ReadOptions: data.ReadOptions{Stores: c.stores}}, c.url).Frame(t.Context())
			if err == nil || !strings.HasPrefix(err.Error(), c.want) ||
				c.reason != nil && !errors.Is(err, c.reason) {
				t.Fatalf("got %v\nwant %s", err, c.want)
			}
			tabletest.CheckError(t, err)
			if strings.Contains(err.Error(), "secret") {
				t.Errorf("%v holds a secret", err)
			}
		})
	}
}

// A reading that is cancelled ends at once.
func TestCancelled(t *testing.T) {
	s := newServer(t)
	ctx, cancel := context.WithCancel(t.Context())
	s.instead = func(w http.ResponseWriter, r *http.Request, key string) bool {
		cancel()
		<-r.Context().Done()
		return true
	}
	_, err := csvdata.Open(csvdata.Options{ReadOptions: data.ReadOptions{Stores: New()}}, "s3://bkt/a.csv").Frame(ctx)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
