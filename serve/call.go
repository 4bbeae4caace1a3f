package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/coppice-ml/coppice/internal/outside"
)

// call is a request that predicts: its body, the writer of its answer, and what is observed of it.
// It is one piece, and takes no context of its own: most requests are of one row, of which each
// piece of memory takes its part.
type call struct {
	countedWriter
	server *handler
	body   io.ReadCloser // of the request
	left   int64         // bytes that the body may still have
	held   int64         // bytes that count among those of all requests
	busy   bool          // it has a place among the requests that are predicted
	timer  *outside.Timer
	late   atomic.Bool // the time for the request is over
	*buffer
	observed Observation
	score    [1]float64
}

// limited answers by f, within the limits of bytes and time, in one of some types, and reports the
// request to Options.Observe behind its answer.
func (h *handler) limited(
	dialect errorWriter, f func(*call, *http.Request) error, types ...string,
) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		begin := outside.Now()
		c := &call{countedWriter: countedWriter{ResponseWriter: w, status: http.StatusOK},
			server: h, body: r.Body, left: h.MaxBody}
		c.observed.each, c.observed.Scores = h.EachRow, c.score[:0]
		c.buffer, _ = buffers.Get().(*buffer)
		defer c.end(begin)
		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		// one timer ends the wait for the body and the work: deadlines of connections take as long
		// as a tenth of a small request
		c.timer = outside.AfterFunc(h.Timeout, func() {
			c.late.Store(true)
			_ = http.NewResponseController(w).SetReadDeadline(outside.Deadline(0))
			cancel()
		})
		defer c.timer.Stop()
		_, err := form(r, types...)
		coding := r.Header.Get("Content-Encoding")
		switch {
		case err != nil:
		case coding == "" || strings.EqualFold(coding, "identity"):
			err = f(c, r.WithContext(ctx))
		default:
			err = newProblem(http.StatusUnsupportedMediaType, kindMedia, fmt.Sprintf(
				"Content-Encoding %s is not read here: send the body as it is", coding))
		}
		switch {
		case err == nil:
		case errors.Is(err, context.Canceled) && c.late.Load():
			dialect(c, newProblem(http.StatusServiceUnavailable, kindTime,
				fmt.Sprintf("the request took longer than %v", h.Timeout)))
		case errors.Is(err, context.Canceled):
			c.WriteHeader(statusGone)
		default:
			p := problemOf(err)
			if p.Status == http.StatusTooManyRequests {
				c.Header().Set("Retry-After", "1")
			}
			dialect(c, p)
		}
	}
}

// statusGone is the status of a request whose client has gone, in logs and metrics: many servers
// have it, and nobody gets it.
const statusGone = 499

// end gives all that the request held to others.
func (c *call) end(begin time.Time) {
	c.leave()
	c.server.held.Add(-c.held)
	c.buffer.free()
	if logged, is := c.ResponseWriter.(*countedWriter); is {
		logged.model, logged.rows = c.observed.Model, c.observed.Rows
	}
	if c.server.Observe != nil {
		c.observed.Status, c.observed.Time = c.status, outside.Since(begin)
		c.server.Observe(&c.observed)
	}
}

// receive reads the body into the buffer, and takes a place among the requests that are predicted:
// so a client that sends slowly holds none.
func (c *call) receive() error {
	if _, err := c.buffer.body.ReadFrom(c); err != nil {
		return err
	}
	select {
	case c.server.busy <- struct{}{}:
		c.busy = true
		return nil
	default:
		return tooMany(c.server.Concurrent, "requests")
	}
}

// enter waits for a place. Those before leave it after the time for a request at the latest.
func (c *call) enter() {
	c.server.busy <- struct{}{}
	c.busy = true
}

// waits gives a client of a stream the time for a request until it sends what is read next, and
// until it has taken what is written next. It does nothing where the server's writer cannot.
func (c *call) waits() {
	c.timer.Stop()
	control, until := http.NewResponseController(c.ResponseWriter), outside.Deadline(c.server.Timeout)
	_, _ = control.SetReadDeadline(until), control.SetWriteDeadline(until)
}

// buffered is how many bytes of an answer the server takes without a client.
const buffered = 2048

// leave gives the place to another request.
func (c *call) leave() {
	if c.busy {
		c.busy = false
		<-c.server.busy
	}
}

// WriteHeader leaves the place: a client that has an answer may send the next request.
func (c *call) WriteHeader(status int) {
	c.leave()
	c.countedWriter.WriteHeader(status)
}

// Write writes a part of the answer, which the client has to take in the time for a request.
func (c *call) Write(b []byte) (int, error) {
	c.leave()
	if c.bytes+int64(len(b)) > buffered {
		_ = http.NewResponseController(c.ResponseWriter).SetWriteDeadline(
			outside.Deadline(c.server.Timeout))
	}
	return c.countedWriter.Write(b)
}

// Read reads what the limits leave of the body.
func (c *call) Read(p []byte) (int, error) {
	most := c.server.MaxBody
	if c.left <= 0 {
		var one [1]byte
		if n, err := c.body.Read(one[:]); n == 0 {
			return 0, err
		}
		return 0, &http.MaxBytesError{Limit: most}
	}
	n, err := c.body.Read(p[:min(int64(len(p)), c.left)])
	c.left -= int64(n)
	var late interface{ Timeout() bool }
	switch {
	case err == nil:
		err = c.hold(most - c.left)
	case errors.Is(err, io.EOF):
	case errors.As(err, &late) && late.Timeout():
		err = newProblem(http.StatusRequestTimeout, kindTime,
			fmt.Sprintf("the body did not come within %v", c.server.Timeout))
	default: // chunks that are none, or an end before the length
		err = syntaxf("the body cannot be read: %v", err)
	}
	return n, err
}

// freeBytes of a request count for nothing, so that large ones never keep small ones out.
const freeBytes = 1 << 16

// hold says how many bytes of body and answer the request has in memory. Those of all requests are
// limited, since a body that comes and an answer that goes need no place among the busy ones.
func (c *call) hold(n int64) error {
	if n <= freeBytes {
		n = 0
	}
	all := c.server.held.Add(n - c.held)
	grows := n > c.held
	c.held = n
	switch most := c.server.mostHeld; {
	case all <= most || !grows:
		return nil
	case n > most:
		return newProblem(http.StatusRequestEntityTooLarge, kindSize, fmt.Sprintf("the answer is "+
			"larger than %d bytes: send fewer rows, or JSON lines to the row API", most))
	}
	return newProblem(http.StatusTooManyRequests, kindBusy,
		"the bodies and answers of other requests fill the memory for them: try again")
}

// tooMany refuses a request beyond a limit.
func tooMany(most int, what string) error {
	return newProblem(http.StatusTooManyRequests, kindBusy,
		fmt.Sprintf("%d %s are being answered: try again", most, what))
}
