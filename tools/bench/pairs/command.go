//go:build linux

package pairs

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/pprof"
	"syscall"
	"time"
)

// Command returns the side that runs a command of others, whose whole time is compared. Facts are
// cpu, the seconds of processors, and peak, its memory in MB. A process of this program starts the
// command: the system counts the memory of what starts a process as its own.
func (r *Run) Command(name string, words ...string) Side {
	s := r.Own(name, "command", words...)
	s.foreign = true
	return s
}

// timeCommand is the job of Command.
func timeCommand(words []string) (*Result, error) {
	if len(words) == 0 {
		return nil, fmt.Errorf("there is no command")
	}
	c := exec.Command(words[0], words[1:]...)
	start := time.Now()
	out, err := c.CombinedOutput()
	seconds := time.Since(start).Seconds()
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", words[0], err, out)
	}
	r := &Result{Version: filepath.Base(words[0]), Seconds: seconds, Output: string(out),
		Facts: map[string]float64{
			"cpu": (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds()}}
	if usage, ok := c.ProcessState.SysUsage().(*syscall.Rusage); ok {
		r.Facts["peak"] = float64(usage.Maxrss) / 1e3
	}
	return r, nil
}

// Spent returns the seconds that processors have worked for this process.
func Spent() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return math.NaN()
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}

// Profiled starts a profile of the processors' time, if there is a file for it, and returns what
// ends it.
func Profiled(path string) (stop func() error, err error) {
	if path == "" {
		return func() error { return nil }, nil
	}
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	stop = func() error {
		pprof.StopCPUProfile()
		return f.Close()
	}
	return stop, pprof.StartCPUProfile(f)
}

// Library returns a path, or in a folder the first file of a pattern that is for this machine; ""
// if there is none.
func Library(path, pattern string) string {
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	if !info.IsDir() {
		return path
	}
	for _, below := range []string{"", "lib", "*/lib", "capi", "*/capi", "bin/*/linux/x64"} {
		if found, err := filepath.Glob(filepath.Join(path, below, pattern)); err == nil &&
			len(found) > 0 {
			return found[0]
		}
	}
	return ""
}
