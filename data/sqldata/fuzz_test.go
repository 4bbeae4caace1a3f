package sqldata_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/sqldata"
	"github.com/coppice-ml/coppice/data/tabletest"
)

// types are names that drivers give to types of columns.
var types = []string{"", "INT8", "FLOAT4", "NUMERIC(9, 2)", "BOOL", "DATE", "TIMESTAMPTZ", "TIME",
	"TEXT", "INTERVAL", "_INT4", "UNSIGNED BIGINT", "BLOB", "ENUM", "16403"}

// answer is a driver whose every query is answered by the columns and values that bytes describe:
//
//	columns | a type for each | a value for each column, a row after another ...
//	a value: its kind | 8 bytes, or a length and a text
type answer struct {
	columns []string
	types   []byte
	rest    []byte
}

func answerOf(b []byte) *answer {
	a := &answer{rest: b}
	for range a.take() % 5 {
		a.columns = append(a.columns, string([]byte{'a' + byte(len(a.columns))}))
		a.types = append(a.types, a.take())
	}
	return a
}

func (a *answer) take() byte {
	if len(a.rest) == 0 {
		return 0
	}
	b := a.rest[0]
	a.rest = a.rest[1:]
	return b
}

func (a *answer) takeWord() uint64 {
	var word [8]byte
	a.rest = a.rest[copy(word[:], a.rest):]
	return binary.LittleEndian.Uint64(word[:])
}

func (a *answer) takeText() []byte {
	n := min(int(a.take()), len(a.rest))
	text := a.rest[:n]
	a.rest = a.rest[n:]
	return slices.Clone(text)
}

// value returns a value in one of the forms that package driver allows.
func (a *answer) value() driver.Value {
	switch a.take() % 8 {
	case 0:
		return nil
	case 1:
		return int64(a.takeWord())
	case 2:
		return math.Float64frombits(a.takeWord())
	case 3:
		return a.take()%2 == 1
	case 4:
		return time.UnixMicro(int64(a.takeWord()))
	case 5:
		return string(a.takeText())
	case 6:
		return a.takeText()
	}
	return int64(int8(a.take()))
}

func (a *answer) Connect(context.Context) (driver.Conn, error) { return a, nil }
func (a *answer) Driver() driver.Driver                        { return nil }
func (a *answer) Prepare(string) (driver.Stmt, error)          { return a, nil }
func (a *answer) Begin() (driver.Tx, error)                    { return nil, errors.ErrUnsupported }
func (a *answer) NumInput() int                                { return 0 }
func (a *answer) Exec([]driver.Value) (driver.Result, error)   { return nil, errors.ErrUnsupported }
func (a *answer) Query([]driver.Value) (driver.Rows, error)    { return a, nil }
func (a *answer) Close() error                                 { return nil }
func (a *answer) Columns() []string                            { return a.columns }

func (a *answer) ColumnTypeDatabaseTypeName(i int) string {
	return types[int(a.types[i])%len(types)]
}

func (a *answer) Next(row []driver.Value) error {
	if len(a.rest) == 0 || len(row) == 0 {
		return io.EOF
	}
	if a.rest[0] == 0xff {
		return errors.New("the connection\nis lost")
	}
	for i := range row {
		row[i] = a.value()
	}
	return nil
}

// TestEnumerations: their values are levels, whether or not a row has them, and even if they look
// like dates or numbers.
func TestEnumerations(t *testing.T) {
	db := sql.OpenDB(answerOf([]byte("\x02\x0d\x0e\x05\x0a2026-01-31\x05\x025+\x05\x0a2026-01-30\x05\x021+")))
	defer db.Close()
	rows, err := db.QueryContext(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	q := sqldata.Open(data.ReadOptions{}, rows)
	q.Enumerations = map[string][]string{"16403": {"9+", "5+", "1+"}}
	f, err := q.Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	const want = "a 2026-01-31 2026-01-30 {2026-01-30|2026-01-31}\nb 5+ 1+ {1+|5+|9+}\n"
	if got := tabletest.Render(f); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// FuzzRead shows that any answer of a database gives a frame that is whole, or a typed error.
func FuzzRead(f *testing.F) {
	f.Add([]byte("\x02\x01\x08\x07\x05\x05\x02ok\x00\x00"))
	f.Add([]byte("\x04\x05\x06\x07\x04\x05\x0a2026-01-31\x04\x01\x02\x03\x04\x05\x06\x07\x08\x05\x0501:02\x03\x01"))
	f.Add([]byte("\x03\x00\x02\x03\x02\x01\x02\x03\x04\x05\x06\x07\x08\x01\x01\x02\x03\x04\x05\x06\x07\x08\x05\x031.5\xff"))
	f.Add([]byte("\x01\x09\x00\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		db := sql.OpenDB(answerOf(b))
		defer db.Close()
		rows, err := db.QueryContext(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		frame, err := sqldata.Open(data.ReadOptions{}, rows).Frame(t.Context())
		tabletest.CheckError(t, err)
		if (frame == nil) == (err == nil) {
			t.Fatalf("frame %v beside error %v", frame, err)
		}
		if frame != nil {
			tabletest.Render(frame)
		}
	})
}
