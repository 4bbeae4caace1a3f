// Package postgrestest starts a PostgreSQL server for tests.
package postgrestest

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// Server is a running server with an empty database.
type Server struct {
	URL     string // of the superuser postgres, whose password is the word after the colon
	control []string
	dir     string
}

// Password is that of the superuser.
const Password = "secret-word"

// Start starts a server in a new folder, on a free port of this machine, and stops it at the end of
// the test. It skips the test where PostgreSQL is not installed.
func Start(t testing.TB) *Server {
	t.Helper()
	bin := programs()
	if bin == "" {
		t.Skip("PostgreSQL is not installed: there is no initdb in PATH or /usr/lib/postgresql")
	}
	dir, err := os.MkdirTemp("", "coppice-postgres-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	s := &Server{dir: filepath.Join(dir, "data")}
	as := asPostgres(t, dir)
	secret := filepath.Join(dir, "password")
	if err := os.WriteFile(secret, []byte(Password+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	run(t, append(as, filepath.Join(bin, "initdb"), "-D", s.dir, "-U", "postgres", "-A", "scram-sha-256",
		"--pwfile", secret, "--no-sync", "--locale=C", "-E", "UTF8"))
	port := freePort(t)
	options := fmt.Sprintf("-p %d -k %s -c listen_addresses=127.0.0.1 -c fsync=off", port, dir)
	s.control = append(as, filepath.Join(bin, "pg_ctl"), "-D", s.dir, "-l", filepath.Join(dir, "log"))
	run(t, append(s.control[:len(s.control):len(s.control)], "-o", options, "-w", "start"))
	t.Cleanup(func() { s.Stop(t) })
	s.URL = fmt.Sprintf("postgres://postgres:%s@127.0.0.1:%d/postgres?sslmode=disable", Password, port)
	return s
}

// Stop ends the server and all its connections at once.
func (s *Server) Stop(t testing.TB) {
	cmd := exec.Command(s.control[0], append(s.control[1:], "-m", "immediate", "-w", "stop")...)
	cmd.Run() // a server that is stopped already is fine
}

// programs returns the folder of PostgreSQL's programs, "" if there is none.
func programs() string {
	if path, err := exec.LookPath("initdb"); err == nil {
		return filepath.Dir(path)
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if len(found) == 0 {
		return ""
	}
	return filepath.Dir(found[len(found)-1])
}

// asPostgres returns a command that runs others as the user postgres, which gets the folder: the
// server refuses to run as root.
func asPostgres(t testing.TB, dir string) []string {
	t.Helper()
	if os.Getuid() != 0 {
		return nil
	}
	u, err := user.Lookup("postgres")
	runuser, missing := exec.LookPath("runuser")
	if err != nil || missing != nil {
		t.Skip("PostgreSQL does not run as root, and there is no user postgres to run it as")
	}
	uid, _ := strconv.Atoi(u.Uid)
	gid, _ := strconv.Atoi(u.Gid)
	if err := os.Chown(dir, uid, gid); err != nil {
		t.Fatal(err)
	}
	return []string{runuser, "-u", "postgres", "--"}
}

func run(t testing.TB, args []string) {
	t.Helper()
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), args[0], args[1:]...)
	cmd.Dir = os.TempDir()
	var out strings.Builder
	file, err := os.CreateTemp(t.TempDir(), "out")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	// a file, not a pipe: the server that pg_ctl leaves behind would keep a pipe open
	cmd.Stdout, cmd.Stderr = file, file
	if err := cmd.Run(); err != nil {
		b, _ := os.ReadFile(file.Name())
		out.Write(b)
		t.Fatalf("%s: %v: %s", filepath.Base(args[len(args)-1]), err, out.String())
	}
}

func freePort(t testing.TB) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}
