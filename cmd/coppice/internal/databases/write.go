package databases

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
)

// Column is a column of a table to write.
type Column struct {
	Name string
	Kind Kind
}

// The ways to write a table that exists already.
const (
	Fail    = "fail"
	Replace = "replace"
	Append  = "append"
)

// Target is a table to write.
type Target struct {
	Name     string // perhaps with its schema before a point
	IfExists string
	Columns  []Column
}

// Write writes a table in one transaction: produce gets a function that adds a row, of which "" is
// NULL. If produce or the database fails, the database stays what it was.
func (d *DB) Write(
	ctx context.Context, to Target, produce func(add func(fields []string) error) error,
) (rows int, err error) {
	if to.IfExists == Replace && !d.transactionalTables() {
		return 0, cli.Misusef("--if-exists replace: MySQL cannot replace a table in a transaction " +
			"(drop it before, or append)")
	}
	tx, err := d.BeginTx(ctx, nil)
	if err != nil {
		return 0, d.fault(ctx, "", err)
	}
	defer tx.Rollback()
	w := &writer{ctx: ctx, db: d, tx: tx, to: to, name: d.qualified(to.Name)}
	created, err := w.create()
	if err != nil {
		return 0, err
	}
	if err = produce(w.add); err == nil {
		err = w.flush()
	}
	if err == nil {
		if err = tx.Commit(); err == nil {
			return w.rows, nil
		}
		err = d.fault(ctx, "", err)
	}
	if created && !d.transactionalTables() {
		tx.Rollback()
		d.ExecContext(context.WithoutCancel(ctx), "drop table "+w.name)
	}
	return 0, err
}

// qualified quotes the name of a table and of its schema.
func (d *DB) qualified(name string) string {
	parts := strings.Split(name, ".")
	for i := range parts {
		parts[i] = d.quote(parts[i])
	}
	return strings.Join(parts, ".")
}

// writer writes the rows of a table, many with each statement.
type writer struct {
	ctx    context.Context
	db     *DB
	tx     *sql.Tx
	to     Target
	name   string
	values []any // of rows that are not written yet
	rows   int
}

// create makes the table, unless rows are appended to one that exists.
func (w *writer) create() (created bool, err error) {
	if w.to.IfExists == Append {
		return false, nil
	}
	if w.to.IfExists == Replace {
		if err := w.exec("drop table if exists " + w.name); err != nil {
			return false, err
		}
	}
	var columns []string
	for _, c := range w.to.Columns {
		columns = append(columns, w.db.quote(c.Name)+" "+w.db.typeOf(c.Kind))
	}
	err = w.exec("create table " + w.name + " (" + strings.Join(columns, ", ") + ")")
	if err != nil && w.db.exists(err) {
		return false, fmt.Errorf("--to-table %s: the table exists already (--if-exists replace or "+
			"append writes to it)", w.to.Name)
	}
	return err == nil, err
}

func (w *writer) exec(statement string, values ...any) error {
	if _, err := w.tx.ExecContext(w.ctx, statement, values...); err != nil {
		return w.db.fault(w.ctx, "--to-table "+w.to.Name+": ", err)
	}
	return nil
}

// add adds a row.
func (w *writer) add(fields []string) error {
	for i, text := range fields {
		v, err := value(w.to.Columns[i].Kind, text)
		if err != nil {
			return err
		}
		w.values = append(w.values, v)
	}
	w.rows++
	const most = 1000 // rows of a statement
	if n := len(w.values); n/len(fields) == most || n+len(fields) > w.db.arguments() {
		return w.flush()
	}
	return nil
}

func value(k Kind, text string) (any, error) {
	switch {
	case text == "":
		return nil, nil
	case k == Integer:
		return strconv.ParseInt(text, 10, 64)
	case k == Float:
		return strconv.ParseFloat(text, 64)
	}
	return text, nil
}

// flush writes the rows that were added.
func (w *writer) flush() error {
	if len(w.values) == 0 {
		return nil
	}
	var s strings.Builder
	s.WriteString("insert into " + w.name + " (")
	for i, c := range w.to.Columns {
		if i > 0 {
			s.WriteString(", ")
		}
		s.WriteString(w.db.quote(c.Name))
	}
	s.WriteString(") values ")
	for i := range w.values {
		switch {
		case i == 0:
			s.WriteString("(")
		case i%len(w.to.Columns) == 0:
			s.WriteString("), (")
		default:
			s.WriteString(", ")
		}
		s.WriteString(w.db.argument(i + 1))
	}
	s.WriteString(")")
	err := w.exec(s.String(), w.values...)
	w.values = w.values[:0]
	return err
}

// KindOf returns the kind of a column that holds some texts: a number if each of them is written as
// a number of its kind is.
func KindOf(texts []string) Kind {
	kind := Integer
	for _, text := range texts {
		if text == "" {
			continue
		}
		if v, err := strconv.ParseInt(text, 10, 64); err == nil && strconv.FormatInt(v, 10) == text {
			continue
		}
		v, err := strconv.ParseFloat(text, 64)
		digits := strings.TrimLeft(text, "-")
		if strings.Contains(digits, ".") && !strings.ContainsAny(digits, "eE") {
			digits = strings.TrimRight(digits, "0") // of a decimal with a fixed number of places
		}
		named := len(digits) > 1 && digits[0] == '0' && digits[1] != '.' // 007
		if err != nil || named || strings.Trim(text, "+-.0123456789eE") != "" ||
			v != v || len(digits) > 17 {
			return Text
		}
		kind = Float
	}
	return kind
}
