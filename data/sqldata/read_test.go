package sqldata_test

import (
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib"
	_ "modernc.org/sqlite"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/data/sqldata"
	"github.com/coppice-ml/coppice/data/tabletest"
	"github.com/coppice-ml/coppice/internal/table"
	"github.com/coppice-ml/coppice/internal/testing/postgrestest"
	"github.com/coppice-ml/coppice/internal/testing/tier"
)

func open(t *testing.T, driver, source string) *sql.DB {
	t.Helper()
	db, err := sql.Open(driver, source)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func exec(t *testing.T, db *sql.DB, statements ...string) {
	t.Helper()
	for _, s := range statements {
		if _, err := db.ExecContext(t.Context(), s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

func read(t *testing.T, db *sql.DB, o data.ReadOptions, query string) (*data.Frame, error) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	f, err := sqldata.Open(o, rows).Frame(t.Context())
	tabletest.CheckError(t, err)
	return f, err
}

// The types of PostgreSQL, each with values and NULL.
func TestPostgres(t *testing.T) {
	tier.NotShort(t, "starts a server")
	s := postgrestest.Start(t)
	db := open(t, "pgx", s.URL)
	t.Run("types", func(t *testing.T) { postgresTypes(t, db) })
	t.Run("faults", func(t *testing.T) { postgresFaults(t, db) })
	t.Run("many rows", func(t *testing.T) { manyRows(t, db) })
	t.Run("dropped", func(t *testing.T) {
		rows, err := db.QueryContext(t.Context(), "select i from generate_series(1, 50000000) i")
		if err != nil {
			t.Fatal(err)
		}
		o := data.ReadOptions{MaxValues: 60_000_000}
		s.Stop(t)
		_, err = sqldata.Open(o, rows).Frame(t.Context())
		tabletest.CheckError(t, err)
		if err == nil || !strings.HasPrefix(err.Error(), "query: the database failed after ") ||
			strings.Contains(err.Error(), postgrestest.Password) {
			t.Errorf("got %v", err)
		}
	})
}

func postgresTypes(t *testing.T, db *sql.DB) {
	exec(t, db, `create type mood as enum ('sad', 'ok')`,
		`create table t (i2 int2, i4 int4, i8 int8, f4 float4, f8 float8, n numeric, d numeric(9,2), b bool,
			day date, ts timestamp, tz timestamptz, tm time, tx text, vc varchar(5), ch char(3), m mood,
			u uuid, j jsonb, by bytea, k text)`,
		`insert into t values (-1, 2, 9007199254740993, 0.1, 0.1, 12345678901234567890.5, 1.25, true,
			'2026-01-31', '2026-01-31 12:30:00.000001', '2026-01-31 12:00+02', '01:00:00.5', 'a b', 'x', 'y', 'ok',
			'00000000-0000-0000-0000-0000000000ff', '{"a": 1}', 'bytes', '')`,
		`insert into t values (1, 1, 1, 'NaN', 'infinity', 'NaN', -2, false,
			'0001-01-01', '1969-12-31 23:59:59.999999', '2026-01-31 00:00+00', '00:00', '', 'NA', 'z', 'sad',
			'00000000-0000-0000-0000-000000000001', '[]', 'é', ' ')`,
		`insert into t (i2) values (null)`)
	f, err := read(t, db, data.ReadOptions{}, "select * from t")
	if err != nil {
		t.Fatal(err)
	}
	kept := data.ReadOptions{Verbatim: []string{"n", "d"}}
	rows, err := db.QueryContext(t.Context(), "select 123456789012345678.25::numeric n, 1.50::numeric(9,2) d")
	if err != nil {
		t.Fatal(err)
	}
	if made, err := sqldata.Open(kept, rows).Read(t.Context()); err != nil ||
		made.Verbatim.Schema.Fields[0].Levels[0] != "123456789012345678.25" || made.Verbatim.Schema.Fields[1].Levels[0] != "1.50" {
		t.Errorf("numerics are kept as %+v, %v", made, err)
	}
	const want = `i2 -1 1 -
i4 2 1 -
i8 9.007199254740992e+15 1 -
f4 0.10000000149011612 - -
f8 0.1 +Inf -
n 1.2345678901234567e+19 - -
d 1.25 -2 -
b true false - {false|true}
day 2026-01-31 0001-01-01 - date
ts 2026-01-31T12:30:00.000001Z 1969-12-31T23:59:59.999999Z - date
tz 2026-01-31T10:00:00Z 2026-01-31 - date
tm 3.6005e+09 0 -
tx a b - - {a b}
vc x NA - {NA|x}
ch y   z   - {y  |z  }
m ok sad - {ok|sad}
u 00000000-0000-0000-0000-0000000000ff 00000000-0000-0000-0000-000000000001 - {00000000-0000-0000-0000-000000000001|00000000-0000-0000-0000-0000000000ff}
j {"a": 1} [] - {[]|{"a": 1}}
by bytes é - {bytes|é}
k - - - {}
`
	if got := tabletest.Render(f); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if at := f.Locate(1); at != "query:2" {
		t.Errorf("row 1 is at %s", at)
	}
	o := data.ReadOptions{Categorical: []string{"i8", "f4"}, Ignore: []string{"x"}}
	f, err = read(t, db, o, "select i8, f4, array[1] as x from t limit 1")
	if want := "i8 9007199254740993 {9007199254740993}\nf4 0.1 {0.1}\n"; err != nil || tabletest.Render(f) != want {
		t.Errorf("forced: %v\n%s", err, tabletest.Render(f))
	}
	schema := data.Schema{Fields: []data.Field{{Name: "m", Kind: data.Categorical, Levels: []string{"ok"}}, {Name: "d"}}}
	f, err = read(t, db, data.ReadOptions{Schema: &schema}, "select * from t")
	if want := "m ok ? - {ok}\nd 1.25 -2 -\n"; err != nil || tabletest.Render(f) != want {
		t.Errorf("for a model: %v\n%s", err, tabletest.Render(f))
	}
}

func postgresFaults(t *testing.T, db *sql.DB) {
	for query, c := range map[string]struct {
		want   string
		reason error
	}{
		"select array[1] as a":                             {`query: column "a": is an array, which has no place in a table (ignore the column, or convert it in the query)`, data.ErrType},
		"select interval '1 day' as a":                     {`query: column "a": is of the type interval, which has no place in a table (ignore the column, or convert it in the query)`, data.ErrType},
		"select 1 as a, 2 as a":                            {`query: two columns are called "a"`, data.ErrHeader},
		"select 1 as a where false":                        {`query: there are no rows`, data.ErrEmpty},
		`select '\xff'::bytea as a`:                        {`query:1: column "a": "\xff" is not UTF-8 text (` + table.EncodingAdvice() + `)`, data.ErrText},
		"select 'infinity'::date as a":                     {`query:1: column "a": "infinity" is not a date`, data.ErrDate},
		"select 1/(3-i) as a from generate_series(1, 9) i": {"query: the database failed after 2 rows: ERROR: division by zero (SQLSTATE 22012)", nil},
	} {
		_, err := read(t, db, data.ReadOptions{}, query)
		if err == nil || err.Error() != c.want || c.reason != nil && !errors.Is(err, c.reason) {
			t.Errorf("%s: got\n%v\nwant\n%s", query, err, c.want)
		}
	}
}

// The rows of a query are those of the same table as CSV.
func manyRows(t *testing.T, db *sql.DB) {
	const rows = 5000
	var text strings.Builder
	text.WriteString("a,b,c\n")
	for i := 1; i <= rows; i++ {
		fmt.Fprintf(&text, "%d,%d.5,t%d\n", i, i%100, i%7)
	}
	want, err := csvdata.Open(csvdata.Options{ReadOptions: data.ReadOptions{Bytes: map[string][]byte{"t.csv": []byte(text.String())}}}, "t.csv").Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got, err := read(t, db, data.ReadOptions{}, fmt.Sprintf(
		"select i as a, i %% 100 + 0.5 as b, 't' || (i %% 7) as c from generate_series(1, %d) i", rows))
	if err != nil {
		t.Fatal(err)
	}
	tabletest.Same(t, got, want, 0)
}

// SQLite gives types to columns, or none, and any value may stand in a column.
func TestSQLite(t *testing.T) {
	db := open(t, "sqlite", "file:"+filepath.Join(t.TempDir(), "a.db"))
	exec(t, db, `create table t (i integer, r real, d decimal(9, 2), b boolean, day date, ts datetime, tx varchar(9), bl blob)`,
		`insert into t values (1, 1.5, 2.25, 1, '2026-01-31', '2026-01-31 12:00:00', 'x', x'6162')`,
		`insert into t values (2, 2, 3, 0, '2026-02-01', '1969-12-31 00:00:00', '', null)`,
		`insert into t values (null, null, null, null, null, null, null, null)`)
	f, err := read(t, db, data.ReadOptions{}, "select *, i + 1 as sum, tx || '!' as ex, date(day) as day2 from t")
	if err != nil {
		t.Fatal(err)
	}
	const want = `i 1 2 -
r 1.5 2 -
d 2.25 3 -
b true false - {false|true}
day 2026-01-31 2026-02-01 - date
ts 2026-01-31T12:00:00Z 1969-12-31 - date
tx x - - {x}
bl ab - - {ab}
sum 2 3 -
ex x! ! - {!|x!}
day2 2026-01-31 2026-02-01 - date
`
	if got := tabletest.Render(f); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	exec(t, db, `insert into t (i) values ('many')`)
	_, err = read(t, db, data.ReadOptions{}, "select i from t")
	if err == nil || err.Error() != `query:4: column "i": "many" is not a number (convert it in the query)` {
		t.Errorf("got %v", err)
	}
}

// Texts that all have one unit, and texts that are dates, are what they are in CSV. Other texts
// stay names: codes of digits, a unit that some lack, and what the options make categorical.
func TestMeanings(t *testing.T) {
	db := open(t, "sqlite", ":memory:")
	db.SetMaxOpenConns(1)
	exec(t, db, `create table t (w varchar(9), i text, p text, d text, m text, kept text, code text, some text)`,
		`insert into t values ('159 lbs', '19M', '5 %', 'Jul 1, 2004', '2024-05', '1 kg', '00123', '3 kg')`,
		`insert into t values ('7 lbs', '300K', '12.5 %', '31 May 2024', '2024/06', '2 kg', '45678', '4')`,
		`insert into t values (null, null, null, null, null, null, null, null)`)
	var notes []string
	o := data.ReadOptions{Categorical: []string{"kept"},
		Log: func(f string, args ...any) { notes = append(notes, fmt.Sprintf(f, args...)) }}
	got, err := read(t, db, o, "select * from t")
	if err != nil {
		t.Fatal(err)
	}
	if table := tabletest.Render(got); table != `w 159 7 -
i 1.9e+07 300000 -
p 5 12.5 -
d 2004-07-01 2024-05-31 - date
m 2024-05-01 2024-06-01 - date
kept 1 kg 2 kg - {1 kg|2 kg}
code 00123 45678 - {00123|45678}
some 3 kg 4 - {3 kg|4}
` || got.Schema.Fields[0].Format != "1234.5 lbs" {
		t.Errorf("formats %q of\n%s", got.Schema.Fields[0].Format, table)
	}
	const note = `column "w" is numeric, written as 1234.5 lbs: "159 lbs" at query:1 is 159`
	if len(notes) != 3 || !strings.HasPrefix(notes[0], note) {
		t.Errorf("notes %q", notes)
	}
	for i, wrong := range []string{"63 kg", "19", "0.12", "soon", "May"} {
		o.Schema = &data.Schema{Fields: got.Schema.Fields[i : i+1]}
		exec(t, db, fmt.Sprintf("update t set %s = '%s'", got.Schema.Fields[i].Name, wrong))
		_, err := read(t, db, o, "select * from t")
		if !errors.Is(err, data.ErrNumber) && !errors.Is(err, data.ErrDate) {
			t.Errorf("%s for a model: %v", wrong, err)
		}
	}
}

// Texts of a database are categories by their numbers where all of a model's are plain integers.
func TestIntegerCategories(t *testing.T) {
	db := open(t, "sqlite", "file:"+filepath.Join(t.TempDir(), "a.db"))
	exec(t, db, `create table t (c text, r real)`,
		`insert into t values ('1.0', 1.0), ('2', 2.0), ('01', 1.5)`)
	levels := []string{"1", "2"}
	o := data.ReadOptions{Schema: &data.Schema{Fields: []data.Field{
		{Name: "c", Kind: data.Categorical, Levels: levels},
		{Name: "r", Kind: data.Categorical, Levels: levels}}}}
	f, err := read(t, db, o, "select * from t")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := tabletest.Render(f), "c 1 2 ? {1|2}\nr 1 2 ? {1|2}\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
