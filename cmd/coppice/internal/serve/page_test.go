package serve

import (
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
)

// TestPagesOfOthersWriteNothing: no request that a page of another origin sends comes to a server
// at the network of this machine, whatever its type and --ui. Its own page and programs pass, and
// so does all where a proxy or a token decides.
func TestPagesOfOthersWriteNothing(t *testing.T) {
	here := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8080}
	for _, at := range []struct {
		net.Addr
		guarded bool
	}{{here, true}, {&net.TCPAddr{IP: net.IPv6loopback}, true}, {&net.TCPAddr{IP: net.IPv4zero}, false},
		{&net.UnixAddr{Name: "/run/s", Net: "unix"}, false}} {
		for _, ui := range []string{"auto", "any", "off"} {
			h, _ := (&command{ui: ui}).guarded(http.NotFoundHandler(), at.Addr)
			for _, c := range []struct {
				header, value string
				refused       bool
			}{
				{"Origin", "http://evil.example", true}, {"Origin", "null", true},
				{"Origin", "http://localhost:3000", true}, {"Origin", "http://localhost:8080", false},
				{"Sec-Fetch-Site", "cross-site", true}, {"Sec-Fetch-Site", "same-site", true},
				{"Sec-Fetch-Site", "same-origin", false}, {"X-Other", "", false},
			} {
				for _, kind := range []string{"", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"} {
					r, w := httptest.NewRequest(http.MethodPost, "/v1/models/m/predict", http.NoBody), httptest.NewRecorder()
					r.Host = "localhost:8080"
					r.Header.Set("Content-Type", kind)
					r.Header.Set(c.header, c.value)
					h.ServeHTTP(w, r)
					if refused := w.Code == http.StatusForbidden; refused != (c.refused && at.guarded) {
						t.Errorf("--ui %s at %v, %s %s: status %d", ui, at, c.header, c.value, w.Code)
					}
				}
			}
		}
	}
}
