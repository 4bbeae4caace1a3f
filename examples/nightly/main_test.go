package main

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// shop makes a database of orders: dear ones of one country are returned, where the label follows
// a rule, and any where it does not.
func shop(t *testing.T, rule bool) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(t.TempDir(), "shop.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	var values []string
	for i := range 600 {
		amount, country := 10+i*37%190, []string{"ch", "de", "fr"}[i%3]
		returned := amount > 100 && country == "de"
		if !rule {
			returned = i*7919%11 < 5
		}
		label := map[bool]string{true: "'yes'", false: "'no'"}[returned]
		if i >= 500 {
			label = "null"
		}
		values = append(values, fmt.Sprintf("(%d, %d, '%s', %s)", i, amount, country, label))
	}
	for _, s := range []string{"create table orders (id integer, amount real, country text, returned text)",
		"insert into orders values " + strings.Join(values, ", ")} {
		if _, err := db.Exec(s); err != nil {
			t.Fatal(err)
		}
	}
	return db
}

func TestNightly(t *testing.T) {
	db := shop(t, true)
	n, err := run(t.Context(), db)
	if err != nil || n != 100 {
		t.Fatalf("%d orders, error %v", n, err)
	}
	var right int
	err = db.QueryRow(`select count(*) from returns join orders using (id)
		where (probability > 0.5) = (amount > 100 and country = 'de')`).Scan(&right)
	if err != nil || right < 95 {
		t.Errorf("%d of 100 are right, error %v", right, err)
	}
	if _, err := run(t.Context(), db); err != nil {
		t.Errorf("the second night: %v", err)
	}
}

func TestGate(t *testing.T) {
	db := shop(t, false)
	if _, err := run(t.Context(), db); err == nil || !strings.Contains(err.Error(), "nothing is predicted") {
		t.Errorf("got %v", err)
	}
	var tables int
	if err := db.QueryRow("select count(*) from sqlite_master where name = 'returns'").Scan(&tables); err != nil || tables > 0 {
		t.Errorf("%d tables, error %v", tables, err)
	}
}
