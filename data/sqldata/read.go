package sqldata

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/table"
)

// Name is how errors and notes call the rows of a query, of which the lines are numbers from 1.
const Name = "query"

// read adds the rows that a database sends to a builder.
func (q *Query) read(ctx context.Context, b *table.Builder) error {
	b.Begin(Name, nil)
	columns, err := q.newColumns(b)
	if err != nil {
		return err
	}
	values, targets := make([]any, len(columns)), make([]any, len(columns))
	for i := range columns {
		if targets[i] = &values[i]; columns[i].to == nil {
			targets[i] = new(sql.RawBytes)
		}
	}
	for row := 0; ; row++ {
		if !q.rows.Next() {
			if err := q.rows.Err(); err != nil {
				return failed(ctx, row, err)
			}
			return ctx.Err()
		}
		if err := q.rows.Scan(targets...); err != nil {
			return failed(ctx, row, err)
		}
		for i := range columns {
			c := &columns[i]
			if c.to == nil {
				continue
			}
			if fault := c.put(values[i]); fault != nil {
				fault.File, fault.Line, fault.Column = Name, row+1, c.to.Field.Name
				return fault
			}
		}
		if err := b.EndRow(row + 1); err != nil {
			return err
		}
	}
}

// failed is the error of a database that stops sending rows.
func failed(ctx context.Context, rows int, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return &data.ReadError{File: Name, Err: err, Msg: fmt.Sprintf("the database failed after %d rows: %s",
		rows, strings.Join(strings.Fields(err.Error()), " "))}
}

// column is a column of the query.
type column struct {
	to      *table.Column // nil: it is not needed
	meaning meaning
}

// newColumns finds out what the columns hold.
func (q *Query) newColumns(b *table.Builder) ([]column, error) {
	types, err := q.rows.ColumnTypes()
	if err != nil {
		return nil, &data.ReadError{File: Name, Msg: err.Error(), Err: err}
	}
	names := make([]string, len(types))
	for i, t := range types {
		names[i] = t.Name()
	}
	if err := b.Names(names); err != nil {
		return nil, err
	}
	columns := make([]column, len(types))
	for i, t := range types {
		m, typed := q.meaningOf(t)
		to, err := b.Column(t.Name(), m.typed())
		if err != nil {
			return nil, err
		}
		if !to.Used() {
			continue
		}
		if m == none {
			return nil, &data.ReadError{File: Name, Column: t.Name(), Err: data.ErrType, Msg: "is " +
				typed + ", which has no place in a table (ignore the column, or convert it in the query)"}
		}
		switch m {
		case float32s:
			to.Bits = 32
		case category:
			to.Literal = true
			if levels := q.Enumerations[typed]; levels != nil && to.Storage == table.Codes && to.Dict.Open() {
				if fault := to.Dict.Declare(levels); fault != nil {
					fault.File, fault.Column = Name, t.Name()
					return nil, fault
				}
			}
		}
		columns[i] = column{to, m}
	}
	return columns, nil
}

// put appends a value, in one of the forms that drivers may give it.
func (c *column) put(v any) *data.ReadError {
	switch v := v.(type) {
	case nil:
		c.to.AppendMissing()
	case int64:
		c.putInteger(v)
	case uint64:
		c.to.AppendUnsigned(v)
	case float64:
		c.to.AppendNumber(v)
	case float32:
		c.to.AppendNumber(float64(v))
	case bool:
		c.to.AppendBool(v)
	case time.Time:
		return c.putTime(v)
	case string:
		return c.putText([]byte(v))
	case []byte:
		return c.putText(v)
	default:
		return c.putText([]byte(fmt.Sprint(v)))
	}
	return nil
}

// putInteger appends an integer; SQLite has 0 and 1 for truth values.
func (c *column) putInteger(v int64) {
	if c.meaning == truth {
		c.to.AppendBool(v != 0)
	} else {
		c.to.AppendInteger(v)
	}
}

// putTime appends a date. What was to be a text stays one.
func (c *column) putTime(v time.Time) *data.ReadError {
	v = v.UTC()
	switch {
	case v.Year() < 1 || v.Year() > 9999:
		return &data.ReadError{Msg: fmt.Sprintf("the year %d is none of 1 to 9999", v.Year()),
			Err: data.ErrDate}
	case c.meaning == date:
		c.to.AppendDate(v.UnixMicro(), time.Microsecond)
	case c.meaning == clock:
		c.to.AppendNumber(float64(v.Sub(v.Truncate(24*time.Hour)) / time.Microsecond))
	default:
		c.to.AppendText([]byte(data.DateText(float64(v.UnixMicro()))))
	}
	return nil
}

// putText appends what a driver gives as text.
func (c *column) putText(b []byte) *data.ReadError {
	short := strings.TrimSpace(string(b))
	switch c.meaning {
	case anything, text, category, truth:
		c.to.AppendText(b)
		return nil
	case number, float32s:
		v, ok := table.ParseNumber([]byte(short))
		switch {
		case ok:
			c.to.AppendNumeral(v, []byte(short))
		case short == "" || strings.EqualFold(short, "nan"):
			c.to.AppendMissing()
		default:
			return &data.ReadError{Msg: table.Quote(b) + " is not a number (convert it in the query)",
				Err: data.ErrNumber}
		}
		return nil
	case clock:
		at, err := time.Parse("15:04:05", short) // it accepts fractions of a second
		if err != nil {
			return &data.ReadError{Msg: table.Quote(b) + " is not a time of the day", Err: data.ErrDate}
		}
		return c.putTime(at.AddDate(1970, 0, 0))
	}
	return c.putDate(b, short)
}

// putDate appends a date that a driver gives as text.
func (c *column) putDate(b []byte, short string) *data.ReadError {
	if short == "" || strings.HasPrefix(short, "0000-00-00") {
		c.to.AppendMissing()
		return nil
	}
	v, ok := data.ParseDate(short, data.YearFirst)
	if !ok || math.IsNaN(v) {
		return &data.ReadError{Msg: table.Quote(b) + " is not a date", Err: data.ErrDate}
	}
	c.to.AppendDate(int64(v), time.Microsecond)
	return nil
}
