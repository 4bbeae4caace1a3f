package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/internal/testing/faults"
	"github.com/coppice-ml/coppice/internal/testing/tier"
)

// work is a command whose calls fail one after the other.
type work struct {
	name string
	// args have DIR for the folder of the files, and WEB for a server that has these files, too.
	args  []string
	files map[string][]byte // in DIR before the command
	stdin []byte
	// keeps are files that a command which fails may leave, such as a checkpoint.
	keeps []string
	// varies are files of which every run writes other bytes. A run keeps what they have.
	varies []string
	// several reports that the work writes more than one file: if one fails, others may be there.
	several bool
	// newer is what t.csv or another file becomes while it is read; nil: it stays.
	newer map[string][]byte
	// slow reports that a run takes over ten milliseconds.
	slow bool
	// timed reports that the result depends on the clock.
	timed bool
}

// outcome is what a run of a work has left.
type outcome struct {
	stdout, stderr string
	status         int
	err            error
	files          map[string]string
}

// trial runs a work again and again in one folder.
type trial struct {
	*work
	t        *testing.T
	dir      string
	web      *webServer // nil: the command does not read from it
	before   map[string]string
	good     []outcome // that are right
	cancel   func()    // interrupts the run
	routines int
	open     int
}

func newTrial(t *testing.T, w *work, web *webServer) *trial {
	r := &trial{work: w, t: t, dir: t.TempDir(), web: web, before: map[string]string{}}
	for name, b := range w.files {
		r.before[name] = string(b)
	}
	if web != nil {
		web.folder = r.dir
	}
	r.restore(nil)
	none := faults.Fault{}
	good, _ := r.run(&none, 0)
	if good.status != 0 {
		t.Fatalf("%s: without a fault: %s", w.name, good.stderr)
	}
	r.good = []outcome{good}
	r.restore(good.files)
	r.disconnect()
	r.routines, r.open = runtime.NumGoroutine(), openFiles()
	return r
}

// restore makes the folder what it was before a run which has left files.
func (r *trial) restore(left map[string]string) {
	r.t.Helper()
	for name := range left {
		if _, was := r.before[name]; !was {
			if err := os.RemoveAll(filepath.Join(r.dir, name)); err != nil {
				r.t.Fatal(err)
			}
		}
	}
	for name, text := range r.before {
		if now, is := left[name]; is && now == text {
			continue
		}
		path := filepath.Join(r.dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			r.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			r.t.Fatal(err)
		}
		if err := os.Chtimes(path, old, old); err != nil {
			r.t.Fatal(err)
		}
	}
}

// old is when files were written that are there before a run: longer ago than the finest time that
// a system or a server shows.
var old = time.Now().Add(-time.Hour)

// run runs the command once, with a fault of its n-th call.
func (r *trial) run(f *faults.Fault, n int) (outcome, *faults.Session) {
	var out, errs bytes.Buffer
	c := &cli.Console{In: bytes.NewReader(r.stdin), Out: &out, Err: &errs,
		Progress: &cli.Progress{}}
	args, address := slices.Clone(r.args), ""
	if r.web != nil {
		address = r.web.URL
	}
	for i := range args {
		args[i] = strings.NewReplacer("DIR", r.dir, "WEB", address).Replace(args[i])
	}
	ctx, cancel := context.WithCancel(r.t.Context())
	defer cancel()
	r.cancel = cancel
	s := f.Begin(n)
	err := cli.Run(ctx, c, commands(), args)
	status := c.Finish(err)
	s.End()
	printed := regexp.MustCompile(`, trained in .*`).ReplaceAllString(out.String(), "")
	return outcome{printed, errs.String(), status, err, r.left()}, s
}

// left returns the files of the folder.
func (r *trial) left() map[string]string {
	found := map[string]string{}
	err := filepath.WalkDir(r.dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		name, _ := filepath.Rel(r.dir, path)
		found[filepath.ToSlash(name)] = string(b)
		return err
	})
	if err != nil {
		r.t.Fatal(err)
	}
	return found
}

// judge returns what is wrong with an outcome, "" if nothing is.
func (r *trial) judge(f *faults.Fault, s *faults.Session, o *outcome) string {
	if bug := (*cli.Bug)(nil); errors.As(o.err, &bug) {
		return fmt.Sprintf("a panic: %v\n%s", bug, bug.Stack)
	}
	right := slices.ContainsFunc(r.good, func(g outcome) bool {
		return o.status == 0 && g.stdout == o.stdout && r.same(s, o.files, g.files)
	})
	switch {
	case right:
		return ""
	case o.status == 0 && r.timed && f.Name == faults.WrongClock:
		return ""
	case o.status == 0:
		return "another result: " + r.differs(o)
	case f.Harmless:
		return "an error: " + o.stderr
	}
	lines := strings.Split(strings.TrimSuffix(o.stderr, "\n"), "\n")
	last := lines[len(lines)-1]
	if strings.Count("\n"+o.stderr, "\ncoppice: ") != 1 || !strings.HasPrefix(last, "coppice: ") {
		return "not one line of error: " + o.stderr
	}
	interrupted := strings.Contains(last, "coppice: interrupted")
	if !interrupted && !strings.Contains(last, r.dir) && (r.web == nil || !strings.Contains(last, r.web.URL)) {
		return "the error names no file: " + last
	}
	written := f.Done || r.several || strings.Contains(last, "the file is written")
	keeps, varies := r.keeps, r.varies
	if interrupted {
		written = strings.Contains(last, " was written")
		if strings.Contains(last, "no file was written") {
			written, keeps, varies = false, nil, nil
		}
	}
	for name, text := range r.before {
		now, is := o.files[name]
		switch {
		case is && (now == text || now == string(r.newer[name])):
		case slices.Contains(varies, name) && strings.HasPrefix(now, text):
		case is && written && r.right(name, now), is && slices.Contains(keeps, name):
		default:
			return fmt.Sprintf("%s is another file after: %s", name, last)
		}
	}
	for name, text := range o.files {
		_, was := r.before[name]
		partial := o.status == cli.StatusPartial && strings.HasSuffix(name, ".partial")
		if !was && !partial && !slices.Contains(keeps, name) && !s.Removal(filepath.Join(r.dir, name)) &&
			!(written && r.right(name, text)) {
			return fmt.Sprintf("%s is left behind after: %s", name, last)
		}
	}
	return ""
}

// right reports whether a file has the bytes that a run without faults writes.
func (r *trial) right(name, text string) bool {
	return slices.ContainsFunc(r.good, func(g outcome) bool {
		want, is := g.files[name]
		return is && (text == want || slices.Contains(r.varies, name))
	})
}

// same reports whether a run has left the right files, and none that it could remove.
func (r *trial) same(s *faults.Session, got, want map[string]string) bool {
	for name, text := range got {
		right, is := want[name]
		switch {
		case slices.Contains(r.varies, name):
			is = strings.HasPrefix(text, r.before[name])
		case is:
			is = text == right || text == string(r.newer[name])
		default:
			is = s.Removal(filepath.Join(r.dir, name))
		}
		if !is {
			return false
		}
	}
	for name := range want {
		if _, is := got[name]; !is {
			return false
		}
	}
	return true
}

// differs describes how an outcome differs from the right one.
func (r *trial) differs(o *outcome) string {
	g := &r.good[0]
	if g.stdout != o.stdout {
		return fmt.Sprintf("standard output\n%s\nnot\n%s", o.stdout, g.stdout)
	}
	for name := range g.files {
		if o.files[name] != g.files[name] {
			return fmt.Sprintf("%s has %d other bytes, right are %d", name, len(o.files[name]),
				len(g.files[name]))
		}
	}
	return fmt.Sprint("the files ", slices.Sorted(maps.Keys(o.files)), " not ",
		slices.Sorted(maps.Keys(g.files)))
}

// settled reports whether goroutines and open files are no more than before, at last.
func (r *trial) settled() string {
	r.disconnect()
	for start := time.Now(); time.Since(start) < 10*time.Second; {
		if runtime.NumGoroutine() <= r.routines && openFiles() <= r.open {
			return ""
		}
		runtime.Gosched()
	}
	stacks := make([]byte, 1<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	return fmt.Sprintf("%d goroutines, %d before; %d open files, %d before\n%s", runtime.NumGoroutine(),
		r.routines, openFiles(), r.open, stacks)
}

// disconnect ends the connections to the server, which clients keep for their next request.
func (r *trial) disconnect() {
	if r.web != nil {
		r.web.CloseClientConnections()
	}
}

// openFiles returns how many files the process has open, 0 where the system does not show that.
func openFiles() int {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return 0
	}
	return len(entries)
}

// each runs a work with a fault of its first call, and of each step-th one behind it, until no call
// is hit. It returns the number of runs.
func (r *trial) each(f *faults.Fault, step, most int) (runs int) {
	r.t.Helper()
	wrong := 0
	for n := 1; n <= most; n += step {
		o, s := r.run(f, n)
		runs++
		fault := r.judge(f, s, &o)
		if fault == "" {
			fault = r.settled()
		}
		if fault == "" && len(r.keeps)+len(r.varies) > 0 && o.status != 0 {
			fault = r.again(s, &o)
		}
		if fault != "" {
			r.t.Errorf("%s, %s, n = %d, hit %v: %s", r.name, f.Name, n, s, fault)
			if wrong++; wrong == 5 {
				return runs
			}
		}
		r.restore(o.files)
		if len(s.Hit) == 0 && f.Name != faults.Seeded {
			return runs
		}
	}
	return runs
}

// again runs a work without a fault on what a failed run has left. It returns what is wrong then.
func (r *trial) again(s *faults.Session, left *outcome) string {
	none := faults.Fault{}
	o, _ := r.run(&none, 0)
	fault := ""
	if o.status != 0 || !r.same(s, o.files, r.good[0].files) {
		fault = fmt.Sprintf("run again: %s%s", o.stderr, r.differs(&o))
	}
	left.files = o.files
	return fault
}

// step returns how many calls further a fault hits the next time: at night each call.
func (r *trial) step() int {
	if r.slow {
		return tier.Count(307, 151, 1)
	}
	return tier.Count(31, 11, 1)
}

// chosen reports whether a work is run with a fault, by their numbers: at night all with all.
func chosen(work, fault int) bool {
	return fault == 0 || (work+fault)%tier.Count(31, 5, 1) == 0
}

// mostCalls is beyond the calls of any work.
const mostCalls = 20_000

// A file that changes while a command reads it leaves the result of one of its versions, or an
// error, whether the file is written to or another one takes its place.
func TestFileChangesUnderReader(t *testing.T) {
	for k, w := range faultWorks(t) {
		if w.newer == nil {
			continue
		}
		for i, way := range []string{"written to", "replaced"} {
			if testing.Short() && i != k%2 {
				continue
			}
			t.Run(w.name+" "+way, func(t *testing.T) {
				var web *webServer
				if w.onWeb() {
					web = serve(t)
				}
				r := newTrial(t, &w, web)
				change := func() {
					for name, b := range w.newer {
						r.put(name, b, way == "replaced")
					}
				}
				change()
				none := faults.Fault{}
				newer, _ := r.run(&none, 0)
				r.good = append(r.good, newer)
				r.restore(newer.files)
				f := faults.Before("changed file", change)
				runs := r.each(&f, r.step(), mostCalls)
				if t.Logf("%d runs", runs); runs < 2 {
					t.Error("the file was not changed")
				}
			})
		}
	}
}

// An interrupt that comes at any call leaves the result, or each file as it was.
func TestInterruptAtAnyCall(t *testing.T) {
	for k, w := range faultWorks(t) {
		if k%tier.Count(9, 3, 1) > 0 {
			continue
		}
		t.Run(w.name, func(t *testing.T) {
			var web *webServer
			if w.onWeb() {
				web = serve(t)
			}
			r := newTrial(t, &w, web)
			f := faults.Before("interrupt", func() { r.cancel() })
			t.Logf("%d runs", r.each(&f, r.step(), mostCalls))
		})
	}
}

// put writes a file, or puts another one in its place.
func (r *trial) put(name string, b []byte, another bool) {
	path := filepath.Join(r.dir, name)
	to := path
	if another {
		to += ".new"
	}
	err := os.WriteFile(to, b, 0o600)
	if err == nil && another {
		err = os.Rename(to, path)
	}
	if err != nil {
		r.t.Error(err)
	}
}

// onWeb reports whether the command reads from the server.
func (w *work) onWeb() bool {
	return slices.ContainsFunc(w.args, func(a string) bool { return strings.Contains(a, "WEB") })
}

// Whatever call fails, a command has the right result, or ends with one line of error: each file
// from before is whole, nothing is left behind, no goroutine runs and no file is open.
func TestAnyCallMayFail(t *testing.T) {
	total, start := 0, time.Now()
	for k, w := range faultWorks(t) {
		t.Run(w.name, func(t *testing.T) {
			var web *webServer
			if w.onWeb() {
				web = serve(t)
			}
			r := newTrial(t, &w, web)
			for i, f := range faults.Table() {
				if !chosen(k, i) {
					continue
				}
				step, most := r.step(), mostCalls
				if f.Name == faults.Seeded {
					step, most = 1, tier.Count(1, 10, 300)
				}
				runs := r.each(&f, step, most)
				t.Logf("%s: %d runs", f.Name, runs)
				total += runs
			}
		})
	}
	t.Logf("%d runs, %.0f a minute", total, float64(total)/time.Since(start).Minutes())
}
