package stores

import (
	"context"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/coppice-ml/coppice/internal/outside"
)

// newTransport returns a transport whose connections are bounded in time. Readers bound the rest.
func newTransport() http.RoundTripper {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.DialContext = (&net.Dialer{Timeout: 10 * time.Second}).DialContext
	t.TLSHandshakeTimeout = 10 * time.Second
	t.MaxIdleConnsPerHost = 16
	t.DisableCompression = true // sizes and ranges are those of what is stored
	return transport{t}
}

// transport sends requests as calls outside.
type transport struct{ *http.Transport }

// RoundTrip implements http.RoundTripper.
func (t transport) RoundTrip(q *http.Request) (*http.Response, error) {
	name := q.URL.Host + q.URL.Path
	fault := outside.Ask(outside.Call{Kind: outside.Request, Name: name})
	if fault.Stall {
		<-q.Context().Done()
		return nil, q.Context().Err()
	}
	if fault.Err != nil && !fault.Done {
		return nil, fault.Err
	}
	r, err := t.Transport.RoundTrip(q)
	if err != nil {
		return nil, err
	}
	if fault.Err != nil {
		r.Body.Close()
		return nil, fault.Err
	}
	r.Body = &answered{r.Body, name, q.Context()}
	return r, nil
}

// answered is the body of an answer.
type answered struct {
	io.ReadCloser
	name string
	ctx  context.Context
}

// Read implements io.Reader.
func (b *answered) Read(to []byte) (int, error) {
	return outside.Move(b.ctx, outside.Receive, b.name, to, b.ReadCloser.Read)
}
