package serve

import (
	"crypto/rand"
	"log/slog"
	"net"
	"net/http"
	"strings"

	"github.com/coppice-ml/coppice/internal/outside"
)

// AccessLog returns a handler that writes a line for each request behind its answer: the address of
// the client, the id of the request, method, path, status, bytes and milliseconds; of one that
// predicts the model, its version and id, and the rows. No line has a value of a row, or a
// parameter of an address.
//
// The id is that of the header X-Request-Id, if it has at most 64 letters, digits, points, - and _,
// else a new one. The answer has it in the same header. Behind a proxy the client is the proxy.
func AccessLog(next http.Handler, log *slog.Logger) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begin, id := outside.Now(), r.Header.Get("X-Request-Id")
		if !plainID(id) {
			id = rand.Text()
		}
		w.Header().Set("X-Request-Id", id)
		c := &countedWriter{ResponseWriter: w, status: http.StatusOK}
		next.ServeHTTP(c, r)
		client, _, err := net.SplitHostPort(r.RemoteAddr)
		if err != nil {
			client = r.RemoteAddr // of a unix socket
		}
		all := []slog.Attr{slog.String("client", client), slog.String("id", id),
			slog.String("method", r.Method), slog.String("path", r.URL.Path),
			slog.Int("status", c.status), slog.Int64("bytes", c.bytes),
			slog.Float64("ms", float64(outside.Since(begin).Microseconds())/1e3)}
		if m := c.model; m != nil {
			all = append(all, slog.String("model", m.name), slog.String("version", m.version),
				slog.String("model_id", m.id), slog.Int("rows", c.rows))
		}
		log.LogAttrs(r.Context(), slog.LevelInfo, "request", all...)
	})
}

// plainID reports whether a log may have the id that a client gives a request.
func plainID(id string) bool {
	return id != "" && len(id) <= 64 && !strings.ContainsFunc(id, func(c rune) bool {
		return !strings.ContainsRune("0123456789"+
			"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-_", c)
	})
}

// countedWriter keeps the status and the number of bytes of an answer, and what was predicted.
type countedWriter struct {
	http.ResponseWriter
	status int
	bytes  int64
	model  *Model // nil: none
	rows   int
}

// WriteHeader keeps the status.
func (c *countedWriter) WriteHeader(status int) {
	c.status = status
	c.ResponseWriter.WriteHeader(status)
}

// Write counts bytes.
func (c *countedWriter) Write(b []byte) (int, error) {
	n, err := c.ResponseWriter.Write(b)
	c.bytes += int64(n)
	return n, err
}

// Unwrap lets http.ResponseController find what the server's own writer can do.
func (c *countedWriter) Unwrap() http.ResponseWriter { return c.ResponseWriter }
