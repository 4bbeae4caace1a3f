package serve

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/outside"
	"github.com/coppice-ml/coppice/serve"
)

// serve answers requests until the context ends.
func (o *command) serve(ctx context.Context, set *serve.Models) error {
	var ending atomic.Bool
	o.options.Ready = func() bool { return !ending.Load() }
	handler := serve.Handler(set, o.options)
	if o.accessLog {
		handler = serve.AccessLog(handler, slog.New(slog.NewJSONHandler(o.Err, nil)))
	}
	l, err := net.Listen("tcp", o.listen)
	if err != nil {
		var op *net.OpError
		if errors.As(err, &op) {
			err = op.Err
		}
		return cli.Misusef("--listen %s: %w", o.listen, err)
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 1 << 16,
		ErrorLog:    slog.NewLogLogger(slog.NewJSONHandler(o.Err, nil), slog.LevelWarn),
		BaseContext: func(net.Listener) context.Context { return context.WithoutCancel(ctx) }}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	for _, m := range set.All() {
		o.Note("serving %s, version %s, at http://%s/v1/models/%s/predict", humanize.Name(m.Name()),
			m.Version(), l.Addr(), m.Name())
	}
	o.watch(ctx, set, ended)
	ending.Store(true)
	if ctx.Err() == nil { // the listener has failed
		return <-ended
	}
	patience, cancel := outside.WithTimeout(context.WithoutCancel(ctx), o.drain,
		context.DeadlineExceeded)
	defer cancel()
	if server.Shutdown(patience) != nil {
		_ = server.Close()
		return cli.Misusef("requests were under way after %v: they were cut off", o.drain)
	}
	o.Note("the server has ended")
	return nil
}

// watch loads changed files until the context or the server ends.
func (o *command) watch(ctx context.Context, set *serve.Models, ended chan error) {
	before := "" // the error that was printed last
	for {
		var next <-chan time.Time
		if o.poll > 0 {
			next = outside.After(o.poll)
		}
		select {
		case <-ctx.Done():
			return
		case err := <-ended:
			ended <- err
			return
		case <-next:
		}
		events, err := o.source.Refresh(ctx, set)
		text := ""
		if err != nil && ctx.Err() == nil {
			if text = err.Error(); text != before {
				o.Warn("%s: the models before go on", text)
			}
		}
		before = text
		for _, e := range events {
			switch {
			case e.Err != nil && e.Model != nil:
				o.Warn("%s does not serve: %v: the model before goes on", humanize.Name(e.Path), e.Err)
			case e.Err != nil:
				o.Warn("%s does not serve: %v", humanize.Name(e.Path), e.Err)
			case e.Model != nil:
				o.Note("serving %s, version %s, from %s", humanize.Name(e.Model.Name()),
					e.Model.Version(), humanize.Name(e.Path))
			}
		}
	}
}
