//go:build linux

package reading

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"github.com/coppice-ml/coppice/tools/bench/pairs"
)

// The files are polars', of 29 columns of doubles as programs write them, in one record batch or
// row group, without compression. JSON lines have a fifth of the rows.
const polarsFiles = `
const pl = require('nodejs-polars');
const [folder, rows] = process.argv.slice(1);
let state = 1;
const next = () => {
  state = (state + 0x6D2B79F5) >>> 0;
  let t = Math.imul(state ^ state >>> 15, 1 | state);
  t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t;
  return ((t ^ t >>> 14) >>> 0) / 2 ** 32;
};
const table = pl.DataFrame([...Array(29).keys()].map(c =>
  pl.Series('x' + c, Float64Array.from({length: rows}, () => 100 * (next() + next() / 2 ** 32)))));
table.writeIPC(folder + '/table.ipc');
table.writeParquet(folder + '/table.parquet', {compression: 'uncompressed'});
table.head(rows / 5).writeJSON(folder + '/table.jsonl', {format: 'lines'});
`

const polarsRead = `
const pl = require('nodejs-polars');
const [file] = process.argv.slice(1);
const cpu = process.cpuUsage(), start = process.hrtime.bigint();
const table = file.endsWith('.ipc') ? pl.readIPC(file) :
  file.endsWith('.parquet') ? pl.readParquet(file) : pl.scanJson(file, {format: 'lines'}).collectSync();
const seconds = Number(process.hrtime.bigint() - start) / 1e9, used = process.cpuUsage(cpu);
console.log(JSON.stringify({version: 'polars for Node.js ' + pl.version, seconds,
  facts: {rows: table.height, cpu: (used.user + used.system) / 1e6}}));
`

// compareFormats reads the same doubles as Arrow, Parquet and JSON lines with each side by turns.
// DuckDB reads no Arrow. A package that is not in the folder is reported, and its side left out.
func compareFormats(ctx context.Context, r *pairs.Run, folder string) error {
	if err := os.Chdir(folder); err != nil { // node finds its packages there
		return err
	}
	has := func(name string) bool {
		_, err := os.Stat(filepath.Join("node_modules", name))
		if err != nil {
			fmt.Printf("%s: missing\n", name)
		}
		return err == nil
	}
	if !has("nodejs-polars") {
		return nil // it writes the files
	}
	duck := has("@duckdb/node-api")
	files := exec.CommandContext(ctx, "node", "-e", polarsFiles, r.Scratch, strconv.Itoa(r.Rows))
	files.Stderr = os.Stderr
	if err := files.Run(); err != nil {
		return err
	}
	for _, form := range []string{".ipc", ".parquet", ".jsonl"} {
		path, rows := filepath.Join(r.Scratch, "table"+form), r.Rows
		if form == ".jsonl" {
			rows /= 5
		}
		for _, n := range r.Threads {
			sides := []pairs.Side{r.Own("coppice", "read", path),
				{Name: "polars", Command: []string{"env", "POLARS_MAX_THREADS=" + strconv.Itoa(n),
					"node", "-e", polarsRead, path}}}
			if duck && form != ".ipc" {
				sides = append(sides, pairs.Side{Name: "duckdb",
					Command: []string{"node", "-e", duckRead, "table", path, strconv.Itoa(n)}})
			}
			title := fmt.Sprintf("table%s, %d x 29", form, rows)
			if err := compare(ctx, r, sides, n, rows, title); err != nil {
				return err
			}
		}
	}
	return nil
}

// compare reads a file with each side by turns, and prints what it took.
func compare(
	ctx context.Context, r *pairs.Run, sides []pairs.Side, threads, rows int, title string,
) error {
	sides, results, err := r.Alternate(ctx, sides, threads)
	if err != nil {
		return err
	}
	for _, other := range results {
		if got := other[0].Facts["rows"]; got != float64(rows) {
			return fmt.Errorf("%g rows were read, want %d", got, rows)
		}
	}
	fmt.Printf("\n### %s, threads: %d\n\n", title, threads)
	pairs.PrintTable(sides, results, pairs.Seconds(), pairs.TimesOurs(),
		pairs.Fact("seconds of CPU", "cpu", "%.3f"),
		pairs.Times("of CPU, times ours", pairs.FactOf("cpu")), pairs.Peak())
	return nil
}
