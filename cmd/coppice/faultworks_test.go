package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/coppice-ml/coppice/internal/outside"
)

// webServer serves the files of a folder.
type webServer struct {
	*httptest.Server
	folder string
}

func serve(t *testing.T) *webServer {
	w := &webServer{}
	w.Server = httptest.NewServer(http.HandlerFunc(func(to http.ResponseWriter, r *http.Request) {
		http.ServeFile(to, r, filepath.Join(w.folder, filepath.FromSlash(r.URL.Path)))
	}))
	t.Cleanup(w.Close)
	return w
}

func packed(t *testing.T, text []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// trained returns the files that commands write in a folder with files.
func trained(t *testing.T, from map[string][]byte, commands ...string) map[string][]byte {
	t.Helper()
	dir := t.TempDir()
	for name, b := range from {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, line := range commands {
		works(t, strings.Fields(strings.ReplaceAll(line, "DIR", dir))...)
	}
	found := map[string][]byte{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if found[e.Name()], err = os.ReadFile(filepath.Join(dir, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	return found
}

// folder returns the files of a folder, with what stands before their names.
func folder(t *testing.T, path, prefix string) map[string][]byte {
	t.Helper()
	entries, err := os.ReadDir(path)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string][]byte{}
	for _, e := range entries {
		if found[prefix+e.Name()], err = os.ReadFile(filepath.Join(path, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	return found
}

// ranking is a LibSVM table without a suffix, and its queries beside it.
func ranking() (rows, queries []byte) {
	var of, sizes bytes.Buffer
	for i := range 60 {
		fmt.Fprintf(&of, "%d 1:%d 2:%d\n", i%3, i*7%11, i*5%13)
		if i%6 == 5 {
			sizes.WriteString("6\n")
		}
	}
	return of.Bytes(), sizes.Bytes()
}

// checkpoint returns one of a training that failed behind it.
func checkpoint(t *testing.T, table []byte) []byte {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "t.csv")
	if err := os.WriteFile(path, table, 0o600); err != nil {
		t.Fatal(err)
	}
	saved := 0
	end := outside.Judge(func(c outside.Call) (f outside.Fault) {
		if c.Kind == outside.Rename {
			if saved++; saved == 2 {
				f.Err = syscall.EIO
			}
		}
		return f
	})
	model := filepath.Join(dir, "m.coppice")
	_, errs, status := run(t, "train", path, "--label", "y", "--set", "trees=6", "--checkpoint-every", "2", "-o", model)
	end()
	b, err := os.ReadFile(model + ".checkpoint")
	if err != nil || status == 0 {
		t.Fatal(err, status, errs)
	}
	return b
}

// faultWorks are the commands whose calls fail in turn: each reads and writes in another way.
func faultWorks(t *testing.T) []work {
	older := []byte("older")
	small, large := encode(t, "csv", largeRows(0, 60)), encode(t, "csv", largeRows(0, 18_000))
	smaller := encode(t, "csv", largeRows(7, 47))
	other := bytes.ReplaceAll(large, []byte(",t1,"), []byte(",t2,")) // as large
	rank, queries := ranking()
	models := trained(t, map[string][]byte{"t.csv": small},
		"train DIR/t.csv --label y --learner cart -o DIR/cart.coppice",
		"train DIR/t.csv --label y --set trees=3 --ignore town -o DIR/gbm.coppice",
		"train DIR/t.csv --label y --learner forest --set trees=4 --shard 1/2 -o DIR/a.coppice",
		"train DIR/t.csv --label y --learner forest --set trees=4 --shard 2/2 -o DIR/b.coppice",
		"convert DIR/gbm.coppice DIR/gbm.json --to xgboost-json",
		"convert DIR/gbm.coppice DIR/gbm.txt --to lightgbm",
		"tune DIR/t.csv --label y --learner cart --budget 2 --folds 2 --study DIR/half.study -o DIR/tuned.coppice")
	cart, gbm := models["cart.coppice"], models["gbm.coppice"]
	type of = map[string][]byte
	return []work{
		{name: "train", args: line("train DIR/t.csv --label y --learner cart --test 0.2 -o DIR/m.coppice"),
			files: of{"t.csv": small, "m.coppice": older}, newer: of{"t.csv": smaller}},
		{name: "train with checkpoints", args: line("train DIR/t.csv --label y --set trees=6 --checkpoint-every 2 -o DIR/m.coppice"),
			files: of{"t.csv": small, "m.coppice": older}, slow: true, keeps: []string{"m.coppice.checkpoint"}},
		{name: "resume", args: line("train DIR/t.csv --label y --set trees=6 --checkpoint-every 2 --resume DIR/m.coppice.checkpoint -o DIR/m.coppice"),
			files: of{"t.csv": small, "m.coppice.checkpoint": checkpoint(t, small)}, slow: true, keeps: []string{"m.coppice.checkpoint"}},
		{name: "continue", args: line("train DIR/t.csv --label y --ignore town --set trees=2 --continue DIR/m.coppice -o DIR/m.coppice"),
			files: of{"t.csv": small, "m.coppice": gbm}},
		{name: "train on a folder", args: line("train DIR/rows --label y --learner cart -o DIR/m.coppice"),
			files: of{"rows/a=1/t.csv": small, "rows/a=2/t.csv.gz": packed(t, small), "m.coppice": older}},
		{name: "train on a pattern", args: line("train DIR/*.csv --label y --learner cart -o DIR/m.coppice"),
			files: of{"t.csv": small, "u.csv": small}},
		{name: "train on queries", args: line("train DIR/rank --label label --task ranking --set trees=2 -o DIR/m.coppice"),
			files: of{"rank": rank, "rank.query": queries, "m.coppice": older}, newer: of{"rank": bytes.ReplaceAll(rank, []byte("0 1:"), []byte("1 1:"))}},
		{name: "train on weights", args: line("train DIR/rank --label label --learner cart -o DIR/m.coppice"),
			files: of{"rank": rank, "rank.weight": bytes.Repeat([]byte("1\n2\n5\n"), 20)}},
		{name: "train on stdin", args: line("train - --label y --learner cart -o DIR/m.coppice"),
			stdin: small},
		{name: "train on stdin beyond memory", args: line("train - --label y --set trees=2 --memory 1300kB --scratch DIR/scratch -o DIR/m.coppice"),
			files: of{"scratch/other": older}, stdin: large, slow: true},
		{name: "train with more files", args: line("train DIR/t.csv --label y --learner cart --valid DIR/v.csv --test DIR/u.csv --costs DIR/costs.csv -o DIR/m.coppice"),
			files: of{"t.csv": small, "u.csv": smaller, "v.csv": encode(t, "csv", largeRows(60, 100)), "costs.csv": []byte("label,no,yes\nno,0,1\nyes,5,0\n")}},
		{name: "train on the web", args: line("train WEB/t.csv --label y --learner cart -o DIR/m.coppice"),
			files: of{"t.csv": small, "m.coppice": older}, newer: of{"t.csv": smaller}},
		{name: "train on parquet", args: line("train DIR/t.parquet --label y --learner cart -o DIR/m.coppice"),
			files: of{"t.parquet": encode(t, "parquet", largeRows(0, 60))}, newer: of{"t.parquet": encode(t, "parquet", largeRows(7, 47))}},
		{name: "train on parquet on the web", args: line("train WEB/t.parquet --label y --learner cart -o DIR/m.coppice"),
			files: of{"t.parquet": encode(t, "parquet", largeRows(0, 60))}},
		{name: "train on arrow", args: line("train DIR/t.arrow --label y --learner cart -o DIR/m.coppice"),
			files: of{"t.arrow": encode(t, "arrow", largeRows(0, 60))}, newer: of{"t.arrow": encode(t, "arrow", largeRows(7, 47))}},
		{name: "train beyond memory", args: line("train DIR/t.csv --label y --set trees=2 --memory 1300kB --scratch DIR/scratch -o DIR/m.coppice"),
			files: of{"t.csv": large, "m.coppice": older, "scratch/other": older}, slow: true, newer: of{"t.csv": other}},
		{name: "retrain", args: line("retrain DIR/m.coppice DIR/t.csv"),
			files: of{"t.csv": small, "m.coppice": cart}, newer: of{"t.csv": smaller}},
		{name: "merge", args: line("merge DIR/a.coppice DIR/b.coppice -o DIR/m.coppice"),
			files: of{"a.coppice": models["a.coppice"], "b.coppice": models["b.coppice"], "m.coppice": older}},
		{name: "tune", args: line("tune DIR/t.csv --label y --learner cart --budget 3 --folds 2 --study DIR/s.study -o DIR/m.coppice"),
			files: of{"t.csv": small, "m.coppice": older}, keeps: []string{"s.study"}, varies: []string{"s.study"}, timed: true},
		{name: "tune again", args: line("tune DIR/t.csv --label y --learner cart --budget 3 --folds 2 --study DIR/s.study -o DIR/m.coppice"),
			files: of{"t.csv": small, "s.study": models["half.study"]}, varies: []string{"s.study"}, timed: true},
		{name: "evaluate", args: line("evaluate DIR/m.coppice DIR/t.csv --calibration --draw DIR/c.svg"),
			files: of{"t.csv": small, "m.coppice": cart, "c.svg": older}},
		{name: "evaluate beyond memory", args: line("evaluate DIR/m.coppice DIR/t.csv --memory 1MiB --scratch DIR/scratch"),
			files: of{"t.csv": large, "m.coppice": cart, "scratch/other": older}, slow: true, newer: of{"t.csv": other}},
		{name: "check", args: line("check DIR/m.coppice DIR/t.csv --fail-if drifted>9 --json"),
			files: of{"t.csv": small, "m.coppice": cart}, newer: of{"t.csv": smaller}},
		// Its intervals draw all rows a thousand times. "check" has them for few rows, and
		// "evaluate beyond memory" reads a table in blocks.
		{name: "check beyond memory", args: line("check DIR/m.coppice DIR/t.csv --memory 1MiB --scratch DIR/scratch"),
			files: of{"t.csv": fewLabels(large), "m.coppice": cart, "scratch/other": older},
			newer: of{"t.csv": fewLabels(other)}},
		{name: "profile", args: line("profile DIR/m.coppice DIR/t.csv"),
			files: of{"t.csv": small, "m.coppice": cart}, newer: of{"t.csv": smaller}},
		{name: "cross-validation", args: line("cv DIR/t.csv --label y --learner cart --folds 3"),
			files: of{"t.csv": small}},
		{name: "predict", args: line("predict DIR/m.coppice DIR/t.csv -o DIR/p.csv"),
			files: of{"t.csv": small, "m.coppice": cart, "p.csv": older}, newer: of{"t.csv": smaller}},
		{name: "predict with reasons and a log", args: line("predict DIR/m.coppice DIR/t.csv --reasons 1 --log DIR/l.jsonl -o DIR/p.parquet"),
			files: of{"t.csv": small, "m.coppice": gbm, "p.parquet": older, "l.jsonl": older}, several: true},
		{name: "predict from the web", args: line("predict DIR/m.coppice WEB/t.csv -o DIR/p.csv"),
			files: of{"t.csv": small, "m.coppice": cart}},
		{name: "convert", args: line("convert DIR/m.coppice DIR/m.json --to xgboost-json"),
			files: of{"m.coppice": gbm, "m.json": older}},
		{name: "convert from xgboost", args: line("convert DIR/m.json DIR/m.coppice --probes DIR/rows.csv"),
			files: of{"m.json": models["gbm.json"], "m.coppice": older}, several: true},
		{name: "convert from ydf", args: line("convert DIR/ydf DIR/m.coppice --probe-rows 20"),
			files: folder(t, "../../testdata/models/ydf/abalone_regression_rf_small", "ydf/"), slow: true},
		{name: "convert from lightgbm", args: line("convert DIR/m.txt DIR/m.coppice --probe-rows 20"),
			files: of{"m.txt": models["gbm.txt"]}},
		{name: "surrogate", args: line("surrogate DIR/m.coppice DIR/t.csv -o DIR/s.coppice"),
			files: of{"t.csv": small, "m.coppice": gbm}},
		{name: "convert to onnx", args: line("convert DIR/m.coppice DIR/m.onnx"), files: of{"m.coppice": gbm}},
		{name: "convert to pmml", args: line("convert DIR/m.coppice DIR/m.pmml"), files: of{"m.coppice": cart}},
		{name: "generate", args: line("generate DIR/m.coppice -o DIR/model.go --package made"),
			files: of{"m.coppice": gbm, "model.go": older}, several: true},
		{name: "verify", args: line("verify DIR/m.json"), files: of{"m.json": models["gbm.json"]}},
		{name: "report", args: line("report DIR/m.coppice DIR/t.csv -o DIR/r.html"),
			files: of{"t.csv": small, "m.coppice": cart, "r.html": older}},
		{name: "draw", args: line("draw DIR/m.coppice DIR/t.csv --what partition --columns x -o DIR/d.svg"),
			files: of{"t.csv": small, "m.coppice": cart}},
		{name: "diff", args: line("diff DIR/a.coppice DIR/b.coppice DIR/t.csv"),
			files: of{"t.csv": small, "a.coppice": cart, "b.coppice": gbm}},
		{name: "explain", args: line("explain DIR/m.coppice DIR/t.csv -o DIR/e.csv"),
			files: of{"t.csv": small, "m.coppice": gbm}},
		{name: "why", args: line("why DIR/m.coppice DIR/t.csv --row 1 --like DIR/t.csv"),
			files: of{"t.csv": small, "m.coppice": cart}},
		{name: "split", args: line("split DIR/t.csv -o DIR/s"), files: of{"t.csv": small}, several: true},
		{name: "data", args: line("data DIR/t.csv"), files: of{"t.csv": small}},
		{name: "monitor", args: line("monitor DIR/l.jsonl DIR/labels.csv --model DIR/m.coppice --html DIR/p.html"),
			files: of{"l.jsonl": predictionLog(), "labels.csv": []byte("id,y\n1,yes\n2,no\n3,yes\n"), "m.coppice": cart,
				"p.html": older}},
	}
}

// predictionLog is a log of another model.
func predictionLog() []byte {
	var b bytes.Buffer
	for i := range 4 {
		fmt.Fprintf(&b, `{"time":"2026-03-0%dT00:00:00Z","id":%d,"model":"a","prediction":"yes","p_no":0.4,"p_yes":0.6}`+"\n",
			1+i/2, i)
	}
	return b.Bytes()
}

// fewLabels leaves the labels out behind the first kilobyte: intervals of metrics, which resample
// the rows that have one, would take most of the time.
func fewLabels(table []byte) []byte {
	return append(table[:1024:1024], regexp.MustCompile(",(no|yes)\n").ReplaceAll(table[1024:], []byte(",\n"))...)
}

func line(text string) []string { return strings.Fields(text) }
