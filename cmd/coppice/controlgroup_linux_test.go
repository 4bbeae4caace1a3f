package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/internal/testing/tier"
)

// controlGroup makes a control group below that of this process, which limits memory to some bytes.
// It returns the folder, and a function that returns how many processes the system has killed
// there.
func controlGroup(t *testing.T, bytes int64) (folder string, killed func() string) {
	t.Helper()
	groups, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		t.Skipf("this system has no control groups: %v", err)
	}
	limit, events := "", ""
	for line := range strings.Lines(string(groups)) {
		f := strings.SplitN(strings.TrimSpace(line), ":", 3)
		switch {
		case len(f) == 3 && f[1] == "memory":
			folder, limit, events = "/sys/fs/cgroup/memory"+f[2], "memory.limit_in_bytes", "memory.oom_control"
		case len(f) == 3 && f[1] == "" && folder == "":
			folder, limit, events = "/sys/fs/cgroup"+f[2], "memory.max", "memory.events"
		}
	}
	folder = filepath.Join(folder, fmt.Sprintf("coppice-test-%d", os.Getpid()))
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Skipf("this machine lets the test make no control group: %v", err)
	}
	t.Cleanup(func() {
		if err := os.Remove(folder); err != nil {
			t.Error(err)
		}
	})
	if err := os.WriteFile(filepath.Join(folder, limit), fmt.Append(nil, bytes), 0o644); err != nil {
		t.Skipf("this machine lets the test limit no memory: %v", err)
	}
	return folder, func() string {
		text, err := os.ReadFile(filepath.Join(folder, events))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if n, ok := strings.CutPrefix(line, "oom_kill "); ok {
				return strings.TrimSpace(n)
			}
		}
		t.Fatalf("%s says nothing of processes that were killed: %s", events, text)
		return ""
	}
}

// In a control group of little memory a training of a table that is larger takes blocks, without a
// flag, and the system kills nothing. The model is that of the same limit by --memory.
func TestControlGroup(t *testing.T) {
	tier.AtNight(t, "trains on a table of some hundred megabytes")
	const limit = 256 << 20
	group, killed := controlGroup(t, limit)
	dir := t.TempDir()
	table := filepath.Join(dir, "t.csv")
	writeWide(t, table, 600_000, 40)
	train := []string{"train", table, "--label", "y", "--quiet-checks", "--set", "trees=3", "-o"}
	inside := exec.Command("sh", append([]string{"-c",
		`echo $$ >"$0/cgroup.procs" && exec coppice "$@"`, group}, append(train, filepath.Join(dir, "inside"))...)...)
	var errs bytes.Buffer
	inside.Stderr = &errs
	if err := inside.Run(); err != nil || killed() != "0" {
		t.Fatalf("%v, %s processes were killed: %s", err, killed(), &errs)
	}
	if !strings.Contains(errs.String(), "is read in blocks") {
		t.Errorf("the table was held in memory: %s", &errs)
	}
	works(t, append(append(train, filepath.Join(dir, "outside")), "--memory", fmt.Sprint(limit/4*3))...)
	a, err := os.ReadFile(filepath.Join(dir, "inside"))
	if err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(filepath.Join(dir, "outside")); err != nil || !bytes.Equal(a, b) {
		t.Errorf("the models differ, %v", err)
	}
}

// writeWide writes a table of numbers with many digits, whose label depends on the first two.
func writeWide(t *testing.T, path string, rows, columns int) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	var line bytes.Buffer
	for c := range columns {
		fmt.Fprintf(&line, "x%d,", c)
	}
	line.WriteString("y\n")
	state := uint64(1)
	for range rows {
		if line.Len() > 1<<20 {
			if _, err := f.Write(line.Bytes()); err != nil {
				t.Fatal(err)
			}
			line.Reset()
		}
		sum := 0.0
		for c := range columns {
			state = state*6364136223846793005 + 1442695040888963407
			v := float64(state>>11) / (1 << 53)
			if c < 2 {
				sum += v
			}
			line.WriteString(fmt.Sprintf("%.7f,", v))
		}
		if sum > 1 {
			line.WriteString("yes\n")
		} else {
			line.WriteString("no\n")
		}
	}
	if _, err := f.Write(line.Bytes()); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}
