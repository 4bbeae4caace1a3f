//go:build linux

package pairs

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
)

// load returns the load averages, where the system reports them.
func load() string {
	b, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	return strings.Join(strings.Fields(string(b))[:3], " ")
}

// busy returns the seconds that all processors of the machine together have been busy, or were held
// back from it by its host; 0 where the system does not report it.
func busy() float64 {
	b, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0
	}
	line, _, _ := strings.Cut(string(b), "\n")
	ticks := 0.0 // of 10 ms
	for i, text := range strings.Fields(line) {
		// cpu user nice system idle iowait irq softirq steal guest guest_nice; guests are in user
		// already
		if i == 0 || i == 4 || i == 5 || i > 8 {
			continue
		}
		n, _ := strconv.ParseFloat(text, 64)
		ticks += n
	}
	return ticks / 100
}

// Memory returns a line of this process's status, such as VmRSS (the memory it has now) and VmHWM
// (the most it had), in MB; 0 if there is no such line.
func Memory(name string) float64 {
	b, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(b)) {
		if value, found := strings.CutPrefix(line, name+":"); found {
			kb, _ := strconv.ParseFloat(strings.Fields(value)[0], 64)
			return kb / 1e3
		}
	}
	return 0
}

// Version names the build of the library under test, and the compiler.
func Version() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				return fmt.Sprintf("coppice %s, %s", s.Value[:min(12, len(s.Value))],
					runtime.Version())
			}
		}
	}
	return "coppice of this checkout, " + runtime.Version()
}

// Machine names the processor, and how many of its cores this process may use.
func Machine() string {
	b, _ := os.ReadFile("/proc/cpuinfo")
	name := "processor unknown"
	for line := range strings.Lines(string(b)) {
		if key, value, found := strings.Cut(line, ":"); found && strings.TrimSpace(key) == "model name" {
			name = strings.TrimSpace(value)
			break
		}
	}
	return fmt.Sprintf("%s, %d cores", name, runtime.NumCPU())
}
