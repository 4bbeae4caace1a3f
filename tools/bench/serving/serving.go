//go:build linux

// Package serving is the case of requests to servers of one model, on this machine.
package serving

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/codec/formats"
	"github.com/coppice-ml/coppice/internal/replace"
	"github.com/coppice-ml/coppice/learn/gbm"
	"github.com/coppice-ml/coppice/tools/bench/pairs"
	"github.com/coppice-ml/coppice/tools/bench/tables/recipe"
)

//go:embed peers.py
var peersPython string

// Case loads servers with the requests of some connections: coppice serve, a handler of
// encoding/json and leaves, and FastAPI with XGBoost where Python has them. The client runs on the
// same processors. Each round is a server of its own.
var Case = pairs.Case{Name: "serving", About: "requests a second to servers, of one row, of " +
	"reasons and of 1,000 rows, and what metrics cost",
	Example: "-coppice ./coppice -rounds 3 row reasons thousand metrics",
	Takes:   "rounds busy quick python coppice sides",
	Set: func(r *pairs.Run) func(context.Context) error {
		b := &bench{Run: r, trees: 500, train: 50_000}
		r.IntVar(&b.connections, "connections", 64, "`number` of connections at a time")
		r.IntVar(&b.seconds, "seconds", 10, "`length` of each load")
		r.Job("load", 6, load)
		r.Job("leaves", 3, serveLeaves)
		r.Job("model", 3, serveModel)
		return b.run
	}}

// bench is a run of the case.
type bench struct {
	*pairs.Run
	trees, train         int
	connections, seconds int
	script               string
}

func (b *bench) file(name string) string { return filepath.Join(b.Scratch, name) }

func (b *bench) run(ctx context.Context) (err error) {
	if b.Quick {
		b.trees, b.train, b.seconds = 20, 500, 1
	}
	chosen, err := b.Chosen("row", "reasons", "thousand", "metrics")
	if err != nil {
		return err
	}
	if b.script, err = b.Write("peers.py", peersPython); err != nil {
		return err
	}
	if err := b.write(ctx); err != nil {
		return err
	}
	for _, part := range chosen {
		sides, results, err := b.Alternate(ctx, b.sides(part), 0)
		if err != nil {
			return fmt.Errorf("%s: %w", part, err)
		}
		fmt.Printf("\n### %s: %d trees, %d connections, %d s\n\n", part, b.trees, b.connections, b.seconds)
		pairs.PrintTable(sides, results, pairs.Fact("requests a second", "requests", "%.0f"),
			pairs.TimesOurs(), pairs.Fact("median ms", "median", "%.2f"), pairs.Fact("p99 ms", "p99", "%.2f"),
			pairs.Fact("processor us of a request", "processor", "%.1f"),
			pairs.Fact("failed", "failed", "%.0f"), pairs.Fact("first number of the answer", "answer", "%.7g"))
	}
	return nil
}

// write trains the model, and writes it in the formats of all sides, with the bodies of requests.
func (b *bench) write(ctx context.Context) error {
	higgs := recipe.ByName("higgs")
	ds, err := higgs.Dataset(0, b.train, 0)
	if err != nil {
		return err
	}
	l := gbm.New()
	l.Trees, l.Leaves, l.Rehearse = b.trees, 31, false
	m, err := coppice.Train(ctx, l, ds, coppice.Seed(1))
	if err != nil {
		return err
	}
	err = coppice.Save(b.file("model.coppice"), m)
	for _, suffix := range []string{".txt", ".ubj"} {
		path := b.file("model" + suffix)
		format := formats.BySuffix(path)
		err = errors.Join(err, replace.File(path, func(w io.Writer) error { return format.Encode(w, m) }))
	}
	if err == nil {
		err = older(b.file("model.txt"))
	}
	if err != nil {
		return err
	}
	const rows = 1000
	values, _ := higgs.Matrix(b.train, rows)
	names := m.Spec().Schema.Names()
	for name, body := range map[string]func([]string, []float32) ([]byte, error){"row": jsonRow,
		"rows.json": jsonRows, "rows.csv": csvRows, "rows.arrow": arrowRows, "rows.tensor": tensorRows} {
		content, err := body(names, values)
		if err == nil {
			err = os.WriteFile(b.file(name), content, 0o644)
		}
		if err != nil {
			return err
		}
	}
	list, err := json.Marshal(names)
	if err != nil {
		return err
	}
	return os.WriteFile(b.file("names.json"), list, 0o644)
}

// older lets leaves read a model of LightGBM: it knows versions up to 3, which write trees of
// numbers alike.
func older(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return os.WriteFile(path, bytes.Replace(text, []byte("\nversion=v4\n"), []byte("\nversion=v3\n"), 1), 0o644)
}

// sides returns those of a part. A server's words have the port as PORT.
func (b *bench) sides(part string) []pairs.Side {
	side := func(name, path, kind, body string, server ...string) pairs.Side {
		return b.Own(name, "load", slices.Concat([]string{fmt.Sprint(b.connections), fmt.Sprint(b.seconds),
			path, kind, b.file(body)}, server)...)
	}
	ours := []string{b.Coppice, "serve", b.file("model.coppice"), "--listen", "127.0.0.1:PORT"}
	python := []string{b.Python, "-m", "uvicorn", "--app-dir", b.Scratch, "--port", "PORT", "--workers",
		"2", "--log-level", "warning", "--no-access-log", "peers:app"}
	const predict = "/v1/models/model/predict"
	var all []pairs.Side
	switch part {
	case "row":
		all = append(all, side("coppice serve", predict, "application/json", "row", ours...),
			side("encoding/json and leaves", "/predict", "application/json", "row",
				b.Own("", "leaves", b.file("model.txt"), b.file("names.json"), "PORT").Command...))
	case "reasons":
		all = append(all, side("coppice serve", predict+"?reasons=5", "application/json", "row", ours...))
	case "metrics":
		for _, word := range []string{"with", "without"} {
			all = append(all, side(word+" metrics", predict, "application/json", "row",
				b.Own("", "model", b.file("model.coppice"), word, "PORT").Command...))
		}
		return all
	case "thousand":
		all = append(all, side("coppice serve, JSON", predict, "application/json", "rows.json", ours...),
			side("coppice serve, CSV", predict, "text/csv", "rows.csv", ours...),
			side("coppice serve, Arrow", predict, "application/vnd.apache.arrow.stream", "rows.arrow", ours...),
			side("coppice serve, binary tensor", "/v2/models/model/infer", "application/octet-stream",
				"rows.tensor", ours...))
	}
	if !pythonHas(b.Python, "fastapi", "uvicorn", "xgboost") {
		fmt.Fprintln(os.Stderr, "FastAPI takes no part: Python has no fastapi, uvicorn or xgboost")
		return all
	}
	body := map[string]string{"row": "row", "reasons": "row", "thousand": "rows.json"}[part]
	return append(all, side("FastAPI and XGBoost", "/"+part, "application/json", body, python...))
}
