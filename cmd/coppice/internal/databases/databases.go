// Package databases opens the databases that the flag --db names, reads the rows of queries, and
// writes tables of predictions. It alone imports drivers.
package databases

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	_ "modernc.org/sqlite" // the driver of sqlite: files

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/outside"
)

// Environment is the variable that names the database where --db does not.
const Environment = "COPPICE_DB"

// DB is a database.
type DB struct {
	*sql.DB
	dialect
	shown string   // its URL without the password
	hide  []string // what no message may hold
}

// connecting is how long a connection may take to be made.
const connecting = 10 * time.Second

// Open prepares a database for reading or, if write, for writing too. Connections are made when
// they are needed.
func Open(address string, write bool) (*DB, error) {
	scheme, rest, _ := strings.Cut(address, ":")
	switch scheme {
	case "postgres", "postgresql":
		return openPostgres(address)
	case "mysql":
		return openMySQL(address)
	case "sqlite":
		return openSQLite(strings.TrimPrefix(rest, "//"), write)
	}
	return nil, cli.Misusef("--db %s: want postgres://USER@HOST/NAME, mysql://USER@HOST/NAME or "+
		"sqlite:FILE", withoutPassword(address))
}

// withoutPassword returns a URL for messages.
func withoutPassword(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		scheme, _, _ := strings.Cut(address, ":")
		return scheme + ":..."
	}
	if u.User != nil {
		u.User = url.User(u.User.Username())
	}
	u.RawQuery = ""
	return u.String()
}

func openPostgres(address string) (*DB, error) {
	config, err := pgx.ParseConfig(address)
	if err != nil { // the text may quote the URL
		return nil, cli.Misusef("--db %s is no URL of a PostgreSQL database",
			withoutPassword(address))
	}
	if config.ConnectTimeout == 0 || config.ConnectTimeout > connecting {
		config.ConnectTimeout = connecting
	}
	return &DB{DB: stdlib.OpenDB(*config), dialect: postgres{}, shown: withoutPassword(address),
		hide: []string{address, config.Password}}, nil
}

func openMySQL(address string) (*DB, error) {
	u, err := url.Parse(address)
	bad := cli.Misusef("--db %s is no URL of a MySQL database", withoutPassword(address))
	if err != nil || u.Host == "" {
		return nil, bad
	}
	query := u.RawQuery
	if query != "" {
		query = "?" + query
	}
	config, err := mysql.ParseDSN("/" + strings.TrimPrefix(u.Path, "/") + query)
	if err != nil {
		return nil, bad
	}
	config.Net, config.Addr = "tcp", u.Host
	if u.Port() == "" {
		config.Addr += ":3306"
	}
	config.User = u.User.Username()
	config.Passwd, _ = u.User.Password()
	config.ParseTime = false // dates are read as texts: zero dates are missing values
	config.Timeout = connecting
	config.Logger = &mysql.NopLogger{}
	connector, err := mysql.NewConnector(config)
	if err != nil {
		return nil, bad
	}
	return &DB{DB: sql.OpenDB(connector), dialect: mySQL{}, shown: withoutPassword(address),
		hide: []string{address, config.Passwd}}, nil
}

func openSQLite(path string, write bool) (*DB, error) {
	if _, err := outside.FileInfo(path); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("--db sqlite:%s: no such file", path)
		}
		return nil, fmt.Errorf("--db sqlite:%w", err)
	}
	mode := "ro"
	if write {
		mode = "rw"
	}
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+"?mode="+mode)
	if err != nil {
		return nil, err
	}
	return &DB{DB: db, dialect: sqlite{}, shown: "sqlite:" + path}, nil
}

// rows reads the rows of a query in a transaction that may not write.
func (d *DB) rows(ctx context.Context, query string, read func(*sql.Rows) error) error {
	tx, err := d.BeginTx(ctx, &sql.TxOptions{ReadOnly: d.readOnly()})
	if err != nil {
		return d.fault(ctx, "", err)
	}
	defer tx.Rollback()
	rows, err := tx.QueryContext(ctx, query)
	if err != nil {
		return d.fault(ctx, "--sql: ", err)
	}
	err = read(rows)
	var known *data.ReadError
	if errors.As(err, &known) {
		shown := *known
		shown.Msg = d.clean(known.Msg)
		return &shown
	}
	return err
}

// enumerations returns the values of the enumerations of PostgreSQL, by the number that its driver
// has for the name of the type, if rows have a column of such a number. Databases of other makers
// that speak its protocol may have none.
func (d *DB) enumerations(ctx context.Context, rows *sql.Rows) map[string][]string {
	types, err := rows.ColumnTypes()
	if _, is := d.dialect.(postgres); !is || err != nil || !slices.ContainsFunc(types, func(t *sql.ColumnType) bool {
		_, err := strconv.Atoi(t.DatabaseTypeName())
		return err == nil
	}) {
		return nil
	}
	found, err := d.QueryContext(ctx, "select enumtypid::text, enumlabel from pg_enum")
	if err != nil {
		return nil
	}
	defer found.Close()
	all := map[string][]string{}
	for found.Next() {
		var of, label string
		if found.Scan(&of, &label) != nil {
			return nil
		}
		all[of] = append(all[of], label)
	}
	return all
}

// fault explains an error of the database on one line, without passwords.
func (d *DB) fault(ctx context.Context, at string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return &fault{d.clean(fmt.Sprintf("%s%s: %v", at, d.shown, err)), err}
}

type fault struct {
	text string
	err  error
}

func (f *fault) Error() string { return f.text }

func (f *fault) Unwrap() error { return f.err }

func (d *DB) clean(text string) string {
	for _, secret := range d.hide {
		if secret != "" && secret != d.shown {
			text = strings.ReplaceAll(text, secret, "...")
		}
	}
	return strings.Join(strings.Fields(text), " ")
}
