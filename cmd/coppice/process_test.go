package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/coppice-ml/coppice/internal/humanize"
)

// startable prepares a run of the command, which TestMain has put into the path, in an empty
// folder.
func startable(t *testing.T, args ...string) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("signals and closed pipes are tested on Unix")
	}
	cmd := exec.Command("coppice", args...)
	cmd.Dir = t.TempDir()
	stderr := &bytes.Buffer{}
	cmd.Stderr = stderr
	return cmd, stderr
}

// feed starts a command that reads standard input and writes more to it than a pipe holds. When
// feed returns, the command has begun to read and waits for more.
func feed(t *testing.T, cmd *exec.Cmd) io.Closer { return feedTable(t, cmd, "x,y\n") }

// feedTable is feed with a header line for two columns.
func feedTable(t *testing.T, cmd *exec.Cmd, header string) io.Closer {
	t.Helper()
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var table bytes.Buffer
	table.WriteString(header)
	for i := range 60_000 {
		fmt.Fprintf(&table, "%d,%d\n", i, i%3)
	}
	if _, err := in.Write(table.Bytes()); err != nil {
		t.Fatal(err)
	}
	return in
}

// An interrupt ends the work with one line of error and status 1, and no file is written.
func TestInterrupt(t *testing.T) {
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		cmd, stderr := startable(t, "train", "-", "--label", "y", "-o", "m.coppice")
		in := feed(t, cmd)
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		err := cmd.Wait()
		in.Close()
		if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || exit.ExitCode() != 1 {
			t.Errorf("%v: %v, want status 1", signal, err)
		}
		if got, want := stderr.String(),
			"coppice: interrupted: no file was written\n"; got != want {
			t.Errorf("%v: standard error %q, want %q", signal, got, want)
		}
		entries, err := os.ReadDir(cmd.Dir)
		if err != nil || len(entries) > 0 {
			t.Errorf("%v: files are left: %v %v", signal, entries, err)
		}
	}
}

// A closed standard output, as in a pipe to head, prints no error.
func TestClosedPipe(t *testing.T) {
	cmd, stderr := startable(t, "learners", "cart")
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	cmd.Stdout = w
	err = cmd.Run()
	w.Close()
	if err == nil {
		t.Error("no error, want a status that reports the lost output")
	}
	if stderr.Len() > 0 {
		t.Errorf("standard error %q, want silence", stderr)
	}
}

// Output that cannot be written is a failure.
func TestFullOutput(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("this system has no /dev/full")
	} else if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	cmd, stderr := startable(t, "learners", "cart")
	cmd.Stdout = full
	err = cmd.Run()
	if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || exit.ExitCode() != 1 {
		t.Errorf("%v, want status 1", err)
	}
	if got, want := stderr.String(),
		"coppice: write /dev/stdout: no space left on device\n"; got != want {
		t.Errorf("standard error %q, want %q", got, want)
	}
}

// Control sequences in a table never reach the terminal, and an error about them stays one line.
func TestNamesAreHarmless(t *testing.T) {
	cmd, stderr := startable(t, "data", "t.csv")
	evil := "x\x1b[2J\u202e"
	if err := os.WriteFile(filepath.Join(cmd.Dir, "t.csv"),
		[]byte("\""+evil+"\",y\n\"a\x1b[31m\",2\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err, stderr)
	}
	for name, text := range map[string]string{"standard output": string(out),
		"standard error": stderr.String()} {
		if strings.ContainsAny(text, "\x1b\u202e") {
			t.Errorf("%s %q holds control characters of the table", name, text)
		}
	}
}

// writeHostileNames writes a table whose names of columns, categories and classes hold control
// sequences.
func writeHostileNames(t *testing.T, file string) {
	t.Helper()
	table := "\"x\x1b[2J\u202e\",\"שלום 全\u3000角\",\"y\u009b\"\n"
	for i := range 40 {
		class := "\x1b]0;owned\a"
		if i%3 == 0 {
			class = "\u2066\u200fb\u2028"
		}
		table += fmt.Sprintf("%d,\"lev\x7fel%d\",\"%s\"\n", i*7%11, i%3, class)
	}
	if err := os.WriteFile(file, []byte(table), 0o666); err != nil {
		t.Fatal(err)
	}
}

// Control sequences in the names of a model are escaped too, in all output and files but CSV, which
// holds names unchanged.
func TestNamesOfModelsAreHarmless(t *testing.T) {
	cmd, _ := startable(t)
	dir := cmd.Dir
	writeHostileNames(t, filepath.Join(dir, "t.csv"))
	for _, line := range [][]string{
		{"train", "t.csv", "--label", "y\u009b", "--learner", "cart", "--test", "0.2", "-o",
			"m\x1bm"},
		{"train", "t.csv", "--label", "y\u009b", "--learner", "forest", "--set", "trees=5", "--set",
			"importance=permutation", "-o", "f"},
		{"evaluate", "m\x1bm", "t.csv"},
		{"cv", "t.csv", "--label", "y\u009b", "--learner", "cart", "--folds", "2"},
		{"data", "t.csv"},
		{"show", "m\x1bm"},
		{"show", "m\x1bm", "--json"},
		{"show", "m\x1bm", "--format", "rules"},
		{"show", "m\x1bm", "--format", "json"},
		{"show", "m\x1bm", "--format", "dot"},
		{"show", "m\x1bm", "--format", "svg"},
		{"show", "f"},
		{"show", "f", "--importances", "permutation"},
		{"show", "f", "--importances", "permutation", "--format", "svg", "-o", "i.svg"},
		{"show", "m\x1bm", "-o", "m.txt"},
		{"show", "m\x1bm", "--json", "-o", "m.json"},
		{"show", "x\u202e\x1b"},
		{"train", "t.csv", "--label", "y\u202e"},
	} {
		cmd := exec.Command("coppice", line...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		if len(line) > 2 && line[len(line)-2] == "-o" && !strings.HasPrefix(line[0], "train") {
			file, err := os.ReadFile(filepath.Join(dir, line[len(line)-1]))
			if err != nil {
				t.Fatal(err, string(out))
			}
			out = append(out, file...)
		}
		if at := strings.IndexFunc(string(out), func(r rune) bool {
			return r != '\n' && r != '\t' && humanize.Obeyed(r)
		}); at >= 0 {
			t.Errorf("%q writes %q", line, out[max(0, at-40):min(len(out), at+40)])
		}
		if line[0] == "show" && line[1] != "x\u202e\x1b" &&
			!strings.Contains(string(out), "שלום 全\u3000角") && line[1] == "f" {
			t.Errorf("%q lost a name:\n%s", line, out)
		}
	}
	out, err := func() ([]byte, error) {
		cmd := exec.Command("coppice", "predict", "m\x1bm", "t.csv")
		cmd.Dir = dir
		return cmd.Output()
	}()
	if err != nil || !strings.Contains(string(out), "\x1b]0;owned\a") {
		t.Errorf("CSV does not hold the class as it is: %q, %v", out, err)
	}
}

// A model file that is overwritten or truncated while predict runs changes no prediction.
func TestPredictWhileModelIsOverwritten(t *testing.T) {
	train, _ := startable(t, "train", "table.csv", "--label", "y", "--learner", "forest", "--set",
		"trees=40", "-o", "m.coppice")
	var rows strings.Builder
	rows.WriteString("x,z,y\n")
	for i := range 3000 {
		fmt.Fprintf(&rows, "%d,%d,%d\n", i*7919%3001, i*104729%2999, i*i%7919)
	}
	if err := os.WriteFile(filepath.Join(train.Dir, "table.csv"), []byte(rows.String()),
		0o644); err != nil {
		t.Fatal(err)
	}
	if err := train.Run(); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(train.Dir, "m.coppice")
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(whole) < 1<<20 {
		t.Fatalf("a model of %d bytes is small: the example shows nothing", len(whole))
	}
	predict := func(meanwhile func() error) string {
		cmd, stderr := startable(t, "predict", file, "-")
		var out bytes.Buffer
		cmd.Stdout = &out
		in := feedTable(t, cmd, "x,z\n")
		if err := meanwhile(); err != nil {
			t.Fatal(err)
		}
		if err := in.Close(); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Wait(); err != nil {
			t.Fatalf("%v: %s", err, stderr)
		}
		return out.String()
	}
	want := predict(func() error { return nil })
	for name, meanwhile := range map[string]func() error{
		"truncated": func() error { return os.Truncate(file, 0) },
		"other bytes": func() error {
			return os.WriteFile(file, bytes.Repeat([]byte{0x3f}, len(whole)), 0o644)
		},
	} {
		if predict(meanwhile) != want {
			t.Errorf("%s: other predictions than of the whole file", name)
		}
		if err := os.WriteFile(file, whole, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
