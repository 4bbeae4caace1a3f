//go:build linux

// Command shapley compares the speed of Shapley values with that of XGBoost and LightGBM:
//
//	go run ./bench/shapley [-rounds N] [-threads 1,2] [-only WORD] [-quick] [-xgboost FILE] \
//	    [-lightgbm FILE]
//
// The models are 500 trees of 31 leaves, and 200 trees of depth 8. They are trained here on the
// table higgs, and written in the formats of the others, so that all explain the same trees. Ours
// explains 100,000 rows, path-dependently and against 10,000 background rows; the others explain
// 5,000 rows path-dependently. Each measurement is a process of its own, and all take turns. The
// conversion of float32 rows is timed with it. Contributions are compared with XGBoost's.
//
// A third model, which no other explains, is a forest of 100 trees grown to full depth on 10,000
// rows. 1,000 rows are explained, path-dependently and against 100 background rows.
//
// A library that is not given is left out. A report in Markdown goes to the standard output.
package main

import (
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/tools/bench/pairs"
	"github.com/coppice-ml/coppice/tools/bench/tables/recipe"
)

//go:embed peers.py
var peersPython string

// bench is a run of this program.
type bench struct {
	rounds, train, ours, peers, background int
	xgboost, lightgbm, python, dir, only   string
	threads                                []int
	less                                   int // trees are divided by it
}

func main() {
	b := &bench{train: 200_000, ours: 100_000, peers: 5000, background: 10_000, less: 1}
	flag.IntVar(&b.rounds, "rounds", 3, "rounds of each model")
	threads := flag.String("threads", "1,2", "numbers of threads")
	flag.StringVar(&b.only, "only", "", "only the models whose names contain this word")
	quick := flag.Bool("quick", false, "few rows and trees: shows that everything works")
	flag.StringVar(&b.xgboost, "xgboost", "", "libxgboost.so")
	flag.StringVar(&b.lightgbm, "lightgbm", "", "lib_lightgbm.so")
	flag.StringVar(&b.python, "python", "/usr/bin/python3", "Python with NumPy")
	child := flag.String("child", "", "do this job and report (what this program runs itself with)")
	flag.Parse()
	var err error
	if *child != "" {
		err = job(*child, flag.Args())
	} else {
		if *quick {
			b.rounds, b.train, b.ours, b.peers, b.background, b.less = 1, 2000, 500, 50, 100, 25
		}
		err = b.run(*threads)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "shapley:", err)
		os.Exit(1)
	}
}

func (b *bench) run(threads string) (err error) {
	if b.threads, err = pairs.ParseThreads(threads); err != nil {
		return err
	}
	if b.dir, err = os.MkdirTemp("", "coppice-bench"); err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	if err := os.WriteFile(b.file("peers.py"), []byte(peersPython), 0o644); err != nil {
		return err
	}
	ds, err := b.table()
	if err != nil {
		return err
	}
	for i, c := range cases() {
		if !strings.Contains(c.name, b.only) {
			continue
		}
		if err := b.write(&c, ds, fmt.Sprint("model", i)); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		for _, n := range b.threads {
			if err := b.compare(&c, fmt.Sprint("model", i), n); err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
		}
	}
	return nil
}

func (b *bench) file(name string) string { return filepath.Join(b.dir, name) }

// columns is the width of the table higgs.
var columns = recipe.Tables()[0].Features

// table writes the rows to explain, and returns those to train on.
func (b *bench) table() (*data.Dataset, error) {
	t := recipe.Tables()[0]
	x, wide := make([]float32, t.Features), make([]float64, t.Features)
	values, class := make([]float64, 0, b.train*t.Features), make([]uint32, b.train)
	for i := range class {
		class[i] = uint32(t.Row(i, x, wide))
		for _, v := range x {
			values = append(values, float64(v))
		}
	}
	rest := make([]float32, 0, b.ours*t.Features)
	for i := range b.ours {
		t.Row(b.train+i, x, wide)
		rest = append(rest, x...)
	}
	if err := os.WriteFile(b.file("rows"), bytesOf(rest), 0o644); err != nil {
		return nil, err
	}
	f, err := data.FromMatrix(data.RowMajor[float64]{Values: values, Columns: t.Features}, nil)
	if err != nil {
		return nil, err
	}
	return &data.Dataset{Frame: f, Target: data.Target{Name: "y", Task: data.Binary, Class: class,
		Classes: []string{"0", "1"}}}, nil
}

// result is what a measurement reports.
type result struct {
	Seconds   float64 `json:"seconds"`
	Megabytes float64 `json:"megabytes"`
	Version   string  `json:"version"`
}

// side is what takes part.
type side struct {
	name    string
	rows    int
	command []string
	out     string // its contributions
	found   []result
}

func (b *bench) sides(c *one, base string, threads int) ([]*side, error) {
	own, err := os.Executable()
	if err != nil {
		return nil, err
	}
	ours := func(name, what string, rows int) *side {
		out := b.file(what)
		return &side{name: name, rows: rows, out: out, command: []string{own, "-child", what,
			b.file(base + ".coppice"), b.file("rows"), fmt.Sprint(rows), fmt.Sprint(threads),
			fmt.Sprint(min(b.background, c.background)), out}}
	}
	all := []*side{
		ours("coppice, path-dependent", "path", min(b.ours, c.rows)),
		ours("coppice, interventional", "background", min(b.ours, c.rows)),
		ours("coppice, single rows", "row", min(b.peers, c.rows)),
	}
	if !c.peers {
		return all, nil
	}
	for _, peer := range []struct{ program, module, suffix string }{
		{"xgboost", b.xgboost, ".ubj"}, {"lightgbm", b.lightgbm, ".txt"},
	} {
		if peer.module == "" {
			continue
		}
		out := b.file(peer.program)
		all = append(all, &side{name: peer.program, rows: b.peers, out: out, command: []string{
			b.python, b.file("peers.py"), peer.program, peer.module, b.file(base + peer.suffix),
			b.file("rows"), fmt.Sprint(columns), fmt.Sprint(b.peers), fmt.Sprint(threads), out}})
	}
	return all, nil
}

// compare measures all sides in turn, and prints their table.
func (b *bench) compare(c *one, base string, threads int) error {
	sides, err := b.sides(c, base, threads)
	if err != nil {
		return err
	}
	for range b.rounds {
		for _, s := range sides {
			start := time.Now()
			command := exec.Command(s.command[0], s.command[1:]...)
			command.Stderr = os.Stderr
			out, err := command.Output()
			if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			var r result
			if err := json.Unmarshal(out, &r); err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			s.found = append(s.found, r)
			fmt.Fprintf(os.Stderr, "%s, %d threads, %s: %.3f s of %.1f\n", c.name, threads, s.name,
				r.Seconds, time.Since(start).Seconds())
		}
	}
	fmt.Printf("\n### %s, %d threads\n\n", c.name, threads)
	fmt.Print("| side | rows | us a row | times ours | peak MB |\n|---|--:|--:|--:|--:|\n")
	base1 := 0.0
	for i, s := range sides {
		r := s.found[0]
		seconds, megabytes := []float64{}, []float64{}
		for _, f := range s.found {
			seconds, megabytes = append(seconds, f.Seconds), append(megabytes, f.Megabytes)
		}
		micros := 1e6 * median(seconds) / float64(s.rows)
		if i == 0 {
			base1 = micros
		}
		name := s.name
		if r.Version != "" {
			name = r.Version
		}
		fmt.Printf("| %s | %d | %.2f | %.2f | %.0f |\n", name, s.rows, micros, micros/base1,
			median(megabytes))
	}
	for _, s := range sides[3:] {
		if err := b.difference(sides[0].out, s); err != nil {
			return err
		}
	}
	return nil
}

// difference prints by how much contributions differ at most from ours.
func (b *bench) difference(ours string, s *side) error {
	x, err := float64s(ours)
	if err != nil {
		return err
	}
	y, err := float64s(s.out)
	if err != nil {
		return err
	}
	largest := 0.0
	for i := range y {
		largest = max(largest, math.Abs(x[i]-y[i]))
	}
	fmt.Printf("\nThe largest difference of a contribution from that of %s is %.1e.\n",
		s.found[0].Version, largest)
	return nil
}

func median(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	return (x[(len(x)-1)/2] + x[len(x)/2]) / 2
}
