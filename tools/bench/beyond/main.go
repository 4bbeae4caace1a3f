//go:build linux

// Command beyond compares training in blocks (docs/scale.md) with training in memory, with the
// external memory of XGBoost (ExtMemQuantileDMatrix) and with LightGBM's two_round, on one table:
//
//	go run ./bench/beyond -generate FILE [-rows N]
//	go run ./bench/beyond -csv FILE -coppice PROGRAM [-memory 2GB] [-trees N] [-threads N]
//	    [-python PROGRAM] [-lightgbm PROGRAM]
//	go run ./bench/beyond -stream FOLDER -coppice PROGRAM [-rows N] [-only COMMAND]
//
// The last one prints the peaks of memory of the commands that read tables in blocks, on a table of
// N rows and on one of 10 N, which it makes in a folder.
//
// Each side is a process of its own. They take turns. Reported are the seconds of the whole
// command, the peak of resident memory, and the log loss on the training set. With -cgroup all
// sides but the one in memory run in a control group (version 1) of that limit, in which pages of
// files count too. It needs root then. It runs on Linux.
package main

import (
	"bufio"
	"cmp"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"syscall"
	"time"
)

func main() {
	generate := flag.String("generate", "", "write the table to this file, and end")
	rows := flag.Int("rows", 20_000_000, "rows of the table")
	file := flag.String("csv", "", "the table")
	coppice := flag.String("coppice", "coppice", "the program")
	limit := flag.String("memory", "2GB", "limit of the side in blocks")
	trees := flag.Int("trees", 20, "rounds")
	rounds := flag.Int("rounds", 1, "times that each side runs")
	cgroup := flag.Bool("cgroup", false, "enforce the limit by a control group, too")
	threads := flag.Int("threads", 0, "threads of each side; 0 = one per processor")
	python := flag.String("python", "", "Python that has xgboost 3 (PYTHONPATH names its folder); empty = leave it out")
	lightgbm := flag.String("lightgbm", "", "LightGBM's command; empty = leave it out")
	scratch := flag.String("scratch", "", "folder for scratch files")
	folder := flag.String("stream", "", "compare a table and one of ten times its rows, in this folder")
	only := flag.String("only", "", "of -stream: this command alone")
	flag.Parse()
	err := error(nil)
	switch {
	case *generate != "":
		err = write(*generate, *rows, false)
	case *folder != "":
		err = stream(*folder, *coppice, *only, *rows)
	default:
		n := cmp.Or(*threads, runtime.NumCPU())
		all := sides(*file, *coppice, *limit, *scratch, *trees, n, *cgroup)
		var others []*side
		others, err = (&peers{*python, *lightgbm, *scratch}).sides(*file, *trees, n)
		for _, s := range others {
			if *cgroup {
				s.limit = *limit
			}
		}
		if err == nil {
			compare(append(all, others...), *rounds)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "beyond:", err)
		os.Exit(1)
	}
}

// write writes a table of a label and ten numbers, one of which has few values. The label follows
// from some of them, with noise. With groups a column more has the groups of a ranking, of about 20
// rows that do not stand together.
func write(path string, rows int, groups bool) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(f, 1<<20)
	header := "y,a,b,c,d,e,f,g,h,i,few"
	if groups {
		header += ",group"
	}
	fmt.Fprintln(out, header)
	r := rand.New(rand.NewPCG(1, 2))
	var line []byte
	for range rows {
		var x [10]float64
		for k := range x {
			x[k] = math.Round(r.NormFloat64()*1e4) / 1e4
		}
		x[9] = float64(r.IntN(20))
		score := x[0] + x[1]*x[2] + 0.5*x[3]*x[3] - 0.5 + math.Sin(3*x[4]) + 0.2*math.Mod(x[9], 3)
		y := byte('0')
		if r.Float64() < 1/(1+math.Exp(-score)) {
			y = '1'
		}
		line = append(line[:0], y)
		for _, v := range x {
			line = strconv.AppendFloat(append(line, ','), v, 'g', -1, 64)
		}
		if groups {
			line = strconv.AppendInt(append(line, ','), int64(r.IntN(rows/20+1)), 10)
		}
		if _, err := out.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return f.Close()
}

// side is a way to train.
type side struct {
	name    string
	command []string
	logloss *regexp.Regexp
	limit   string // of its control group; "": none
	seconds []float64
	cpu     []float64 // seconds of all threads
	peak    []float64 // MB
	metric  string
}

func sides(file, coppice, limit, scratch string, trees, threads int, cgroup bool) []*side {
	model := filepath.Join(os.TempDir(), "beyond.coppice")
	train := []string{coppice, "train", file, "--label", "y", "--task", "binary", "--set",
		fmt.Sprintf("trees=%d", trees), "--set", "learning_rate=0.1", "--quiet-checks", "--threads",
		strconv.Itoa(threads), "-o", model}
	loss := regexp.MustCompile(`logloss\s+([0-9.]+)`)
	blocks := &side{name: "in blocks, " + limit, logloss: loss,
		command: append(slices.Clone(train), "--memory", limit)}
	if scratch != "" {
		blocks.command = append(blocks.command, "--scratch", scratch)
	}
	if cgroup {
		blocks.limit = limit
	}
	return []*side{{name: "in memory", command: append(train, "--memory", "95%"), logloss: loss},
		blocks}
}

func compare(all []*side, rounds int) {
	for range rounds {
		for _, s := range all {
			if err := s.run(); err != nil { // such as a side that its control group has killed
				fmt.Printf("%-30s %v\n", s.name, err)
				continue
			}
			at := len(s.seconds) - 1
			fmt.Printf("%-30s %7.1f s  %7.1f s of CPU  %7.0f MB  logloss %s\n", s.name, s.seconds[at],
				s.cpu[at], s.peak[at], s.metric)
		}
	}
	for _, s := range all {
		if len(s.seconds) == 0 {
			continue
		}
		fmt.Printf("median: %-22s %7.1f s  %7.1f s of CPU  %7.0f MB  ratios to the first %.2f, %.2f\n",
			s.name, median(s.seconds), median(s.cpu), median(s.peak),
			median(s.seconds)/median(all[0].seconds), median(s.cpu)/median(all[0].cpu))
	}
}

func median(v []float64) float64 {
	if len(v) == 0 {
		return math.NaN()
	}
	v = slices.Sorted(slices.Values(v))
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
}

// run runs the side once.
func (s *side) run() error {
	command := s.command
	if s.limit != "" {
		group := "/sys/fs/cgroup/memory/coppice-beyond"
		if err := os.MkdirAll(group, 0o755); err != nil {
			return err
		}
		defer os.Remove(group)
		bytes := regexp.MustCompile(`B$`).ReplaceAllString(s.limit, "")
		if err := os.WriteFile(filepath.Join(group, "memory.limit_in_bytes"), []byte(bytes),
			0o644); err != nil {
			return err
		}
		command = append([]string{"sh", "-c", "echo $$ > " + group + `/cgroup.procs; exec "$@"`,
			"sh"}, command...)
	}
	c := exec.Command(command[0], command[1:]...)
	start := time.Now()
	out, err := c.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	s.seconds = append(s.seconds, time.Since(start).Seconds())
	s.cpu = append(s.cpu, (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds())
	usage := c.ProcessState.SysUsage().(*syscall.Rusage)
	s.peak = append(s.peak, float64(usage.Maxrss)/1000)
	if s.logloss == nil {
		return nil
	}
	if found := s.logloss.FindSubmatch(out); found != nil {
		s.metric = string(found[1])
	}
	return nil
}
