//go:build linux

// Command kills ends random ranks of trainings at random times, and checks what is left:
//
//	go build -o coppice ./cmd/coppice
//	CGO_ENABLED=1 go build -tags mpi -o coppice-mpi ./cmd/coppice-mpi
//	go run -C tools ./kills -coppice PROGRAM -mpi PROGRAM [-n 200] [-seed 1] [-frozen 0.1]
//
// A rank is killed, or frozen with some probability. All ranks must end within a limit of time, and
// mpirun with them. A checkpoint that is left must be whole. The training resumes from it with
// another number of ranks, and is disturbed again. Models that are finished must have the bytes of
// one process. The first fault ends the command with status 1. It takes some seconds for each kill.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

func main() {
	t := &trial{}
	flag.StringVar(&t.coppice, "coppice", "coppice", "the command of one process")
	flag.StringVar(&t.mpi, "mpi", "coppice-mpi", "the command of several ranks")
	n := flag.Int("n", 200, "ranks that are killed or frozen")
	seed := flag.Uint64("seed", 1, "seed of what is random")
	flag.Float64Var(&t.frozen, "frozen", 0.1, "probability that a rank is frozen, not killed")
	flag.DurationVar(&t.limit, "limit", 5*time.Second, "time within which all ranks must end, "+
		"behind the timeout of frozen ones")
	flag.DurationVar(&t.timeout, "timeout", 2*time.Second, "COPPICE_RANK_TIMEOUT")
	flag.IntVar(&t.trees, "trees", 150, "trees of a training")
	flag.Parse()
	t.random = rand.New(rand.NewPCG(*seed, 0))
	if err := t.run(*n); err != nil {
		fmt.Fprintln(os.Stderr, "kills:", err)
		os.Exit(1)
	}
}

// trial is what is tried, and what was found so far.
type trial struct {
	coppice, mpi   string
	frozen         float64
	limit, timeout time.Duration
	trees          int
	random         *rand.Rand

	folder, table, model, checkpoint string
	want                             []byte
	usual                            time.Duration // that an undisturbed training takes

	kills, stops, resumed, finished, early int
	stayed                                 int // mpirun without ranks
	started                                time.Time
	longest, longestFrozen                 time.Duration
}

func (t *trial) run(n int) (err error) {
	if t.folder, err = os.MkdirTemp("", "kills"); err != nil {
		return err
	}
	defer os.RemoveAll(t.folder)
	t.table = filepath.Join(t.folder, "table.csv")
	t.model = filepath.Join(t.folder, "model.coppice")
	t.checkpoint = t.model + ".checkpoint"
	if err := t.writeTable(); err != nil {
		return err
	}
	one := filepath.Join(t.folder, "one.coppice")
	a := append(t.arguments(), "-o", one)
	if out, err := exec.Command(t.coppice, a...).CombinedOutput(); err != nil {
		return fmt.Errorf("one process: %w: %s", err, out)
	}
	if t.want, err = os.ReadFile(one); err != nil {
		return err
	}
	for t.kills+t.stops < n || t.finished == 0 {
		if err := t.disturb(t.kills+t.stops < n); err != nil {
			return err
		}
	}
	fmt.Printf("%d ranks were killed, %d frozen, at random times; %d of them before a checkpoint\n",
		t.kills, t.stops, t.early)
	fmt.Printf("all ranks ended within %.1f s of a kill, %.1f s of a freeze (timeout %v)\n",
		t.longest.Seconds(), t.longestFrozen.Seconds(), t.timeout)
	fmt.Printf("%d times mpirun itself stayed when all ranks had ended, and was killed\n", t.stayed)
	fmt.Printf("%d trainings resumed with 2 to 4 ranks; %d were finished, all with the bytes of one "+
		"process\n", t.resumed, t.finished)
	return nil
}

// writeTable writes enough rows that ranks divide them.
func (t *trial) writeTable() error {
	var b bytes.Buffer
	b.WriteString("a,b,c,d,e,city,y\n")
	r := rand.New(rand.NewPCG(7, 0))
	for range 50_000 {
		x, z, k := r.Float64(), r.Float64(), r.IntN(40)
		y := "no"
		if x+z*float64(k%3)+r.Float64()/2 > 1.2 {
			y = "yes"
		}
		fmt.Fprintf(&b, "%.6f,%.4f,%.5f,%d,%.5f,c%d,%s\n", x, z, r.Float64(), r.IntN(9),
			r.Float64(), k, y)
	}
	return os.WriteFile(t.table, b.Bytes(), 0o600)
}

func (t *trial) arguments() []string {
	return []string{"train", t.table, "--label", "y", "--quiet-checks", "--threads", "1", "--valid",
		"0.1", "--set", "early_stopping=0", "--set", "trees=" + strconv.Itoa(t.trees)}
}

// disturb starts or resumes a training, and kills a rank of it.
func (t *trial) disturb(kill bool) error {
	size := 2 + t.random.IntN(3)
	a := append([]string{"-q", "--bind-to", "none", "--oversubscribe", "-n", strconv.Itoa(size),
		t.mpi}, t.arguments()...)
	a = append(a, "--checkpoint-every", "5", "-o", t.model)
	if _, err := os.Stat(t.checkpoint); err == nil {
		a = append(a, "--resume", t.checkpoint)
		t.resumed++
	}
	c := exec.Command("mpirun", a...)
	c.Env = append(os.Environ(), "COPPICE_RANK_TIMEOUT="+t.timeout.String())
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	t.started = time.Now()
	if err := c.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	wait := 2 * time.Minute
	if kill {
		wait = time.Duration(t.random.Float64() * float64(max(t.usual, 3*time.Second)))
	}
	select {
	case err := <-ended:
		t.usual = max(t.usual, time.Since(t.started))
		if err != nil {
			return fmt.Errorf("undisturbed, %d ranks: %w: %s", size, err, out.String())
		}
		return t.compare(size)
	case <-time.After(wait):
	}
	if !kill {
		return errors.New("an undisturbed training has not ended in two minutes")
	}
	return t.signal(c.Process.Pid, size, ended, &out)
}

// signal kills or freezes a random rank of mpirun, and waits for the end of all.
func (t *trial) signal(mpirun, size int, ended chan error, out *bytes.Buffer) error {
	ranks := children(mpirun, filepath.Base(t.mpi))
	if len(ranks) == 0 { // it is just starting or ending
		err := <-ended
		if err != nil {
			return fmt.Errorf("undisturbed, %d ranks: %w: %s", size, err, out.String())
		}
		return t.compare(size)
	}
	rank, what, limit := t.random.IntN(len(ranks)), syscall.SIGKILL, t.limit
	if t.random.Float64() < t.frozen {
		what, limit = syscall.SIGSTOP, t.limit+5*t.timeout // one that starts is noticed after four
	}
	if err := syscall.Kill(ranks[rank], what); err != nil {
		return nil // it has ended at this moment: the next training is the check
	}
	start := time.Now()
	took, err := t.end(mpirun, limit, ended)
	if err != nil {
		return fmt.Errorf("rank %d of %d got %v, %v after the start: %w: %s", rank, size, what,
			start.Sub(t.started), err, out.String())
	}
	if what == syscall.SIGKILL {
		t.kills++
		t.longest = max(t.longest, took)
	} else {
		t.stops++
		t.longestFrozen = max(t.longestFrozen, took)
	}
	return t.after(ranks, fmt.Sprintf("rank %d of %d got %v", rank, size, what))
}

// end waits until all ranks have ended. mpirun itself may stay if a rank was killed before it had
// joined the others, and is then killed.
func (t *trial) end(mpirun int, limit time.Duration, ended chan error) (took time.Duration, err error) {
	start := time.Now()
	for {
		select {
		case <-ended:
			if took == 0 {
				took = time.Since(start)
			}
			return took, nil
		case <-time.After(20 * time.Millisecond):
		}
		left := slices.DeleteFunc(children(mpirun, filepath.Base(t.mpi)), func(pid int) bool { return !alive(pid) })
		switch since := time.Since(start); {
		case len(left) > 0 && since > limit:
			syscall.Kill(mpirun, syscall.SIGKILL)
			return 0, fmt.Errorf("processes %v have not ended within %v", left, limit)
		case len(left) > 0:
			took = 0
		case took == 0:
			took = since
		case since > took+limit:
			t.stayed++
			return took, syscall.Kill(mpirun, syscall.SIGKILL)
		}
	}
}

// after checks what a disturbed training has left.
func (t *trial) after(ranks []int, what string) error {
	for _, pid := range ranks {
		for wait := 0; alive(pid); wait++ {
			if wait == 20 {
				return fmt.Errorf("%s: process %d is left", what, pid)
			}
			time.Sleep(50 * time.Millisecond)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	_, err := os.Stat(t.checkpoint)
	if errors.Is(err, os.ErrNotExist) {
		t.early++
	} else if out, err := exec.CommandContext(ctx, t.coppice, "show", t.checkpoint).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: the checkpoint is damaged: %w: %s", what, err, out)
	}
	fmt.Fprintf(os.Stderr, "%d: %s\n", t.kills+t.stops, what)
	return nil
}

// compare compares a finished model with that of one process, and begins again.
func (t *trial) compare(size int) error {
	got, err := os.ReadFile(t.model)
	if err != nil {
		return err
	}
	if !bytes.Equal(got, t.want) {
		return fmt.Errorf("%d ranks have finished another model than one process", size)
	}
	t.finished++
	os.Remove(t.checkpoint)
	return os.Remove(t.model)
}

// children returns the processes of a name that a process has started, directly or not.
func children(of int, name string) []int {
	parents := []int{of}
	var found []int
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	for grew := true; grew; {
		grew = false
		for _, file := range files {
			pid, command, parent := stat(file)
			if !slices.Contains(parents, parent) || slices.Contains(parents, pid) {
				continue
			}
			parents, grew = append(parents, pid), true
			if command == name[:min(15, len(name))] {
				found = append(found, pid)
			}
		}
	}
	slices.Sort(found)
	return found
}

// stat returns what a file of /proc reports.
func stat(file string) (pid int, command string, parent int) {
	b, err := os.ReadFile(file)
	if err != nil {
		return 0, "", -1
	}
	open, end := bytes.IndexByte(b, '('), bytes.LastIndexByte(b, ')')
	if open < 0 || end < open {
		return 0, "", -1
	}
	pid, _ = strconv.Atoi(strings.TrimSpace(string(b[:open])))
	fields := strings.Fields(string(b[end+1:]))
	parent, _ = strconv.Atoi(fields[1])
	return pid, string(b[open+1 : end]), parent
}

// alive reports whether a process runs or is frozen: not one that has ended and was not waited for.
func alive(pid int) bool {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	fields := strings.Fields(string(b[bytes.LastIndexByte(b, ')')+1:]))
	return len(fields) > 0 && fields[0] != "Z" && fields[0] != "X"
}
