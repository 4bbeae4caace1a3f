package serve

import (
	"errors"
	"net"
	"path/filepath"
	"testing"
)

// TestEndedQueuesAreTaken: connections that nobody has accepted when their listener is to end are
// accepted, and then it has ended. A listener of net alone would lose them.
func TestEndedQueuesAreTaken(t *testing.T) {
	for _, address := range []string{"127.0.0.1:0", unixPrefix + filepath.Join(t.TempDir(), "s")} {
		l, err := listen(nil, "listen", address)
		if err != nil {
			t.Fatal(err)
		}
		at := l.Addr()
		const waiting = 20
		for range waiting {
			c, err := net.Dial(at.Network(), at.String())
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		n := 0
		for ; err == nil; n++ {
			var c net.Conn
			if c, err = l.Accept(); err == nil {
				defer c.Close()
			}
		}
		if n != waiting+1 || !errors.Is(err, net.ErrClosed) {
			t.Errorf("%s: %d connections, then %v", at.Network(), n-1, err)
		}
		if c, err := net.Dial(at.Network(), at.String()); err == nil {
			c.Close()
			t.Errorf("%s: the listener has not ended", at.Network())
		}
	}
}

// TestEndWakesAccept: a listener that waits for a connection ends when it is closed.
func TestEndWakesAccept(t *testing.T) {
	l, err := listen(nil, "listen", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	go func() {
		_, err := l.Accept()
		ended <- err
	}()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; !errors.Is(err, net.ErrClosed) {
		t.Error(err)
	}
}
