package serve

import (
	"bufio"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
)

// Tokens are the bearer tokens that a server accepts, by the models that they are for. It has their
// hashes alone.
type Tokens struct{ all atomic.Pointer[[]token] }

// token is a token's hash with the models that it is for; nil = all.
type token struct {
	hash   [sha256.Size]byte
	models []string
}

// ReadTokens reads a line for each token: the SHA-256 hash of the token in hexadecimal digits, and
// behind a blank the names of the models that it is for, "," between them; without names it is for
// all, and so is one with "-", which sha256sum writes behind it. Empty lines, and those that begin
// with #, are passed over. Errors name the line.
//
//	printf %s "$TOKEN" | sha256sum
func ReadTokens(r io.Reader) (*Tokens, error) {
	t := &Tokens{}
	if err := t.Replace(r); err != nil {
		return nil, err
	}
	return t, nil
}

// Replace accepts the tokens that ReadTokens would read, and no others any more. An error leaves
// the ones before.
func (t *Tokens) Replace(r io.Reader) error {
	var all []token
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		fields := strings.Fields(lines.Text())
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		var own token
		if len(fields[0]) != 2*sha256.Size {
			return fmt.Errorf("line %d: want the SHA-256 hash of a token, %d hexadecimal digits, "+
				"and the names of models", n, 2*sha256.Size)
		}
		if _, err := hex.Decode(own.hash[:], []byte(fields[0])); err != nil {
			return fmt.Errorf("line %d: the hash of the token: %w", n, err)
		}
		switch len(fields) {
		case 1:
		case 2:
			if fields[1] == "-" { // as sha256sum names what it reads
				break
			}
			own.models = strings.Split(fields[1], ",")
		default:
			return fmt.Errorf("line %d: want names of models with \",\" between them", n)
		}
		all = append(all, own)
	}
	if err := lines.Err(); err != nil {
		return err
	}
	if all == nil {
		return fmt.Errorf("there is no token")
	}
	t.all.Store(&all)
	return nil
}

// models returns the models that the token of a request is for, nil = all; ok is false for a
// request without a token, or with another one. The time that it takes tells nothing of the tokens.
func (t *Tokens) models(r *http.Request) (names []string, ok bool) {
	kind, text, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(kind, "Bearer") {
		return nil, false
	}
	hash := sha256.Sum256([]byte(strings.TrimSpace(text)))
	for _, own := range *t.all.Load() {
		if subtle.ConstantTimeCompare(own.hash[:], hash[:]) == 1 {
			names, ok = own.models, true
		}
	}
	return names, ok
}

// Guard lets requests pass to next that have a token for all models; nil lets all pass.
func (t *Tokens) Guard(next http.Handler) http.Handler {
	if t == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if names, ok := t.models(r); !ok || names != nil {
			w.Header().Set("WWW-Authenticate", "Bearer")
			writeProblem(w, newProblem(http.StatusUnauthorized, kindToken,
				"the request needs a token for all models: send Authorization: Bearer TOKEN"))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// health are the addresses that need no token: they say nothing of models.
var health = []string{"/livez", "/readyz", "/startupz", "/ping", "/v2/health/live", "/v2/health/ready"}

// allowed returns the set of models that a request may see, or the error that refuses it.
func (h *handler) allowed(r *http.Request) (*Models, error) {
	if h.Tokens == nil || slices.Contains(health, r.URL.Path) {
		return h.models, nil
	}
	names, ok := h.Tokens.models(r)
	if !ok {
		return nil, newProblem(http.StatusUnauthorized, kindToken,
			"the request has no token that this server accepts: send Authorization: Bearer TOKEN")
	}
	if names == nil {
		return h.models, nil
	}
	return h.models.only(names), nil
}
