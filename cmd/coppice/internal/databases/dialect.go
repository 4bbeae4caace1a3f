package databases

import (
	"errors"
	"strconv"
	"strings"

	"github.com/go-sql-driver/mysql"
	"github.com/jackc/pgx/v5/pgconn"
)

// dialect is what databases have different words for.
type dialect interface {
	quote(name string) string  // of a table or column
	argument(n int) string     // the n-th of a statement, from 1
	typeOf(k Kind) string      // of a column
	exists(err error) bool     // a table exists already
	readOnly() bool            // transactions may be
	transactionalTables() bool // tables come and go with their transactions
	arguments() int            // the most of a statement
}

// Kind is what a column of a table holds.
type Kind uint8

// The kinds.
const (
	Text Kind = iota
	Integer
	Float
)

func quoted(name, mark string) string { return mark + strings.ReplaceAll(name, mark, mark+mark) + mark }

type postgres struct{}

func (postgres) quote(name string) string  { return quoted(name, `"`) }
func (postgres) argument(n int) string     { return "$" + strconv.Itoa(n) }
func (postgres) typeOf(k Kind) string      { return [...]string{"text", "bigint", "double precision"}[k] }
func (postgres) readOnly() bool            { return true }
func (postgres) transactionalTables() bool { return true }
func (postgres) arguments() int            { return 1<<16 - 1 }
func (postgres) exists(err error) bool {
	var e *pgconn.PgError
	return errors.As(err, &e) && e.Code == "42P07"
}

type mySQL struct{}

func (mySQL) quote(name string) string  { return quoted(name, "`") }
func (mySQL) argument(int) string       { return "?" }
func (mySQL) typeOf(k Kind) string      { return [...]string{"text", "bigint", "double"}[k] }
func (mySQL) readOnly() bool            { return true }
func (mySQL) transactionalTables() bool { return false }
func (mySQL) arguments() int            { return 1<<16 - 1 }
func (mySQL) exists(err error) bool {
	var e *mysql.MySQLError
	return errors.As(err, &e) && e.Number == 1050
}

type sqlite struct{}

func (sqlite) quote(name string) string  { return quoted(name, `"`) }
func (sqlite) argument(int) string       { return "?" }
func (sqlite) typeOf(k Kind) string      { return [...]string{"text", "integer", "real"}[k] }
func (sqlite) readOnly() bool            { return false } // files are opened so
func (sqlite) transactionalTables() bool { return true }
func (sqlite) arguments() int            { return 32766 }
func (sqlite) exists(err error) bool     { return strings.Contains(err.Error(), "already exists") }
