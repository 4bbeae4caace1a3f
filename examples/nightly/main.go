// Command nightly trains a model on the rows of a database, and writes predictions back if the
// model is good enough. A cron job may run it each night:
//
//	go run ./examples/nightly shop.db
//
// The table orders has the columns amount, country, returned ("yes", "no" or null), and id.
package main

import (
	"context"
	"database/sql"
	"fmt"
	"log"
	"os"

	_ "modernc.org/sqlite"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/data/sqldata"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/learn/gbm"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
)

// leastAUC is the gate: a model below it predicts nothing.
const leastAUC = 0.7

// Order is a row to predict.
type Order struct {
	ID      int64
	Amount  sql.Null[float64] `coppice:"amount"`
	Country sql.NullString    `coppice:"country"`
}

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: nightly FILE.db")
	}
	db, err := sql.Open("sqlite", os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	n, err := run(context.Background(), db)
	if err != nil {
		log.Fatal(err)
	}
	log.Printf("%d orders predicted", n)
}

// run trains, judges and predicts.
func run(ctx context.Context, db *sql.DB) (predicted int, err error) {
	m, err := train(ctx, db)
	if err != nil {
		return 0, err
	}
	p, err := coppice.NewPredictor[Order](m)
	if err != nil {
		return 0, err
	}
	orders, err := open(ctx, db)
	if err != nil {
		return 0, err
	}
	all, err := p.PredictAll(ctx, orders)
	if err != nil {
		return 0, err
	}
	return len(all), write(ctx, db, orders, all)
}

// train trains on the orders that were returned or kept, and tests on a fifth of them.
func train(ctx context.Context, db *sql.DB) (model.Model, error) {
	rows, err := db.QueryContext(ctx,
		"select amount, country, returned from orders where returned is not null")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	f, err := sqldata.Open(data.ReadOptions{}, rows).Frame(ctx)
	if err != nil {
		return nil, err
	}
	ds, err := data.Label("returned").Apply(f)
	if err != nil {
		return nil, err
	}
	training, _, test, err := split.HoldOut{Test: 0.2, Seed: 1}.Dataset(ds)
	if err != nil {
		return nil, err
	}
	m, err := coppice.Train(ctx, gbm.New(), training, coppice.Seed(1))
	if err != nil {
		return nil, err
	}
	report, err := eval.Evaluate(ctx, m, test)
	if err != nil {
		return nil, err
	}
	if auc, _ := report.Metrics.Get(metric.AUC); !(auc >= leastAUC) {
		return nil, fmt.Errorf("the model has an AUC of %.3f, below %g: nothing is predicted", auc, leastAUC)
	}
	return m, nil
}

// open returns the orders of which nobody knows yet.
func open(ctx context.Context, db *sql.DB) ([]Order, error) {
	rows, err := db.QueryContext(ctx, "select id, amount, country from orders where returned is null")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []Order
	for rows.Next() {
		var o Order
		if err := rows.Scan(&o.ID, &o.Amount, &o.Country); err != nil {
			return nil, err
		}
		all = append(all, o)
	}
	return all, rows.Err()
}

// write replaces the table of predictions in one transaction.
func write(ctx context.Context, db *sql.DB, orders []Order, all []coppice.Prediction) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // nothing, once it is committed
	for _, s := range []string{"drop table if exists returns",
		"create table returns (id integer primary key, probability real)"} {
		if _, err := tx.ExecContext(ctx, s); err != nil {
			return err
		}
	}
	for i, o := range orders {
		_, err := tx.ExecContext(ctx, "insert into returns values (?, ?)", o.ID, all[i].Probability("yes"))
		if err != nil {
			return err
		}
	}
	return tx.Commit()
}
