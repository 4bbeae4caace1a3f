//go:build linux

package reading

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/arrowdata"
	"github.com/coppice-ml/coppice/data/jsonl"
	"github.com/coppice-ml/coppice/data/parquetdata"
	"github.com/coppice-ml/coppice/tools/bench/pairs"
)

// The files are DuckDB's, in row groups of 122,880. numbers has 10 columns of doubles that do not
// pack. mixed has doubles, integers, a column of which a tenth is null, and texts of 50 and 5,000
// different values, which are in dictionaries.
const duckFiles = `
const {DuckDBInstance} = require('@duckdb/node-api');
(async () => {
  const [folder, rows] = process.argv.slice(1);
  const c = await (await DuckDBInstance.create(':memory:', {threads: '1'})).connect();
  await c.run('select setseed(0.5)');
  const doubles = n => [...Array(n).keys()].map(i => 'random() * 100 as x' + i).join(', ');
  for (const codec of ['snappy', 'zstd']) {
    const write = (name, columns) => c.run('copy (select ' + columns + ' from range(' + rows +
      ")) to '" + folder + '/' + name + '.' + codec + ".parquet' (format parquet, codec '" + codec + "')");
    await write('numbers', doubles(10));
    await write('mixed', doubles(4) + ", (random() * 1000)::bigint as k, (random() * 1e12)::bigint as big, " +
      "case when random() < 0.1 then null else random() end as o, " +
      "case when random() < 0.1 then null else 'city ' || (random() * 50)::int end as city, " +
      "'product ' || (random() * 5000)::int as product, 'shop ' || (random() * 200)::int as shop");
  }
})();
`

// DuckDB makes a table of all columns in memory, hands out its chunks of columns, or adds up all
// columns, of which it keeps no value.
const duckRead = `
const {DuckDBInstance, version} = require('@duckdb/node-api');
(async () => {
  const [mode, file, threads] = process.argv.slice(1);
  const c = await (await DuckDBInstance.create(':memory:', {threads})).connect();
  const columns = (await c.runAndReadAll("describe select * from '" + file + "'")).getRows();
  const all = columns.map(([n, t]) => (t == 'VARCHAR' ? 'max(' : 'sum(') + n + ')').join(', ');
  const cpu = process.cpuUsage(), start = process.hrtime.bigint();
  let r;
  switch (mode) {
  case 'table': await c.run("create table t as select * from '" + file + "'"); break;
  case 'chunks': r = await c.run("select * from '" + file + "'"); await r.fetchAllChunks(); break;
  case 'sum': await c.run('select ' + all + " from '" + file + "'"); break;
  }
  const seconds = Number(process.hrtime.bigint() - start) / 1e9, used = process.cpuUsage(cpu);
  const rows = Number((await c.runAndReadAll("select count(*) from '" + file + "'")).getRows()[0][0]);
  const name = (await c.runAndReadAll('select version()')).getRows()[0][0];
  console.log(JSON.stringify({version: 'DuckDB ' + name, seconds,
    facts: {rows, cpu: (used.user + used.system) / 1e6}}));
})();
`

// compareParquet reads files with each side by turns.
func compareParquet(ctx context.Context, r *pairs.Run, duck string) error {
	files := exec.Command("node", "-e", duckFiles, r.Scratch, strconv.Itoa(r.Rows))
	files.Dir, files.Stderr = duck, os.Stderr
	if err := files.Run(); err != nil {
		return err
	}
	if err := os.Chdir(duck); err != nil { // node finds its packages there
		return err
	}
	for _, file := range []string{"numbers.snappy", "numbers.zstd", "mixed.snappy", "mixed.zstd"} {
		path := filepath.Join(r.Scratch, file+".parquet")
		for _, n := range r.Threads {
			sides := []pairs.Side{r.Own("coppice", "read", path)}
			for _, mode := range []string{"table", "chunks", "sum"} {
				sides = append(sides, pairs.Side{Name: "duckdb, " + mode,
					Command: []string{"node", "-e", duckRead, mode, path, strconv.Itoa(n)}})
			}
			title := fmt.Sprintf("%s, %d x 10", file, r.Rows)
			if err := compare(ctx, r, sides, n, r.Rows, title); err != nil {
				return err
			}
		}
	}
	return nil
}

// readFile reads a file once.
func readFile(path string) (*pairs.Result, error) {
	open := map[string]func(data.ReadOptions, ...string) data.Table{".parquet": parquetdata.Open,
		".ipc": arrowdata.Open, ".jsonl": jsonl.Open}[filepath.Ext(path)]
	before, start := pairs.Spent(), time.Now()
	f, err := open(data.ReadOptions{}, path).Frame(context.Background())
	if err != nil {
		return nil, err
	}
	r := &pairs.Result{Seconds: time.Since(start).Seconds()}
	r.Facts = map[string]float64{"rows": float64(f.Rows()), "cpu": pairs.Spent() - before}
	return r, nil
}
