package train

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm"
	"github.com/coppice-ml/coppice/model"
)

// trainInto is the variable that names the model which a child process of the test trains.
const trainInto = "COPPICE_TEST_TRAIN"

// checkpointEvery is the number of rounds between checkpoints of the children.
const checkpointEvery = 3

// trainChild trains to a file, as the command does, from the checkpoint that is there, and writes a
// dot for each round.
func trainChild(path string, dots io.Writer) error {
	const rows = 1500
	s := rng.New(1)
	columns := make([]data.Column, 4)
	schema := data.Schema{Fields: []data.Field{{Name: "a"}, {Name: "b"}, {Name: "c"}, {Name: "d"}}}
	for c := range columns {
		columns[c] = data.Numbers(make([]float64, rows))
	}
	class := make([]uint32, rows)
	for i := range rows {
		sum := 0.0
		for c := range columns {
			columns[c].Numbers()[i] = s.Float64()
			sum += float64(columns[c].Number(i) * float64(c+1))
		}
		class[i] = uint32(min(2, int(sum/2)))
	}
	f, err := data.NewFrame(schema, columns)
	if err != nil {
		return err
	}
	ds := &data.Dataset{Frame: f, Target: data.Target{Name: "y", Task: data.Multiclass,
		Classes: []string{"p", "q", "r"}, Class: class}}
	l := gbm.New()
	if err := l.Params().Set([]string{"trees=150", "subsample=0.7", "colsample=0.8",
		"valid_fraction=0.2", "early_stopping=0"}); err != nil {
		return err
	}
	o := startFlags{every: checkpointEvery, leads: true, file: path + ".checkpoint"}
	if _, err := os.Stat(o.file); err == nil {
		o.resume = o.file
	}
	start, err := o.open()
	if err != nil {
		return err
	}
	keep := o.observe(&cli.Progress{})
	m, err := coppice.Train(context.Background(), l, ds,
		coppice.Job(learn.Job{Seed: 9, Start: start, Observe: func(r learn.Round) error {
			if _, err := dots.Write([]byte{'.'}); err != nil {
				return err // the parent process has ended
			}
			return keep(r)
		}}))
	if err != nil {
		return err
	}
	return coppice.Save(path, m)
}

func TestTrainingChild(t *testing.T) {
	path := os.Getenv(trainInto)
	if path == "" {
		t.Skip("only the child process of TestKilledTraining trains until it is killed")
	}
	if err := trainChild(path, os.Stdout); err != nil {
		t.Fatal(err)
	}
}

// A process that trains with checkpoints is killed at 10 moments, or as many as COPPICE_KILLS sets.
// Each time it loses no more than the rounds since the checkpoint before, and in the end the file
// is that of a training that nothing interrupted.
func TestKilledTraining(t *testing.T) {
	folder := t.TempDir()
	want := filepath.Join(folder, "want.coppice")
	if err := trainChild(want, io.Discard); err != nil {
		t.Fatal(err)
	}
	kills := 10
	if text := os.Getenv("COPPICE_KILLS"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		kills = n
	}
	moments := rand.New(rand.NewPCG(3, 4))
	path := filepath.Join(folder, "m.coppice")
	done := 0 // rounds of the checkpoint
	for i := range kills {
		if done > 120 { // nearly finished: start again
			if err := os.Remove(path + ".checkpoint"); err != nil {
				t.Fatal(err)
			}
			done = 0
		}
		rounds := killTraining(t, path, 1+moments.IntN(10), moments.IntN(20_000))
		kept := checkpointRounds(t, path+".checkpoint")
		if kept < done+rounds-checkpointEvery || kept%checkpointEvery != 0 {
			t.Fatalf("kill %d: %d rounds were trained and %d more, the checkpoint has %d", i, done,
				rounds, kept)
		}
		done = kept
	}
	if err := trainChild(path, io.Discard); err != nil {
		t.Fatal(err)
	}
	a, err := os.ReadFile(want)
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(a, b) {
		t.Errorf("the model is another than without kills, error %v", err)
	}
}

// checkpointRounds returns the number of rounds of a checkpoint, 0 if there is none yet.
func checkpointRounds(t *testing.T, path string) int {
	t.Helper()
	if _, err := os.Stat(path); err != nil {
		return 0
	}
	m, err := coppice.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(m.(*model.Ensemble).State) == 0 {
		t.Fatal("a checkpoint without state")
	}
	var found gbm.Summary
	if err := learn.ReadSummary(m, &found); err != nil {
		t.Fatal(err)
	}
	return found.Rounds
}

// killTraining starts a child and kills it some moment after a round. It returns the number of
// rounds that the child has reported.
func killTraining(t *testing.T, path string, rounds, moment int) int {
	t.Helper()
	child := exec.Command(os.Args[0], "-test.run=^TestTrainingChild$")
	child.Env = append(os.Environ(), trainInto+"="+path)
	var complaint strings.Builder
	child.Stderr = &complaint
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	reported, err := io.ReadFull(out, make([]byte, rounds))
	for range moment {
		runtime.Gosched()
	}
	if e := child.Process.Kill(); e != nil {
		t.Fatal(e)
	}
	// A child that was not killed in time also prints PASS.
	rest, _ := io.ReadAll(out)
	child.Wait() // its error is that it was killed
	if err != nil {
		t.Fatalf("the child ended after %d rounds: %v %s", reported, err, complaint.String())
	}
	return reported + bytes.Count(rest, []byte{'.'})
}
