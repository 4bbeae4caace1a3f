//go:build linux

// Package pairs runs programs by turns and compares what they report: the way to measure on
// machines whose speed drifts. Each run is a fresh process that times its own work and prints one
// JSON object. So neither the start of an interpreter nor memory that is already mapped counts. A
// round is disturbed if a process had to wait for a processor, or if others ran on a machine that
// it should have had for itself. Such a round is dropped for all sides and run again.
package pairs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Side is one of the programs.
type Side struct {
	Name    string
	Command []string
}

// Result is what a process prints, and what was measured of it.
type Result struct {
	Version string  `json:"version"`
	Seconds float64 `json:"seconds"` // of the work that is compared
	// what shows that the work was the same, or how good: rows, leaves, error
	Facts map[string]float64 `json:"facts"`

	Peak      float64 `json:"-"` // MB of memory of the whole process
	wall, cpu float64 // seconds of the whole process
	others    float64 // seconds that the machine's processors were busy with anything else
}

// disturbed reports whether the process waited for a processor (or a disk) for more than a tenth of
// its time. With several threads it reports too whether anything else was busy that long.
func (r *Result) disturbed(threads int) bool {
	if threads == 1 {
		return r.wall > 1.1*r.cpu+0.05
	}
	return r.others > 0.1*r.wall+0.1
}

// Run starts the program with a limit on threads and waits for its result.
func (s Side) Run(ctx context.Context, threads int) (Result, error) {
	c := exec.CommandContext(ctx, s.Command[0], s.Command[1:]...)
	n := fmt.Sprint(threads)
	c.Env = append(os.Environ(), "GOMAXPROCS="+n, "OMP_NUM_THREADS="+n, "OPENBLAS_NUM_THREADS="+n)
	c.Stderr = os.Stderr
	before, start := busy(), time.Now()
	out, err := c.Output()
	if err != nil {
		return Result{}, fmt.Errorf("%s: %w", s.Name, err)
	}
	var r Result
	if err := json.Unmarshal(out, &r); err != nil {
		return Result{}, fmt.Errorf("%s printed %q: %w", s.Name, out, err)
	}
	r.wall = time.Since(start).Seconds()
	r.cpu = (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds()
	r.others = busy() - before - r.cpu
	if usage, ok := c.ProcessState.SysUsage().(*syscall.Rusage); ok {
		r.Peak = float64(usage.Maxrss) / 1e3 // kB on Linux
	}
	return r, nil
}

// WithEarlier returns the sides with one more after each that the program own runs: the same job of
// an earlier build of that program. An empty build adds none.
func WithEarlier(sides []Side, own, build string) []Side {
	if build == "" {
		return sides
	}
	var all []Side
	for _, s := range sides {
		all = append(all, s)
		if s.Command[0] == own {
			all = append(all, Side{Name: s.Name + ", earlier build",
				Command: slices.Concat([]string{build}, s.Command[1:])})
		}
	}
	return all
}

// Match is how sides are compared.
type Match struct {
	Rounds  int
	Threads int
	Busy    bool // keep disturbed rounds too, to try a benchmark out on a busy machine
}

// ParseThreads reads numbers of threads between commas.
func ParseThreads(list string) ([]int, error) {
	var threads []int
	for text := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("-threads: %q is no number of threads", text)
		}
		threads = append(threads, n)
	}
	return threads, nil
}

// Alternate is Match.Alternate without disturbed rounds.
func Alternate(ctx context.Context, sides []Side, rounds, threads int) ([][]Result, error) {
	return Match{Rounds: rounds, Threads: threads}.Alternate(ctx, sides)
}

// Alternate runs the sides by turns, A B ... A B ..., until enough rounds are undisturbed, and
// writes a line for each round to the standard error. It returns the results side by side.
func (m Match) Alternate(ctx context.Context, sides []Side) ([][]Result, error) {
	results := make([][]Result, len(sides))
	for try := 0; len(results[0]) < m.Rounds; try++ {
		if try == 3*m.Rounds+3 {
			return nil, errors.New("the machine is too busy: most rounds were disturbed")
		}
		round := make([]Result, len(sides))
		note := ""
		for i, s := range sides {
			var err error
			if round[i], err = s.Run(ctx, m.Threads); err != nil {
				return nil, err
			}
			if round[i].disturbed(m.Threads) {
				note = "  disturbed"
			}
			fmt.Fprintf(os.Stderr, "%9.3f s", round[i].Seconds)
		}
		fmt.Fprintf(os.Stderr, "  load %s%s\n", load(), note)
		if note != "" && !m.Busy {
			continue
		}
		for i := range sides {
			results[i] = append(results[i], round[i])
		}
	}
	return results, nil
}

// Summarise prints the median of each side, with memory and facts, and the ratio of each other side
// to the first.
func Summarise(sides []Side, results [][]Result) {
	for i, s := range sides {
		seconds := func(r Result) float64 { return r.Seconds }
		peak := func(r Result) float64 { return r.Peak }
		fmt.Printf("%-10s %8.3f s  %6.0f MB", s.Name, Median(results[i], seconds),
			Median(results[i], peak))
		if i > 0 {
			median, low, high := Ratio(results[i], results[0])
			fmt.Printf("  %5.2f times the first's (%.2f to %.2f)", median, low, high)
		}
		r := results[i][0]
		fmt.Printf("  %s", r.Version)
		names := make([]string, 0, len(r.Facts))
		for name := range r.Facts {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			fmt.Printf("  %s %.6g", name, r.Facts[name])
		}
		fmt.Println()
	}
}

// Median returns the median of a figure.
func Median(results []Result, of func(Result) float64) float64 {
	values := make([]float64, len(results))
	for i := range results {
		values[i] = of(results[i])
	}
	slices.Sort(values)
	return values[len(values)/2]
}

// Ratio returns the median and the range of the ratios of seconds, a's to b's, round by round.
func Ratio(a, b []Result) (median, low, high float64) {
	ratios := make([]float64, len(a))
	for k := range ratios {
		ratios[k] = a[k].Seconds / b[k].Seconds
	}
	slices.Sort(ratios)
	return ratios[len(ratios)/2], ratios[0], ratios[len(ratios)-1]
}
