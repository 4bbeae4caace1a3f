package serve

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/outside"
	"github.com/coppice-ml/coppice/memory"
	"github.com/coppice-ml/coppice/serve"
	"github.com/coppice-ml/coppice/serve/prometheus"
)

// servers are the listeners of a command, which end together.
type servers struct {
	all   []*http.Server
	at    []net.Listener
	ended chan error   // of each
	open  atomic.Int64 // connections
}

// serve answers requests until the context ends.
func (o *command) serve(ctx context.Context, set *serve.Models) error {
	var ending atomic.Bool
	log, err := o.log.open(o, set)
	if err != nil {
		return err
	}
	defer o.closeLog(log)
	metrics := prometheus.New(set)
	o.options.EachRow = metrics.EachRow
	if log != nil {
		metrics.Log(log)
		o.options.EachRow = func(r *serve.PredictedRow) {
			metrics.EachRow(r)
			log.Add(r)
		}
	}
	o.options.Ready = func() bool { return !ending.Load() }
	o.options.Observe = metrics.Observe
	handler := serve.Handler(set, o.options)
	handler = metrics.InFlight(o.logged(closing(handler, &ending)))
	secure, err := o.secrets.config()
	if err != nil {
		return err
	}
	given, err := sockets()
	if err != nil {
		return err
	}
	l, err := listen(given, "listen", o.listen)
	if err != nil {
		return err
	}
	scheme := "http"
	if secure != nil {
		l, scheme = tls.NewListener(l, secure), "https"
	}
	local := loopback(l.Addr())
	if !local && secure == nil && o.options.Tokens == nil {
		o.say(func() {
			o.Warn("other machines reach the server at %s without TLS and tokens: a proxy has to guard it",
				l.Addr())
		})
	}
	if o.admin == "" && given["admin"] == nil && local {
		handler = withMetrics(handler, o.secrets.accepted.Guard(metrics.Handler()))
	}
	handler, page := o.guarded(handler, l.Addr())
	s := &servers{ended: make(chan error, 2)}
	s.begin(ctx, o, l, handler)
	if o.admin != "" || given["admin"] != nil {
		a, err := listen(given, "admin", o.admin)
		if err != nil {
			_ = l.Close()
			return err
		}
		operate := &admin{o, set, metrics.Handler(), handler}
		s.begin(ctx, o, a, o.logged(operate.handler(loopback(a.Addr()))))
		o.say(func() { o.Note("metrics, reload and rollback are at %s", shown("http", a.Addr())) })
	}
	for _, m := range set.All() {
		o.say(func() {
			o.Note("serving %s, version %s, at %s/v1/models/%s/predict",
				humanize.Name(m.Name()), m.Version(), shown(scheme, l.Addr()), m.Name())
		})
	}
	if page {
		o.say(func() { o.Note("a page to try rows and tables is at %s/", shown(scheme, l.Addr())) })
	}
	if limit := memory.LimitCollector(); limit > 0 {
		o.say(func() {
			o.Note("garbage is collected before %s of memory are taken (GOMEMLIMIT sets it)",
				memory.Text(limit))
		})
	}
	notify("READY=1")
	err = o.watch(ctx, set, s.ended)
	ending.Store(true)
	notify("STOPPING=1")
	if err == nil {
		s.linger()
	}
	return errors.Join(err, o.end(ctx, s))
}

// closing ends the connection of each request that comes while the server ends, so that its client
// sends the next one elsewhere.
func closing(h http.Handler, ending *atomic.Bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if ending.Load() {
			w.Header().Set("Connection", "close")
		}
		h.ServeHTTP(w, r)
	})
}

// podPause is how long a server in a pod of Kubernetes still answers at its end, with /readyz
// failing: requests come until all nodes have heard that the pod ends. Elsewhere idlePause lets
// clients that keep their connections send one more request, whose answer ends its connection. A
// request that meets the end of an idle one is lost.
const (
	podPause  = 2 * time.Second
	idlePause = 500 * time.Millisecond
)

// linger goes on as long as clients may not know that the server ends. It takes no connection that
// would find no time for its request, since net/http drops those that it reads in Shutdown: they
// are refused, or wait for the next process at a socket that systemd holds.
func (s *servers) linger() {
	if os.Getenv("KUBERNETES_SERVICE_HOST") != "" {
		<-outside.After(podPause)
	}
	for _, l := range s.at {
		_ = l.Close()
	}
	for range s.all {
		<-s.ended
	}
	for end := outside.After(idlePause); s.open.Load() > 0; {
		select {
		case <-end:
			return
		case <-outside.After(10 * time.Millisecond):
		}
	}
}

// listen opens the address of a flag, unless the socket is given.
func listen(given map[string]net.Listener, flag, address string) (net.Listener, error) {
	if l := given[flag]; l != nil {
		return l, nil
	}
	path, local := strings.CutPrefix(address, unixPrefix)
	l, err := net.Listener(nil), error(nil)
	if local {
		l, err = listenUnix(path)
	} else {
		l, err = net.Listen("tcp", address)
	}
	if err != nil {
		var op *net.OpError
		if errors.As(err, &op) {
			err = op.Err
		}
		return nil, cli.Misusef("--%s %s: %w", flag, address, err)
	}
	if q, is := l.(queue); is {
		l = &draining{queue: q}
	}
	return l, nil
}

// queue is a listener whose connections wait in the kernel.
type queue interface {
	net.Listener
	SetDeadline(time.Time) error
}

// draining is a queue that ends with this process: the kernel resets what waits in it when it is
// closed. The first Close lets Accept take all that wait, until none comes for queuePause, and for
// idlePause at most. Accept then closes the queue, as a second Close does.
type draining struct {
	queue
	ending atomic.Bool
}

// queuePause is how long nothing comes into a queue that is empty.
const queuePause = time.Millisecond

// Close lets Accept end the queue.
func (l *draining) Close() error {
	if l.ending.Swap(true) {
		return l.queue.Close()
	}
	outside.AfterFunc(idlePause, func() { _ = l.queue.Close() })
	return l.SetDeadline(outside.Deadline(queuePause)) // wakes Accept
}

// Accept takes the next connection. net.ErrClosed is the end of the queue.
func (l *draining) Accept() (net.Conn, error) {
	for empty := 1; ; {
		ending := l.ending.Load()
		if ending {
			_ = l.SetDeadline(outside.Deadline(queuePause)) // of a closed queue, which Accept finds
		}
		c, err := l.queue.Accept()
		switch {
		case err == nil || !ending && !l.ending.Load():
			return c, err
		case ending && errors.Is(err, os.ErrDeadlineExceeded) && empty < 2:
			empty++
		case ending:
			_ = l.queue.Close()
			return nil, net.ErrClosed
		}
	}
}

// shown is the address of a listener as people write it: that of all machines is localhost here.
func shown(scheme string, a net.Addr) string {
	if a.Network() == "unix" {
		return unixPrefix + humanize.Name(a.String()) + " " + scheme + "://localhost"
	}
	if tcp, is := a.(*net.TCPAddr); is && tcp.IP.IsUnspecified() {
		return fmt.Sprintf("%s://localhost:%d", scheme, tcp.Port)
	}
	return scheme + "://" + a.String()
}

// loopback reports whether this machine alone reaches an address.
func loopback(a net.Addr) bool {
	if a.Network() == "unix" {
		return true
	}
	tcp, is := a.(*net.TCPAddr)
	return is && tcp.IP.IsLoopback()
}

// withMetrics adds the metrics to the addresses of a handler.
func withMetrics(h, metrics http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", h)
	mux.Handle("GET /metrics", programs(metrics, true))
	return mux
}

// begin answers requests at a listener. They go on when the context has ended.
func (s *servers) begin(ctx context.Context, o *command, l net.Listener, h http.Handler) {
	server := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 1 << 16,
		ErrorLog:    slog.NewLogLogger(slog.NewJSONHandler(o.Err, nil), slog.LevelWarn),
		BaseContext: func(net.Listener) context.Context { return context.WithoutCancel(ctx) },
		ConnState: func(_ net.Conn, state http.ConnState) {
			switch state {
			case http.StateNew:
				s.open.Add(1)
			case http.StateClosed, http.StateHijacked:
				s.open.Add(-1)
			}
		}}
	s.all, s.at = append(s.all, server), append(s.at, l)
	go func() { s.ended <- server.Serve(l) }()
}

// end waits for the requests under way, and cuts off those that take longer.
func (o *command) end(ctx context.Context, s *servers) error {
	patience, cancel := outside.WithTimeout(context.WithoutCancel(ctx), o.drain,
		context.DeadlineExceeded)
	defer cancel()
	for _, server := range s.all {
		if server.Shutdown(patience) != nil {
			for _, server := range s.all {
				_ = server.Close()
			}
			return cli.Misusef("requests were under way after %v: they were cut off (--drain)", o.drain)
		}
	}
	o.say(func() { o.Note("the server has ended") })
	return nil
}

// watch loads changed files every --poll and on SIGHUP, until the context ends, or a listener,
// whose error it returns.
func (o *command) watch(ctx context.Context, set *serve.Models, ended <-chan error) error {
	before, secret := "", "" // the errors that were printed last, of addresses and of secrets
	hangup := make(chan os.Signal, 1)
	signal.Notify(hangup, syscall.SIGHUP)
	defer signal.Stop(hangup)
	for {
		var next <-chan time.Time
		if o.poll > 0 {
			next = outside.After(o.poll)
		}
		requested := false
		select {
		case <-ctx.Done():
			return nil
		case err := <-ended:
			return err
		case <-hangup:
			requested = true
			notify("RELOADING=1")
		case <-next:
		}
		missed := o.remotes.refresh(ctx)
		events, _ := o.source.Refresh(ctx, set) // whose error is that of the context
		before = o.once(missed, before, "the models before go on")
		o.report(events)
		certified, err := o.secrets.refresh()
		listed, wrong := o.secrets.readTokens()
		secret = o.once(errors.Join(err, wrong), secret, "those before go on")
		for name, changed := range map[string]bool{o.secrets.cert: certified, o.secrets.tokens: listed} {
			if changed {
				o.say(func() { o.Note("%s has changed, and is read again", name) })
			}
		}
		if requested {
			notify("READY=1")
		}
	}
}

// once warns of an error unless it was the last one, and returns its text.
func (o *command) once(err error, last, what string) string {
	if err == nil {
		return ""
	}
	text := cli.OneLine(err.Error())
	if text != last {
		o.say(func() { o.Warn("%s: %s", text, what) })
	}
	return text
}

// failure says which file does not serve, and why.
func (o *command) failure(e *serve.Event) error {
	path := humanize.Name(o.remotes.shown(e.Path))
	if strings.Contains(e.Err.Error(), path) {
		return e.Err
	}
	return fmt.Errorf("%s: %w", path, e.Err)
}

// report prints what came of files that have changed.
func (o *command) report(events []serve.Event) {
	o.say(func() {
		for _, e := range events {
			switch {
			case e.Model != nil && errors.Is(e.Err, fs.ErrNotExist):
				o.Warn("%v: the model that was loaded goes on", o.failure(&e))
			case e.Err != nil && e.Model != nil:
				o.Warn("%v: it does not serve, and the model before goes on", o.failure(&e))
			case e.Err != nil:
				o.Warn("%v: it does not serve", o.failure(&e))
			case e.Model != nil:
				o.Note("serving %s, version %s, from %s", humanize.Name(e.Model.Name()),
					e.Model.Version(), humanize.Name(o.remotes.shown(e.Path)))
			}
		}
	})
}

// logged writes the requests of a handler to the access log, if there is one.
func (o *command) logged(h http.Handler) http.Handler {
	if o.accessLog {
		return serve.AccessLog(h, o.json())
	}
	return h
}

// json writes lines of JSON to standard error.
func (o *command) json() *slog.Logger { return slog.New(slog.NewJSONHandler(o.Err, nil)) }

// Note is that of the console, as a line of JSON where the access log is.
func (o *command) Note(format string, args ...any) {
	o.print(o.Console.Note, slog.LevelInfo, format, args)
}

// Warn is that of the console, as a line of JSON where the access log is.
func (o *command) Warn(format string, args ...any) {
	o.print(o.Console.Warn, slog.LevelWarn, format, args)
}

func (o *command) print(plain func(string, ...any), level slog.Level, format string, args []any) {
	if !o.accessLog {
		plain(format, args...)
	} else if !o.Silent {
		o.json().Log(context.Background(), level, cli.OneLine(fmt.Sprintf(format, args...)))
	}
}

// say prints from one goroutine at a time.
func (o *command) say(f func()) {
	o.printing.Lock()
	defer o.printing.Unlock()
	f()
}
