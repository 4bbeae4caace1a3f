//go:build unix

package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// fetchedUnix requests an address of a server that listens at a path.
func fetchedUnix(t *testing.T, path, address string) string {
	t.Helper()
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, "unix", path)
		}}}
	r, err := client.Get("http://localhost" + address)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// A server listens at a path, also where one before has left its socket. It tells systemd when it
// is ready, loads files anew, and stops.
func TestServeAtAPath(t *testing.T) {
	folder, err := os.MkdirTemp("", "c") // the path of a socket has some 100 bytes
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	model, socket := filepath.Join(folder, "m.coppice"), filepath.Join(folder, "s")
	trainIris(t, model, "--learner", "cart")
	told, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: filepath.Join(folder, "n"), Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer told.Close()
	states := func(want string) {
		t.Helper()
		b := make([]byte, 100)
		if err := told.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
			t.Fatal(err)
		}
		n, err := told.Read(b)
		if err != nil || string(b[:n]) != want {
			t.Errorf("systemd was told %q, %v, want %q", b[:n], err, want)
		}
	}
	left, err := net.ListenUnix("unix", &net.UnixAddr{Name: socket, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	left.SetUnlinkOnClose(false)
	left.Close()
	t.Setenv("NOTIFY_SOCKET", filepath.Join(folder, "n"))
	s := startServer(t, model, "--listen", "unix:"+socket, "--poll", "0s")
	s.wait(t, "of memory are taken (GOMEMLIMIT sets it)")
	states("READY=1")
	if text := fetchedUnix(t, socket, "/v1/models"); !strings.Contains(text, `"model":"m"`) {
		t.Error(text)
	}
	if text := fetchedUnix(t, socket, "/metrics"); !strings.Contains(text, "coppice_model_info") {
		t.Error(text)
	}
	trainIris(t, model, "--learner", "bayes")
	signal := func(s *predictionServer, of syscall.Signal) {
		t.Helper()
		if err := s.cmd.Process.Signal(of); err != nil {
			t.Fatal(err)
		}
	}
	signal(s, syscall.SIGHUP)
	states("RELOADING=1")
	s.wait(t, "note: serving m, version 1, from")
	states("READY=1")
	signal(s, syscall.SIGTERM)
	states("STOPPING=1")
	s.wait(t, "the server has ended")
	if err := s.cmd.Wait(); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(socket); err == nil {
		t.Error("the socket stays behind the server")
	}
}

// A socket that systemd opened takes the place of --listen. A connection that comes while the
// server ends waits there for the next one, and an earlier one is answered.
func TestServeAtASocketOfSystemd(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.coppice")
	trainIris(t, path, "--learner", "cart")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	tcp, _ := l.(*net.TCPListener)
	f, err := tcp.File()
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	cmd, stderr := startable(t, "serve", path, "--listen", "203.0.113.1:1")
	shell := exec.Command("sh", append([]string{"-c", `LISTEN_PID=$$ exec "$@"`, "sh"}, cmd.Args...)...)
	shell.Args[4] = cmd.Path
	shell.Env = append(cmd.Environ(), "LISTEN_FDS=1", "LISTEN_FDNAMES=http")
	shell.ExtraFiles, shell.Stderr = []*os.File{f}, cmd.Stderr
	if err := shell.Start(); err != nil {
		t.Fatal(err)
	}
	status, text := fetched(t, fmt.Sprintf("http://%s/v1/models", l.Addr()))
	if status != http.StatusOK || !strings.Contains(text, `"model":"m"`) {
		t.Error(status, text)
	}
	dial := func() net.Conn {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	before := dial()
	time.Sleep(50 * time.Millisecond) // until it is accepted
	if err := shell.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	time.Sleep(400 * time.Millisecond)
	late := dial()
	answered := func(c net.Conn) {
		t.Helper()
		defer c.Close()
		_, err := io.WriteString(c, "GET /v1/models HTTP/1.1\r\nHost: localhost\r\n\r\n")
		b := make([]byte, 100)
		n, failed := c.Read(b)
		if err != nil || !strings.HasPrefix(string(b[:n]), "HTTP/1.1 200") {
			t.Errorf("%q, %v, %v", b[:n], err, failed)
		}
	}
	answered(before)
	time.Sleep(200 * time.Millisecond) // beyond the pause
	next := &http.Server{Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})}
	ended := make(chan error, 1)
	go func() { ended <- shell.Wait() }()
	go func() {
		if err := <-ended; err != nil {
			t.Error(err, stderr)
		}
		_ = next.Serve(l)
	}()
	answered(late)
	next.Close()
}
