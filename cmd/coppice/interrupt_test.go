// On Windows a process cannot send itself an interrupt.

//go:build !windows

package main

import (
	"bytes"
	"context"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/learn/catalog"
)

// impatient is a terminal that sends the process an interrupt once a stage begins.
type impatient struct {
	t     *testing.T
	stage string
	once  sync.Once
}

func (w *impatient) Write(text []byte) (int, error) {
	if bytes.Contains(text, []byte(w.stage)) {
		w.once.Do(func() {
			p, err := os.FindProcess(os.Getpid())
			if err == nil {
				err = p.Signal(os.Interrupt)
			}
			if err != nil {
				w.t.Error(err)
			}
		})
	}
	return len(text), nil
}

// An interrupted training writes the rounds so far beside the model, reports that, and ends with
// status 3. The same holds while the number of rounds is chosen.
func TestInterruptedTraining(t *testing.T) {
	for _, c := range []struct {
		stage, set string
		rows       int // that the model so far is trained on
	}{{"boost", "trees=1000000", 150}, {"choose rounds", "early_stopping=1000000", 120}} {
		t.Run(c.stage, func(t *testing.T) { interruptTraining(t, c.stage, c.set, c.rows) })
	}
}

func interruptTraining(t *testing.T, stage, set string, rows int) {
	dir := t.TempDir()
	file := filepath.Join(dir, "m.coppice")
	if err := os.WriteFile(file, []byte("older"), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var stdout, stderr bytes.Buffer
	c := &cli.Console{In: strings.NewReader(""), Out: &stdout, Err: &stderr,
		Progress: &cli.Progress{Terminal: &impatient{t: t, stage: stage}}}
	err := cli.Run(ctx, c, commands(), []string{"train", filepath.Join("..", "..", "testdata",
		"iris", "iris.csv"), "--label", "species", "--learner", "gbm",
		"--set", set, "--set", "subsample=0.5", "-o", file})
	if got := c.Finish(err); got != cli.StatusPartial || stdout.Len() > 0 {
		t.Errorf("status %d, want %d; standard output %q", got, cli.StatusPartial, &stdout)
	}
	if want := "coppice: interrupted: " + file +
		".partial holds the model so far\n"; !strings.HasSuffix(stderr.String(), want) {
		t.Errorf("standard error %q, want %q at its end", &stderr, want)
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "older" {
		t.Errorf("the older model is %q, %v", text, err)
	}
	m, err := coppice.Open(file + ".partial")
	if err != nil {
		t.Fatal(err)
	}
	if s := catalog.Training(m); s.Rounds < 1 || s.Rounds >= 1000000 || s.Rows != rows {
		t.Errorf("%+v", s)
	}
}

// An interrupted training in blocks writes the rounds so far, too, and leaves no scratch file.
func TestInterruptedTrainingInBlocks(t *testing.T) {
	dir, scratch := t.TempDir(), t.TempDir()
	table, file := filepath.Join(dir, "t.csv"), filepath.Join(dir, "m.coppice")
	for name, content := range map[string][]byte{file: []byte("older"), table: encode(t, "csv", largeRows(0, 18000))} {
		if err := os.WriteFile(name, content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var stdout, stderr bytes.Buffer
	c := &cli.Console{In: strings.NewReader(""), Out: &stdout, Err: &stderr,
		Progress: &cli.Progress{Terminal: &impatient{t: t, stage: "boost"}}}
	err := cli.Run(ctx, c, commands(), []string{"train", table, "--label", "y", "--set", "trees=1000000",
		"--memory", "1300kB", "--scratch", scratch, "-o", file})
	if got := c.Finish(err); got != cli.StatusPartial || !strings.Contains(stderr.String(), "is read in blocks") ||
		!strings.HasSuffix(stderr.String(), "coppice: interrupted: "+file+".partial holds the model so far\n") {
		t.Errorf("status %d, want %d; standard error %q", got, cli.StatusPartial, &stderr)
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "older" {
		t.Errorf("the older model is %q, %v", text, err)
	}
	if _, err := coppice.Open(file + ".partial"); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(scratch); err != nil || len(left) > 0 {
		t.Errorf("%d scratch files are left, %v", len(left), err)
	}
}
