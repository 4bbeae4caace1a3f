//go:build linux

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/coppice-ml/coppice/data/csvdata"
)

// side is one of the two programs.
type side struct {
	name    string
	command []string
}

// result is what a child process prints, and what its parent measured of it.
type result struct {
	Version string  `json:"version"`
	Seconds float64 `json:"seconds"`
	Rows    int     `json:"rows"`
	Columns int     `json:"columns"`
	Sum     float64 `json:"sum"` // of all values

	wall, cpu float64 // seconds of the whole process
	peak      float64 // MB of memory
}

// disturbed reports whether the process waited for a processor (or a disk) for more than a tenth of its time.
func (r *result) disturbed() bool { return r.wall > 1.1*r.cpu+0.05 }

// pandas is the program of the other side.
const pandas = `
import json, sys, time, pandas
start = time.perf_counter()
frame = pandas.read_csv(sys.argv[1], engine="c")
seconds = time.perf_counter() - start
print(json.dumps({"version": "pandas %s, Python %s" % (pandas.__version__, sys.version.split()[0]), "seconds": seconds,
    "rows": frame.shape[0], "columns": frame.shape[1], "sum": float(frame.to_numpy("float64").sum())}))
`

// run starts the program and waits for its result.
func (s side) run(ctx context.Context) (result, error) {
	c := exec.CommandContext(ctx, s.command[0], s.command[1:]...)
	c.Env = append(os.Environ(), "GOMAXPROCS=1", "OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1")
	c.Stderr = os.Stderr
	start := time.Now()
	out, err := c.Output()
	if err != nil {
		return result{}, fmt.Errorf("%s: %w", s.name, err)
	}
	var r result
	if err := json.Unmarshal(out, &r); err != nil {
		return result{}, fmt.Errorf("%s printed %q: %w", s.name, out, err)
	}
	r.wall = time.Since(start).Seconds()
	r.cpu = (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds()
	if usage, ok := c.ProcessState.SysUsage().(*syscall.Rusage); ok {
		r.peak = float64(usage.Maxrss) / 1e3 // kB on Linux
	}
	return r, nil
}

// report reads a file once and prints the result.
func report(file string) error {
	start := time.Now()
	f, err := csvdata.Read(context.Background(), csvdata.Options{}, file)
	if err != nil {
		return err
	}
	r := result{Version: version(), Seconds: time.Since(start).Seconds(), Rows: f.Rows(), Columns: len(f.Columns)}
	for _, c := range f.Columns {
		for _, v := range c.Num {
			if !math.IsNaN(v) {
				r.Sum += v
			}
		}
	}
	return json.NewEncoder(os.Stdout).Encode(r)
}
