//go:build linux

// Package pairs owns the bench command's one road for its cases: common flags, processes that do
// jobs, tables of results.
//
// Programs run by turns, and what they report is compared: the way to measure on machines whose
// speed drifts. Each run is a fresh process that times its own work and prints one JSON object. So
// neither the start of an interpreter nor memory that is already mapped counts. A round is
// disturbed if a process had to wait for a processor, or if others ran on a machine that it should
// have had for itself. Such a round is dropped for all sides and run again.
package pairs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"
)

// Side is one of the programs.
type Side struct {
	Name    string
	Command []string
	// After, if not nil, adds facts to a result outside of what is timed
	After   func(*Result) error
	foreign bool // see Run.Command
}

// Result is what a process prints, and what was measured of it.
type Result struct {
	Version string  `json:"version"`
	Seconds float64 `json:"seconds"` // of the work that is compared
	// what shows that the work was the same, or how good: rows, leaves, error
	Facts  map[string]float64 `json:"facts"`
	Output string             `json:"output,omitempty"` // of a command, see Command

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
	if threads > 0 {
		n := fmt.Sprint(threads)
		c.Env = append(os.Environ(), "GOMAXPROCS="+n, "OMP_NUM_THREADS="+n,
			"OPENBLAS_NUM_THREADS="+n)
	}
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
	if s.After != nil {
		if err := s.After(&r); err != nil {
			return Result{}, fmt.Errorf("%s: %w", s.Name, err)
		}
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
		if s.Command[0] == own && !s.foreign {
			all = append(all, Side{Name: s.Name + ", earlier build",
				Command: slices.Concat([]string{build}, s.Command[1:])})
		}
	}
	return all
}

// Others returns the sides without those that -sides or an empty program leaves out, and with those
// of the earlier build.
func (r *Run) Others(sides []Side) []Side {
	chosen := slices.DeleteFunc(slices.Clone(sides), func(s Side) bool {
		begins := func(name string) bool { return strings.HasPrefix(s.Name, name) }
		return s.Command[0] == "" || r.Sides != "" && s.Command[0] != r.own &&
			!slices.ContainsFunc(strings.Split(r.Sides, ","), begins)
	})
	return WithEarlier(chosen, r.own, r.Earlier)
}

// Alternate runs the sides that take part by turns, A B ... A B ..., until enough rounds are
// undisturbed, and writes a line for each round to the standard error. It returns these sides, and
// the results side by side. With 0 threads a side has as many as it takes.
func (r *Run) Alternate(ctx context.Context, all []Side, threads int) ([]Side, [][]Result, error) {
	sides := r.Others(all)
	results := make([][]Result, len(sides))
	for try := 0; len(results[0]) < r.Rounds; try++ {
		if try == 3*r.Rounds+3 {
			return nil, nil, errors.New("the machine is too busy: most rounds were disturbed")
		}
		round := make([]Result, len(sides))
		note := ""
		for i, s := range sides {
			var err error
			if round[i], err = s.Run(ctx, threads); err != nil {
				return nil, nil, err
			}
			if round[i].disturbed(threads) {
				note = "  disturbed"
			}
			fmt.Fprintf(os.Stderr, "%9.3f s", round[i].Seconds)
		}
		fmt.Fprintf(os.Stderr, "  load %s%s\n", load(), note)
		if note != "" && !r.Busy {
			continue
		}
		for i := range sides {
			results[i] = append(results[i], round[i])
		}
	}
	return sides, results, nil
}

// Median returns the median of a figure.
func Median(results []Result, of func(Result) float64) float64 {
	values := make([]float64, len(results))
	for i := range results {
		values[i] = of(results[i])
	}
	return Middle(values)
}

// Middle returns the median of values, of an even number of them the mean of both in the middle;
// NaN if there is none.
func Middle(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	if n == 0 {
		return math.NaN()
	}
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// Ratio returns the median and the range of the ratios of a figure, a's to b's, round by round.
func Ratio(a, b []Result, of func(Result) float64) (median, low, high float64) {
	ratios := make([]float64, len(a))
	for k := range ratios {
		ratios[k] = of(a[k]) / of(b[k])
	}
	slices.Sort(ratios)
	return ratios[len(ratios)/2], ratios[0], ratios[len(ratios)-1]
}
