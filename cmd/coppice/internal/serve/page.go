package serve

import (
	_ "embed" // for the files below
	"fmt"
	"net"
	"net/http"
	"strings"
)

//go:embed page/page.html
var pageHTML []byte

//go:embed page/page.js
var pageScript []byte

//go:embed page/page.css
var pageStyle []byte

//go:embed page/icon.svg
var pageIcon []byte

// pagePolicy lets the page load its own files and send requests to its own server, and nothing
// else.
const pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; " +
	"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// WithPage answers GET / with the page of a server of models, and its files below /ui/: a form for
// a row with its prediction, its reasons and its smallest change, and a place for a table that is
// scored. What it shows it requests of the row API. All other requests are those of next, the
// handler of package serve.
//
// Where named is false, requests of other hosts than localhost and addresses of numbers are
// refused, unless no page can have sent them, or nothing is in their answers. Otherwise a page of a
// stranger whose name was turned to this machine (DNS rebinding) would be of the same origin as the
// server, and could read what it answers.
func WithPage(next http.Handler, named bool) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", next)
	for _, f := range []struct {
		path, kind string
		content    []byte
	}{
		{"/{$}", "text/html; charset=utf-8", pageHTML},
		{"/ui/page.js", "text/javascript; charset=utf-8", pageScript},
		{"/ui/page.css", "text/css; charset=utf-8", pageStyle},
		{"/ui/icon.svg", "image/svg+xml", pageIcon},
	} {
		mux.HandleFunc("GET "+f.path, func(w http.ResponseWriter, r *http.Request) {
			h := w.Header()
			h.Set("Content-Type", f.kind)
			h.Set("Content-Security-Policy", pagePolicy)
			h.Set("X-Content-Type-Options", "nosniff")
			h.Set("Referrer-Policy", "no-referrer")
			h.Set("Cross-Origin-Opener-Policy", "same-origin")
			h.Set("Cross-Origin-Resource-Policy", "same-origin")
			h.Set("Cache-Control", "no-cache")
			_, _ = w.Write(f.content) // a client that has gone needs none
		})
	}
	if named {
		return mux
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !local(r.Host) && !noPage(r) {
			refuse(w, http.StatusMisdirectedRequest, "by other names than localhost the server "+
				"predicts for programs alone, so that no page of a stranger reads it: serve --ui any "+
				"opens all to other names, and so does --ui off, without the page")
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// guarded adds the page by --ui to what is answered at an address, and reports whether it does. At
// the network of this machine a request that a page of another origin sends is refused, by any
// --ui: it could write rows into the log. Elsewhere a proxy or a token decides.
func (o *command) guarded(h http.Handler, at net.Addr) (guarded http.Handler, page bool) {
	own := loopback(at) && at.Network() != "unix" // which browsers do not reach
	page = o.ui == "any" || o.ui == "auto" && own && o.options.Tokens == nil
	if page {
		h = WithPage(h, o.ui == "any")
	}
	if !own {
		return h, page
	}
	var strangers http.CrossOriginProtection
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strangers.Check(r) != nil {
			refuse(w, http.StatusForbidden, "a page of another origin has sent this, and a server at "+
				"localhost answers its own: a proxy that lets pages of others in takes away their "+
				"Origin and Sec-Fetch-Site")
			return
		}
		h.ServeHTTP(w, r)
	}), page
}

// refuse answers with a problem whose text needs no escapes.
func refuse(w http.ResponseWriter, status int, detail string) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	_, _ = fmt.Fprintf(w, `{"type":"urn:coppice:problem:host","title":"%s","status":%d,"detail":"%s"}`+"\n",
		http.StatusText(status), status, detail)
}

// programs lets requests pass to next that no page has sent, so that no page of a stranger in the
// browser of an operator changes what is served. The links of a page of next are GET requests,
// which have no Origin. Where named is false, other hosts than localhost and addresses of numbers
// are refused as WithPage refuses them.
func programs(next http.Handler, named bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, page := r.Header["Origin"]; page || r.Method == "POST" && !noPage(r) ||
			!named && !local(r.Host) && !noPage(r) {
			w.WriteHeader(http.StatusForbidden)
			_, _ = w.Write([]byte("this address is for programs: no page gets an answer\n"))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// noPage reports whether a request asks for health, or is a POST that no page has sent: browsers
// give each POST an Origin or, for some forms, Sec-Fetch-Site alone, and scripts can take away
// neither. A GET of a page's own origin has no Origin, so others stay refused.
func noPage(r *http.Request) bool {
	if r.Method == "POST" {
		_, browser := r.Header["Origin"]
		return !browser && r.Header.Get("Sec-Fetch-Site") == ""
	}
	switch r.URL.Path {
	case "/livez", "/readyz", "/startupz", "/ping", "/v2/health/live", "/v2/health/ready":
		return true
	}
	return false
}

// local reports whether a Host header is localhost or an address of numbers, with or without a
// port.
func local(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	name := strings.ToLower(host)
	return name == "localhost" || strings.HasSuffix(name, ".localhost") || net.ParseIP(strings.Trim(host, "[]")) != nil
}
