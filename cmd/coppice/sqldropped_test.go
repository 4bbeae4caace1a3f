package main

import (
	"io"
	"net"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/internal/testing/postgrestest"
)

// dropping listens for connections to a server, each of which it drops after some bytes of answers.
// It returns the URL of the database behind it.
func dropping(t *testing.T, database string, after int64) string {
	t.Helper()
	u, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	server := u.Host
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer client.Close()
				to, err := net.Dial("tcp", server)
				if err != nil {
					return
				}
				defer to.Close()
				go io.Copy(to, client)
				io.CopyN(client, to, after)
			}()
		}
	}()
	u.Host = l.Addr().String()
	return u.String()
}

// testDropped: every command ends with one line where the database drops the connection behind half
// of the rows, and leaves no file and no table.
func testDropped(t *testing.T, s *postgrestest.Server) {
	t.Chdir(t.TempDir())
	query := "select i % 100 as a, i % 7 as b, case when i % 3 = 0 then 'no' else 'yes' end as y from generate_series(1, 60000) i"
	from := func(database string, args ...string) []string {
		return append(args, "--sql", query, "--db", database)
	}
	works(t, from(s.URL, "train", "--label", "y", "--learner", "cart", "-o", "m.coppice")...)
	db := dropping(t, s.URL, 700_000) // the rows are about twice as much
	for _, args := range [][]string{
		{"train", "--label", "y", "--learner", "cart", "-o", "half"},
		{"predict", "m.coppice", "-o", "half"},
		{"evaluate", "m.coppice"},
		{"explain", "m.coppice", "-o", "half"},
		{"data"},
		{"train", "--label", "y", "--set", "trees=2", "--memory", "1300kB", "--scratch", ".", "-o", "half"},
		{"predict", "m.coppice", "--to-table", "half"},
	} {
		_, errs, status := run(t, from(db, args...)...)
		lines := strings.Split(strings.TrimSuffix(errs, "\n"), "\n")
		last := lines[len(lines)-1]
		if status != 1 || !strings.HasPrefix(last, "coppice: query: the database failed after ") ||
			!strings.HasSuffix(last, "unexpected EOF") ||
			strings.Contains(errs, postgrestest.Password) {
			t.Errorf("%q: status %d:\n%s", args, status, errs)
		}
		if left, err := os.ReadDir("."); err != nil || len(left) != 1 {
			t.Fatalf("%q left %v, %v", args, left, err)
		}
	}
	_, errs, _ := run(t, "data", "--sql", "select * from half", "--db", s.URL)
	if !strings.Contains(errs, `relation "half" does not exist`) {
		t.Errorf("got %s", errs)
	}
}
