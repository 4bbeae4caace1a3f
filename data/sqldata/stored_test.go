package sqldata_test

import (
	"database/sql"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/sqldata"
	"github.com/coppice-ml/coppice/data/tabletest"
	"github.com/coppice-ml/coppice/internal/testing/postgrestest"
	"github.com/coppice-ml/coppice/internal/testing/tier"
)

// stored compares a query whose rows are stored with the same rows in memory: from the first row
// on, and where rows were in memory before.
func stored(t *testing.T, db *sql.DB, o data.ReadOptions, query string) {
	t.Helper()
	for _, most := range []int{0, 500, 1100, math.MaxInt} {
		storedBehind(t, db, o, query, most)
	}
}

func storedBehind(t *testing.T, db *sql.DB, o data.ReadOptions, query string, most int) {
	t.Helper()
	var notes, found []string
	o.Log = func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	want, failed := read(t, db, o, query)
	rows, err := db.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	folder := t.TempDir()
	o.BlockBytes, o.Scratch = 10_000, folder
	o.Log = func(format string, args ...any) { found = append(found, fmt.Sprintf(format, args...)) }
	s := sqldata.Open(o, rows)
	features, err := s.Gather(t.Context(), func(rows, columns int) bool { return rows <= most })
	if fmt.Sprint(err) != fmt.Sprint(failed) {
		t.Fatalf("%s: got the error %v, want %v", query, err, failed)
	}
	if err != nil {
		return
	}
	if !slices.Equal(notes, found) {
		t.Errorf("%s: notes %q, want %q", query, found, notes)
	}
	if f, err := features.InMemory(); err == nil {
		if f.Rows() > most {
			t.Errorf("%s: %d rows are in memory, and %d may be", query, f.Rows(), most)
		}
		tabletest.Same(t, f, want, 0)
		return
	}
	part := data.Region{From: want.Rows() / 3, To: want.Rows() / 2, Columns: []int{len(want.Columns) - 1}}
	for b, err := range data.BlocksOf(t.Context(), features, part) {
		if err != nil {
			t.Fatal(err)
		}
		of := data.AllRows(want.Rows())[b.First : b.First+b.Rows()]
		tabletest.Same(t, b.Frame, want.Subset(of).Select(part.Columns), 0)
	}
	for range 2 {
		var got *data.Frame
		blocks := 0
		for b, err := range features.Blocks(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			if blocks++; got == nil {
				got = b.Frame
			} else if got, err = data.Concat(got, b.Frame); err != nil {
				t.Fatal(err)
			}
		}
		if blocks < 2 && want.Rows() > 100 {
			t.Errorf("%s: %d blocks", query, blocks)
		}
		tabletest.Same(t, got, want, 0)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("%d files are left, %v", len(left), err)
	}
}

// Stored rows are those of the query: every type, columns that turn categorical late, errors.
func TestStore(t *testing.T) {
	db := open(t, "sqlite", "file:"+filepath.Join(t.TempDir(), "a.db"))
	exec(t, db, `create table t (i integer, r real, b boolean, day date, ts datetime, tx varchar(9), bl blob, any)`,
		`with recursive n(k) as (select 1 union all select k + 1 from n where k < 1500)
		insert into t select k - 700, k / 7.0, k % 2, date('2026-01-01', k || ' days'),
			'2026-01-31 12:00:' || (10 + k % 50), 'x' || (k % 11), x'6162', k % 5 from n`,
		`insert into t (i, bl, any) values (null, null, 'late'), (9007199254740993, 'z', 1.5)`)
	model := &data.Schema{Fields: []data.Field{{Name: "not there"}, {Name: "r"}, {Name: "no text",
		Kind: data.Categorical, Levels: []string{"a"}}, {Name: "tx", Kind: data.Categorical, Levels: []string{"x1", "x2"}}}}
	for _, o := range []data.ReadOptions{{}, {AllCategorical: true}, {Ignore: []string{"i", "day"}},
		{Numeric: []string{"any"}}, {Ignore: []string{"none"}}, {Schema: model, Also: []string{"any"},
			Spare: []string{"not there", "no text"}}} {
		stored(t, db, o, "select * from t")
	}
	stored(t, db, data.ReadOptions{}, "select * from t where false")
}

// Types that only a server has.
func TestStorePostgres(t *testing.T) {
	tier.NotShort(t, "starts a server, and TestStore reads rows of another one")
	db := open(t, "pgx", postgrestest.Start(t).URL)
	stored(t, db, data.ReadOptions{}, `select i::int4 as i, i::numeric / 3 as n, (i / 7.0)::float4 as f,
		i::float8 / 0.3 as d, i % 2 = 0 as b, date '2026-01-01' + i as day,
		timestamptz '1969-12-31 23:59:59.999999+02' + i * interval '1 s' as at, time '01:00' + i * interval '1 s' as tm,
		case when i % 3 > 0 then 't' || i % 4 end as tx, 'e'::bytea as by from generate_series(1, 1500) i`)
	stored(t, db, data.ReadOptions{}, "select 1/(3000-i) as a from generate_series(1, 9000) i")
}
