package site

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/playground"
)

// The limits of a server: what a request may take, and how many are computed at a time.
const (
	mostTime   = 20 * time.Second
	mostAtOnce = 4
)

// Listen opens the address of a server, HOST:PORT. Without a host it is that of this machine alone,
// 127.0.0.1; port 0 is any free one. Addresses that are none are errors.
func Listen(address string) (net.Listener, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("%q is no address: give HOST:PORT or :PORT, such as :8080", address)
	}
	if host == "" {
		host = "127.0.0.1"
	}
	l, err := net.Listen("tcp", net.JoinHostPort(host, port))
	if err != nil {
		var op *net.OpError
		if errors.As(err, &op) {
			err = op.Err
		}
		return nil, fmt.Errorf("cannot listen on %s: %w", net.JoinHostPort(host, port), err)
	}
	return l, nil
}

// Serve answers the page and its requests until the context ends, and then returns nil. named is
// the address that was given to Listen: its host is accepted in requests, as are addresses in
// numbers and localhost. Other names are refused, so that no foreign page reaches the server by a
// name of its own (DNS rebinding).
func Serve(ctx context.Context, l net.Listener, named string) error {
	handler, err := newHandler(named)
	if err != nil {
		return err
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout: 15 * time.Second, WriteTimeout: mostTime + 15*time.Second,
		IdleTimeout: time.Minute, MaxHeaderBytes: 1 << 14,
		BaseContext: func(net.Listener) context.Context { return ctx }}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	// the context is the one that has ended; requests under way end with it
	patience, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	if server.Shutdown(patience) != nil {
		return server.Close()
	}
	return nil
}

// handler answers requests of the page.
type handler struct {
	playground *playground.Handler
	files      map[string][]byte
	host       string        // that is accepted by name
	slots      chan struct{} // one for each request that is computed
}

// newHandler makes the handler of a server. Browsers mark requests that other pages make, and these
// are refused; so are requests that are no JSON, which forms of other pages can make without a
// mark.
func newHandler(named string) (http.Handler, error) {
	all, err := files("server")
	if err != nil {
		return nil, err
	}
	host, _, err := net.SplitHostPort(named)
	if err != nil {
		return nil, err
	}
	h := &handler{playground.New(), all, host, make(chan struct{}, mostAtOnce)}
	cross := http.NewCrossOriginProtection()
	cross.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fail(w, http.StatusForbidden, errors.New("requests of other pages are refused"))
	}))
	return cross.Handler(h), nil
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	head := w.Header()
	head.Set("X-Content-Type-Options", "nosniff")
	head.Set("Cross-Origin-Resource-Policy", "same-origin")
	head.Set("Content-Security-Policy", "frame-ancestors 'self'")
	head.Set("Referrer-Policy", "no-referrer")
	head.Set("Cache-Control", "no-cache")
	scene, api := strings.CutPrefix(r.URL.Path, "/api/")
	switch {
	case !h.accepts(r.Host):
		fail(w, http.StatusMisdirectedRequest, fmt.Errorf("the name %q is not that of this "+
			"server: give it with --serve, or use the address in numbers", r.Host))
	case api && r.Method != http.MethodPost:
		head.Set("Allow", http.MethodPost)
		fail(w, http.StatusMethodNotAllowed, errors.New("scenes are requested by POST"))
	case api:
		h.answer(w, r, scene)
	default:
		h.file(w, r)
	}
}

// accepts reports whether the host of a request is this server by a name that only its user gives.
func (h *handler) accepts(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	return strings.EqualFold(host, "localhost") || net.ParseIP(host) != nil ||
		h.host != "" && strings.EqualFold(host, h.host)
}

// file writes a file of the page.
func (h *handler) file(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		fail(w, http.StatusMethodNotAllowed, errors.New("files are requested by GET"))
		return
	}
	name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
	if name == "" {
		name = "index.html"
	}
	content, ok := h.files[name]
	if !ok {
		fail(w, http.StatusNotFound, errors.New("there is no such file"))
		return
	}
	w.Header().Set("Content-Type", typeOf(name))
	_, _ = w.Write(content) // a browser that has gone away needs no answer
}

// typeOf returns the type of a file, whatever the machine's own table has.
func typeOf(name string) string {
	switch path.Ext(name) {
	case ".html":
		return "text/html; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	}
	return "application/octet-stream"
}

// answer computes a scene.
func (h *handler) answer(w http.ResponseWriter, r *http.Request, scene string) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil ||
		kind != "application/json" {
		fail(w, http.StatusUnsupportedMediaType, errors.New("a request is application/json"))
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, playground.MaxBody))
	if err != nil {
		status := http.StatusBadRequest
		if large := (*http.MaxBytesError)(nil); errors.As(err, &large) {
			status = http.StatusRequestEntityTooLarge
		}
		fail(w, status, fmt.Errorf("the request was not read, of at most %d bytes: %w",
			playground.MaxBody, err))
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), mostTime)
	defer cancel()
	select {
	case h.slots <- struct{}{}:
		defer func() { <-h.slots }()
	case <-ctx.Done():
		fail(w, http.StatusServiceUnavailable, errors.New("too many requests at a time"))
		return
	}
	answer, err := h.playground.Answer(ctx, scene, body)
	if err != nil {
		status := http.StatusInternalServerError
		if bad := (*playground.RequestError)(nil); errors.As(err, &bad) {
			status = http.StatusBadRequest
		}
		fail(w, status, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(answer) // as in file
}

// fail writes an error as JSON.
func fail(w http.ResponseWriter, status int, err error) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(playground.Failure(err)) // as in file
}
