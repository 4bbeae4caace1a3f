package sqldata_test

import (
	"context"
	"database/sql"
	"fmt"
	"log"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/sqldata"
)

// The rows of a query become a table. The program imports the driver, here that of SQLite.
func ExampleOpen() {
	ctx := context.Background()
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1) // each connection has a memory of its own
	for _, s := range []string{"create table plants (height real, kind text)",
		"insert into plants values (1.5, 'fern'), (3, 'palm'), (null, 'fern')"} {
		if _, err := db.ExecContext(ctx, s); err != nil {
			log.Fatal(err)
		}
	}
	rows, err := db.QueryContext(ctx, "select height, kind from plants")
	if err != nil {
		log.Fatal(err)
	}
	defer rows.Close()
	f, err := sqldata.Open(data.ReadOptions{}, rows).Frame(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.Schema.Names(), f.Columns[0].Numbers(), f.Schema.Fields[1].Levels)
	// Output:
	// [height kind] [1.5 3 NaN] [fern palm]
}
