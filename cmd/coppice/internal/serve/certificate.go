package serve

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"sync/atomic"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/internal/outside"
	"github.com/coppice-ml/coppice/serve"
)

// secrets are the files that say who may ask, and how the server proves who it is.
type secrets struct {
	cert, key string // PEM files of TLS; "" = plain HTTP
	clients   string // a PEM file of the authorities of clients; "" = any client
	tokens    string // a file of hashes; "" = no tokens

	now      atomic.Pointer[tls.Certificate]
	contents []byte // of cert and key, as they were read last
	accepted *serve.Tokens
	listed   []byte // the file of tokens, as it was read last
}

// check finds misuse of the flags.
func (s *secrets) check() error {
	switch {
	case (s.cert == "") != (s.key == ""):
		return cli.Misusef("--tls-cert and --tls-key go together: give both")
	case s.clients != "" && s.cert == "":
		return cli.Misusef("--client-ca needs --tls-cert and --tls-key")
	}
	return nil
}

// readTokens reads the file of --tokens, if there is one, and reports whether it is another one
// than before. One that is damaged leaves the tokens before.
func (s *secrets) readTokens() (changed bool, err error) {
	if s.tokens == "" {
		return false, nil
	}
	b, err := outside.ReadFile(s.tokens)
	if err != nil {
		return false, fmt.Errorf("--tokens: %w", err)
	}
	if s.accepted != nil && bytes.Equal(b, s.listed) {
		return false, nil
	}
	if s.accepted == nil {
		s.accepted, err = serve.ReadTokens(bytes.NewReader(b))
	} else {
		err = s.accepted.Replace(bytes.NewReader(b))
	}
	if err != nil {
		return false, fmt.Errorf("%s: %w", s.tokens, err)
	}
	s.listed = b
	return true, nil
}

// config returns how the server speaks TLS; nil for plain HTTP. The certificate is the one of the
// last refresh.
func (s *secrets) config() (*tls.Config, error) {
	if s.cert == "" {
		return nil, nil
	}
	if _, err := s.refresh(); err != nil {
		return nil, fmt.Errorf("--tls-cert and --tls-key: %w", err)
	}
	c := &tls.Config{MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"},
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
			return s.now.Load(), nil
		}}
	if s.clients == "" {
		return c, nil
	}
	pem, err := outside.ReadFile(s.clients)
	if err != nil {
		return nil, fmt.Errorf("--client-ca: %w", err)
	}
	c.ClientCAs, c.ClientAuth = x509.NewCertPool(), tls.RequireAndVerifyClientCert
	if !c.ClientCAs.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("%s has no certificate in PEM", s.clients)
	}
	return c, nil
}

// refresh reads the certificate and its key again, and reports whether they are others than before.
// Files that do not go together, as between the writes of the two, leave the ones before.
func (s *secrets) refresh() (changed bool, err error) {
	if s.cert == "" {
		return false, nil
	}
	cert, err := outside.ReadFile(s.cert)
	if err != nil {
		return false, err
	}
	key, err := outside.ReadFile(s.key)
	if err != nil {
		return false, err
	}
	contents := bytes.Join([][]byte{cert, key}, []byte{0})
	if bytes.Equal(contents, s.contents) {
		return false, nil
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return false, fmt.Errorf("%s and %s: %w", s.cert, s.key, err)
	}
	s.now.Store(&pair)
	s.contents = contents
	return true, nil
}
