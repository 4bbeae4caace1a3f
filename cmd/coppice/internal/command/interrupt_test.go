package command

import (
	"bytes"
	"context"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/coppice-ml/coppice"
)

// impatient is a terminal that sends the process an interrupt once it is told of rounds.
type impatient struct {
	t    *testing.T
	once sync.Once
}

func (w *impatient) Write(text []byte) (int, error) {
	if bytes.Contains(text, []byte("boost")) {
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

// An interrupt of a training writes the rounds so far beside the model, says so, and has a status of its own.
func TestInterruptedTraining(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("signals are tested on Unix")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "m.coppice")
	if err := os.WriteFile(file, []byte("older"), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var stdout, stderr bytes.Buffer
	c := &console{in: strings.NewReader(""), out: &stdout, err: &stderr, progress: &progress{w: &impatient{t: t}}}
	err := run(ctx, c, []string{"train", filepath.Join("..", "..", "..", "..", "testdata", "iris", "iris.csv"), "--label", "species", "--learner", "gbm",
		"--set", "trees=1000000", "--set", "subsample=0.5", "-o", file})
	if got := c.finish(err); got != halved || stdout.Len() > 0 {
		t.Errorf("status %d, want %d; standard output %q", got, halved, &stdout)
	}
	if want := "coppice: interrupted: " + file + ".partial holds the model so far\n"; !strings.HasSuffix(stderr.String(), want) {
		t.Errorf("standard error %q, want %q at its end", &stderr, want)
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "older" {
		t.Errorf("the older model is %q, %v", text, err)
	}
	m, err := coppice.Open(file + ".partial")
	if err != nil {
		t.Fatal(err)
	}
	if s := roundsOf(m.Spec()); s == nil || s.Kept < 1 || s.Kept >= 1000000 {
		t.Errorf("%+v", s)
	}
}
