package serve

import (
	"log/slog"
	"net/http"

	"github.com/coppice-ml/coppice/internal/outside"
)

// AccessLog returns a handler that writes a line for each request behind its answer: method, path,
// status, bytes and milliseconds. No line has a value of a row, a parameter of an address, or the
// address of a client.
func AccessLog(next http.Handler, log *slog.Logger) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begin := outside.Now()
		c := &countedWriter{ResponseWriter: w, status: http.StatusOK}
		next.ServeHTTP(c, r)
		log.LogAttrs(r.Context(), slog.LevelInfo, "request", slog.String("method", r.Method),
			slog.String("path", r.URL.Path), slog.Int("status", c.status),
			slog.Int64("bytes", c.bytes),
			slog.Float64("ms", float64(outside.Since(begin).Microseconds())/1e3))
	})
}

// countedWriter keeps the status and the number of bytes of an answer.
type countedWriter struct {
	http.ResponseWriter
	status int
	bytes  int64
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
