package main

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// scratchOf returns the scratch file of a process, as an entry of /proc that can be opened though
// the file has no name, and its size; "" if there is none.
func scratchOf(pid int) (path string, size int64) {
	folder := fmt.Sprintf("/proc/%d/fd", pid)
	entries, err := os.ReadDir(folder)
	if err != nil {
		return "", 0 // it has ended
	}
	for _, e := range entries {
		path := filepath.Join(folder, e.Name())
		to, err := os.Readlink(path)
		if err != nil || !strings.Contains(to, ".scratch") {
			continue
		}
		if i, err := os.Stat(path); err == nil {
			return path, i.Size()
		}
	}
	return "", 0
}

// Once the scratch file of a training in blocks has codes, a signal ends the training with one
// line, and so does a file that somebody has cut off or changed. The table is on a server, which
// holds the request that comes then until the test has done so: that of a signal until the process
// gives it up, so that training does not go on before the signal arrives.
func TestTrainingInBlocksEnds(t *testing.T) {
	table := encode(t, "csv", largeRows(0, 20_000))
	for name, c := range map[string]struct {
		do     func(p *os.Process) error
		answer bool // to the request, after that
		want   string
	}{
		"interrupt": {func(p *os.Process) error { return p.Signal(os.Interrupt) }, false, "interrupted: no file was written"},
		"SIGTERM":   {func(p *os.Process) error { return p.Signal(syscall.SIGTERM) }, false, "interrupted: no file was written"},
		"cut off": {func(p *os.Process) error {
			path, _ := scratchOf(p.Pid)
			return os.Truncate(path, 0)
		}, true, "the scratch file in scratch"},
		"changed": {func(p *os.Process) error {
			path, size := scratchOf(p.Pid)
			f, err := os.OpenFile(path, os.O_WRONLY, 0)
			if err != nil {
				return err
			}
			defer f.Close()
			_, err = f.WriteAt(bytes.Repeat([]byte{0x5a}, int(size)), 0)
			return err
		}, true, "the scratch file in scratch has changed: the disk may be faulty"},
	} {
		started, held, done := make(chan *os.Process, 1), make(chan *os.Process), make(chan bool)
		child := sync.OnceValue(func() *os.Process { return <-started })
		web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if _, size := scratchOf(child().Pid); size > 0 {
				select {
				case held <- child():
				case <-done: // only the first one is held
				}
				select {
				case <-done:
				case <-r.Context().Done():
				}
			}
			http.ServeContent(w, r, "t.csv", time.Time{}, bytes.NewReader(table))
		}))
		cmd, stderr := startable(t, "train", web.URL+"/t.csv", "--label", "y", "--memory", "1300kB", "--scratch", "scratch",
			"--set", "trees=20", "--set", "categories=target", "-o", "m.coppice")
		if err := os.Mkdir(filepath.Join(cmd.Dir, "scratch"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		started <- cmd.Process
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		var err error
		select {
		case p := <-held:
			if err := c.do(p); err != nil {
				t.Error(name, err)
			}
			if c.answer {
				close(done)
			}
			err = <-ended
		case err = <-ended:
			t.Errorf("%s: no request came after the file had codes", name)
		}
		if !c.answer {
			close(done)
		}
		web.Close()
		if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || exit.ExitCode() != 1 {
			t.Errorf("%s: %v, want status 1", name, err)
		}
		_, last, faults := strings.Cut(stderr.String(), "\ncoppice: ") // behind notes
		if !faults || !strings.Contains(last, c.want) || strings.Count(last, "\n") != 1 {
			t.Errorf("%s: %q", name, stderr)
		}
		left, err := filepath.Glob(filepath.Join(cmd.Dir, "*", "*"))
		if model, _ := filepath.Glob(filepath.Join(cmd.Dir, "m.*")); err != nil || len(left)+len(model) > 0 {
			t.Errorf("%s: left behind: %v %v", name, left, model)
		}
	}
}
