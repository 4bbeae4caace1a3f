package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/internal/testing/tier"
)

// resumed are trainings by what their checkpoints hold.
var resumed = map[string][]string{
	"rounds":                {"--set", "trees=150", "--set", "subsample=0.5"},
	"rounds and validation": {"--set", "trees=150", "--valid", "0.2"},
	"choice of rounds":      {"--set", "rehearse=false"},
	"candidates":            nil,
}

// trainingRun is a command that trains on a table.
type trainingRun struct {
	table string
	flags []string
}

func (c *trainingRun) args(more ...string) []string {
	args := append([]string{"train", c.table, "--label", "species", "--quiet-checks"}, c.flags...)
	return append(args, more...)
}

// interrupted trains until there is a checkpoint, and returns it.
func (c *trainingRun) interrupted(t *testing.T, folder string) []byte {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	file := filepath.Join(folder, "half.coppice")
	go func() {
		for ctx.Err() == nil {
			if _, err := os.Stat(file + ".checkpoint"); err == nil {
				cancel()
			}
			time.Sleep(time.Millisecond)
		}
	}()
	var out, errs bytes.Buffer
	console := &cli.Console{In: strings.NewReader(""), Out: &out, Err: &errs, Progress: &cli.Progress{}}
	status := console.Finish(cli.Run(ctx, console, commands(), c.args("--checkpoint-every", "1", "-o", file)))
	checkpoint, err := os.ReadFile(file + ".checkpoint")
	if err != nil || !strings.Contains(errs.String(), "continues after round") {
		t.Fatalf("status %d: %s %v", status, &errs, err)
	}
	return checkpoint
}

// resume resumes from a file, and returns the model, nil where the command has ended with one line.
func (c *trainingRun) resume(t *testing.T, what, from string, more ...string) []byte {
	t.Helper()
	folder := t.TempDir()
	file := filepath.Join(folder, "m.coppice")
	if err := os.WriteFile(file, []byte("older"), 0o600); err != nil {
		t.Fatal(err)
	}
	out, errs, status := run(t, c.args(append(more, "--resume", from, "-o", file)...)...)
	got, err := os.ReadFile(file)
	left, e := os.ReadDir(folder)
	if err != nil || e != nil || len(left) != 1 {
		t.Errorf("%s: left %v, %v, %v", what, left, err, e)
	}
	if status == 0 {
		return got
	}
	notes, last, _ := strings.Cut(errs, "coppice: ")
	if strings.Count(last, "\n") != 1 || strings.Count(notes, "\n") != strings.Count(notes, "note: ") || out != "" {
		t.Errorf("%s: status %d, standard output %q, errors %q", what, status, out, errs)
	}
	if string(got) != "older" {
		t.Errorf("%s: the older model is %d other bytes", what, len(got))
	}
	return nil
}

// A checkpoint that is damaged or of something else ends the command with one line, and harms no
// older model. Resuming from the whole one makes the model of an undisturbed training.
func TestDamagedCheckpoints(t *testing.T) {
	tier.NotShort(t, "trains some models")
	iris := filepath.Join("..", "..", "testdata", "iris", "iris.csv")
	folder := t.TempDir()
	rows, err := os.ReadFile(iris)
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(folder, "other.csv")
	if err := os.WriteFile(other, bytes.Replace(rows, []byte("5.1,"), []byte("5.2,"), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	of := map[string][]byte{}
	for kind, flags := range resumed {
		dir := filepath.Join(folder, kind)
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		of[kind] = (&trainingRun{iris, flags}).interrupted(t, dir)
	}
	for kind, flags := range resumed {
		c := trainingRun{iris, flags}
		path := func(name string) string { return filepath.Join(folder, kind, name) }
		from := func(name string, content []byte) string {
			if err := os.WriteFile(path(name), content, 0o600); err != nil {
				t.Fatal(err)
			}
			return path(name)
		}
		works(t, c.args("-o", path("want"))...)
		want, err := os.ReadFile(path("want"))
		if err != nil {
			t.Fatal(err)
		}
		whole := of[kind]
		ok := from("whole", whole)
		if got := c.resume(t, kind, ok); !bytes.Equal(got, want) {
			t.Errorf("%s: resuming makes another model", kind)
		}
		refused := func(what, file string, more ...string) {
			if c.resume(t, kind+", "+what, file, more...) != nil {
				t.Errorf("%s, %s: it is no checkpoint of this training, and makes a model", kind, what)
			}
		}
		for part := range 16 {
			refused("cut off", from("cut", whole[:len(whole)*part/16]))
		}
		bits := rng.New(7)
		for range tier.Count(0, 40, 2000) {
			flipped := bytes.Clone(whole)
			bit := bits.Intn(8 * len(flipped))
			flipped[bit/8] ^= 1 << (bit % 8)
			refused("a flipped bit", from("flipped", flipped))
		}
		refused("a folder", folder)
		refused("a finished model", path("want"))
		refused("a table", iris)
		refused("a newer file", filepath.Join("..", "..", "codec", "native", "testdata", "newer.coppice"))
		refused("another seed", ok, "--seed", "5")
		refused("another parameter", ok, "--set", "l2=3")
		refused("no column", ok, "--ignore", "petal_width")
		// A table of other numbers may be the same to the learner.
		c.table = other
		works(t, c.args("-o", path("want other"))...)
		wantOther, err := os.ReadFile(path("want other"))
		if err != nil {
			t.Fatal(err)
		}
		if got := c.resume(t, kind+", another table", ok); got != nil && !bytes.Equal(got, wantOther) {
			t.Errorf("%s: on another table it makes another model than without the checkpoint", kind)
		}
		c.table = iris
		for another, checkpoint := range of {
			if another != kind {
				refused("of "+another, from("another", checkpoint))
			}
		}
	}
}
