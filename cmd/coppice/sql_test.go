package main

import (
	"bytes"
	"database/sql"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/databases"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/testing/postgrestest"
	"github.com/coppice-ml/coppice/internal/testing/tier"
)

// run runs a command line in this process, and returns what it prints, errors last, and its status.
func run(t *testing.T, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	return runOn(t, strings.NewReader(""), args...)
}

// runOn is run with a standard input.
func runOn(t *testing.T, in io.Reader, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	var out, errs bytes.Buffer
	c := &cli.Console{In: in, Out: &out, Err: &errs, Progress: &cli.Progress{}}
	status = c.Finish(cli.Run(t.Context(), c, commands(), args))
	return out.String(), errs.String(), status
}

// works is run for a command that must succeed.
func works(t *testing.T, args ...string) string {
	t.Helper()
	out, errs, status := run(t, args...)
	if status != 0 {
		t.Fatalf("%q: status %d: %s", args, status, errs)
	}
	return out
}

// fails is run for a command that must fail with a last line that begins so.
func fails(t *testing.T, status int, want string, args ...string) {
	t.Helper()
	_, errs, got := run(t, args...)
	lines := strings.Split(strings.TrimSuffix(errs, "\n"), "\n")
	if last := lines[len(lines)-1]; got != status || !strings.HasPrefix(last, "coppice: "+want) {
		t.Errorf("%q: status %d, want %d: got\n%s\nwant\n%s", args, got, status, last, want)
	}
	if strings.Contains(errs, postgrestest.Password) {
		t.Errorf("%q: the error holds the password: %s", args, errs)
	}
}

const people = `id,age,town,day,member
1,20,Ulm,2026-01-01,no
2,25,Ulm,2026-01-02,no
3,31,Bonn,2026-01-03,yes
4,45.5,,2026-01-04,yes
5,52,Bonn,2026-02-05,yes
6,19,Kiel,2026-02-06,no
`

// peopleIn makes the table of people in a database.
func peopleIn(t *testing.T, driver, source string) *sql.DB {
	t.Helper()
	db, err := sql.Open(driver, source)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	statements := []string{"create table people (id integer, age real, town text, day date, member text)"}
	for line := range strings.Lines(strings.TrimPrefix(people, "id,age,town,day,member\n")) {
		f := strings.Split(strings.TrimSpace(line), ",")
		statements = append(statements, fmt.Sprintf("insert into people values (%s, %s, nullif('%s', ''), '%s', '%s')",
			f[0], f[1], f[2], f[3], f[4]))
	}
	for _, s := range statements {
		if _, err := db.ExecContext(t.Context(), s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
	return db
}

// Databases: training, prediction, evaluation and data by queries, and predictions in tables.
func TestDatabases(t *testing.T) {
	tier.NotShort(t, "reads by each driver")
	t.Run("sqlite", func(t *testing.T) {
		t.Chdir(t.TempDir())
		db := peopleIn(t, "sqlite", "file:people.db")
		testDatabase(t, db, "sqlite:people.db")
		fails(t, 1, "--db sqlite:none.db: no such file", "data", "--sql", "select 1", "--db", "sqlite:none.db")
		fails(t, 1, "--sql: sqlite:people.db: SQL logic error: no such table: nowhere",
			"data", "--sql", "select * from nowhere", "--db", "sqlite:people.db")
		if _, err := os.Stat("none.db"); err == nil {
			t.Error("reading makes a file")
		}
		fails(t, 1, "--sql: sqlite:people.db: attempt to write a readonly database",
			"data", "--sql", "delete from people returning id", "--db", "sqlite:people.db")
	})
	t.Run("postgres", func(t *testing.T) {
		t.Chdir(t.TempDir())
		s := postgrestest.Start(t)
		db := peopleIn(t, "pgx", s.URL)
		testDatabase(t, db, s.URL)
		testPostgres(t, s)
		testEnumeration(t, db, s.URL)
		testDropped(t, s)
	})
	t.Run("misuse", func(t *testing.T) {
		t.Chdir(t.TempDir())
		write(t, "a.csv", people)
		for args, want := range map[string]string{
			"data":                                                "data needs FILE",
			"data --sql x":                                        "--sql goes with --db: add it, or set COPPICE_DB",
			"data a.csv --db sqlite:a":                            "--db goes with --sql: add it",
			"data a.csv --sql x --db sqlite:a":                    "--sql takes the place of files: leave out a.csv",
			"data --sql x --db sqlite:a --no-header":              "--format, --no-header, --separator, --skip, --comment, --absent, --first-index, --sheet and --encoding are for files",
			"data --sql x --db oracle://u:secret-word@h/d":        "--db oracle://u@h/d: want postgres://USER@HOST/NAME",
			"data --sql x --db postgres://u:secret-word@h:port/d": "--db postgres:... is no URL of a PostgreSQL database",
			"data --sql x --db mysql:///d":                        "--db mysql:///d is no URL of a MySQL database",
			"predict m a.csv --if-exists append":                  "--if-exists goes with --to-table: add it",
			"predict m a.csv --to-table x -o y":                   "--to-table and -o name two places for the predictions: leave one out",
			"predict m a.csv --to-table x --if-exists drop":       `--if-exists "drop": `,
		} {
			fails(t, 2, want, strings.Fields(args)...)
		}
		// no server
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		at := l.Addr().String()
		l.Close()
		for _, scheme := range []string{"postgres", "mysql"} {
			fails(t, 1, scheme+"://u@"+at+"/d: ", "data", "--sql", "select 1", "--db",
				scheme+"://u:secret-word@"+at+"/d")
		}
	})
}

func write(t *testing.T, name, content string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func testDatabase(t *testing.T, db *sql.DB, address string) {
	t.Setenv("COPPICE_DB", address)
	write(t, "people.csv", people)
	query := "select * from people order by id"
	learner := []string{"--label", "member", "--ignore", "id", "--learner", "cart", "--set", "prune=none", "--set", "min_leaf=1"}
	out := works(t, append([]string{"train", "--sql", query, "-o", "sql.coppice"}, learner...)...)
	if !strings.Contains(out, "data      query: 6 rows, ") {
		t.Errorf("training reports:\n%s", out)
	}
	works(t, append([]string{"train", "people.csv", "-o", "csv.coppice"}, learner...)...)
	a, _ := os.ReadFile("sql.coppice")
	b, _ := os.ReadFile("csv.coppice")
	if !bytes.Equal(a, b) {
		t.Error("the models of the query and of the file differ")
	}
	if bytes.Contains(a, []byte(postgrestest.Password)) {
		t.Error("the model holds the password")
	}
	if got, want := works(t, "predict", "sql.coppice", "--sql", query, "--keep", "id"),
		works(t, "predict", "csv.coppice", "people.csv", "--keep", "id"); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if out := works(t, "evaluate", "sql.coppice", "--sql", query); !strings.Contains(out, "accuracy 1.0000, AUC 1.0000") {
		t.Errorf("evaluation:\n%s", out)
	}
	if out := works(t, "tune", "--sql", query, "--label", "member", "--learner", "cart", "--budget",
		"1", "--folds", "2", "-o", "tuned.coppice"); !strings.Contains(out, "coppice train --sql '"+query+"' --label member") {
		t.Errorf("the winner of rows of a query is trained again by\n%s", out)
	}
	if out := works(t, "data", "--sql", query); !strings.HasPrefix(out, "query: 6 rows, 5 columns\n") {
		t.Errorf("data:\n%s", out)
	}
	testToTable(t, db)
}

// testToTable writes predictions to a table of the database that the environment names.
func testToTable(t *testing.T, db *sql.DB) {
	predict := func(more ...string) []string {
		return append([]string{"predict", "sql.coppice", "--sql", "select * from people order by id",
			"--keep", "id,age", "--output", "proba", "--to-table", `pre"dicted`}, more...)
	}
	count := func() (n int, names string) {
		t.Helper()
		row := db.QueryRowContext(t.Context(), `select count(*), min("prediction") || max("prediction") from "pre""dicted" `+
			`where id + 0 > 0 and age + 0.5 > 0 and "p_no" + "p_yes" = 1`)
		if err := row.Scan(&n, &names); err != nil {
			t.Fatal(err)
		}
		return n, names
	}
	if out := works(t, predict()...); out != "6 rows of predictions are in the table pre\"dicted.\n" {
		t.Errorf("got %q", out)
	}
	if n, names := count(); n != 6 || names != "noyes" {
		t.Errorf("%d rows, predictions %s", n, names)
	}
	fails(t, 1, `--to-table pre"dicted: the table exists already (--if-exists replace or append writes to it)`, predict()...)
	works(t, predict("--if-exists", "append")...)
	if n, _ := count(); n != 12 {
		t.Errorf("%d rows after appending", n)
	}
	works(t, predict("--if-exists", "replace")...)
	if n, _ := count(); n != 6 {
		t.Errorf("%d rows after replacing", n)
	}
	// A failure leaves the table as it was: raw scores have other columns.
	fails(t, 1, `--to-table pre"dicted: `, predict("--if-exists", "append", "--output", "leaf")...)
	if n, _ := count(); n != 6 {
		t.Errorf("%d rows after a failure", n)
	}
}

func testPostgres(t *testing.T, s *postgrestest.Server) {
	wrong := strings.Replace(s.URL, postgrestest.Password, "another-word", 1)
	_, errs, status := run(t, "data", "--sql", "select 1", "--db", wrong)
	if status != 1 || !strings.Contains(errs, "password authentication failed") || strings.Contains(errs, "another-word") ||
		strings.Count(errs, "\n") != 1 {
		t.Errorf("wrong password: status %d: %s", status, errs)
	}
	fails(t, 1, "--sql: postgres://postgres@127.0.0.1:", "data", "--sql", "select nonsense")
	_, errs, _ = run(t, "data", "--sql", "drop table people")
	if !strings.Contains(errs, "cannot execute DROP TABLE in a read-only transaction") {
		t.Errorf("reading may drop a table: %s", errs)
	}
}

// testEnumeration: the levels of an enumeration are its values, whether or not a row has them.
func testEnumeration(t *testing.T, db *sql.DB, address string) {
	if _, err := db.Exec("create type span as enum ('10+', '5+', '1+')"); err != nil {
		t.Fatal(err)
	}
	f, err := databases.NewQuery(address, "select '5+'::span s, 1 x", data.ReadOptions{}).Frame(t.Context())
	if err != nil || !slices.Equal(f.Schema.Fields[0].Levels, []string{"1+", "10+", "5+"}) {
		t.Errorf("%v, %+v", err, f)
	}
}

// The rows of a query that do not fit into memory are stored once, and make the model and the
// evaluation of the same rows in memory. Nothing is left of them.
func TestTrainOnQueryInBlocks(t *testing.T) {
	tier.NotShort(t, "trains from a database twice")
	dir := t.TempDir()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "t.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, s := range []string{"create table t (x real, town text, y text)",
		`with recursive n(i) as (select 0 union all select i + 1 from n where i < 17999)
		insert into t select (i * 7919 % 10007 % 701) / 4.0, 't' || (i * 7919 % 10007 % 13),
			case when i * 7919 % 10007 % 701 < 400 then 'no' else 'yes' end from n`} {
		if _, err := db.ExecContext(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	scratch := t.TempDir()
	train := []string{"train", "--sql", "select * from t", "--db", "sqlite:" + filepath.Join(dir, "t.db"),
		"--label", "y", "--set", "trees=4", "--no-profile", "--scratch", scratch, "-o",
		filepath.Join(dir, "m.coppice")}
	predict := []string{"predict", filepath.Join(dir, "m.coppice"), "--sql", "select * from t limit 701", "--db",
		"sqlite:" + filepath.Join(dir, "t.db"), "--output", "proba"}
	works(t, train...)
	want := works(t, predict...)
	wide := "select *"
	for i := range 20 {
		wide += fmt.Sprintf(", x + %d as x%d", i, i)
	}
	// the first rows fit into memory, but not with a training; the second ones do not
	for _, query := range []string{train[2], wide + " from t"} {
		train[2] = query
		_, errs, status := run(t, append(train, "--memory", "1300kB")...)
		if status != 0 || !strings.Contains(errs, "the rows of the query are read in blocks") {
			t.Fatalf("status %d: %s", status, errs)
		}
		if query != wide+" from t" {
			if got := works(t, predict...); got != want {
				t.Error("other predictions")
			}
		}
	}
	evaluate := []string{"evaluate", filepath.Join(dir, "m.coppice"), "--sql", train[2] + " limit 17999", "--db", train[4], "--scratch", scratch}
	want = works(t, evaluate...)
	if got, errs, status := run(t, append(evaluate, "--memory", "1300kB")...); status != 0 || got != want ||
		!strings.Contains(errs, "the rows of the query are read in blocks, with a scratch file in "+scratch) {
		t.Errorf("status %d: %s: got\n%swant\n%s", status, errs, got, want)
	}
	fails(t, 1, "cannot make a scratch file in "+filepath.Join(dir, "none")+": no such file or directory",
		append(train, "--memory", "1300kB", "--scratch", filepath.Join(dir, "none"))...)
	if left, err := os.ReadDir(scratch); err != nil || len(left) > 0 {
		t.Errorf("%d files are left, %v", len(left), err)
	}
}
