package main

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm"
)

// A process that trains with checkpoints is killed at some moments. Each time it keeps the
// checkpoints that were seen, and in the end the file is that of a training that nothing
// interrupted.
func TestKilledTraining(t *testing.T) {
	folder := t.TempDir()
	table, path := filepath.Join(folder, "t.csv"), filepath.Join(folder, "m.coppice")
	if err := os.WriteFile(table, encode(t, "csv", largeRows(0, 1500)), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"train", table, "--label", "y", "--learner", "gbm", "--set", "trees=150", "--set", "subsample=0.7",
		"--set", "early_stopping=0", "--valid", "0.2", "--checkpoint-every", "3", "-o"}
	want := filepath.Join(folder, "want.coppice")
	works(t, append(args, want)...)
	args = append(args, path)
	moments := rand.New(rand.NewPCG(3, 4))
	checkpoint := path + ".checkpoint"
	resume := func() []string { return append(args, "--resume", checkpoint) }
	done := 0 // rounds of the checkpoint
	for i := range tier.Count(4, 10, 100) {
		if done > 120 { // nearly finished: start again
			if err := os.Remove(checkpoint); err != nil {
				t.Fatal(err)
			}
			done = 0
		}
		line := args
		if done > 0 {
			line = resume()
		}
		seen := killTraining(t, line, checkpoint, 1+moments.IntN(4), moments.IntN(20_000))
		kept := checkpointRounds(t, checkpoint)
		if kept < done+3*seen || kept%3 != 0 {
			t.Fatalf("kill %d: the checkpoint had %d rounds, %d newer ones were seen, and it has %d", i, done, seen, kept)
		}
		done = kept
	}
	works(t, resume()...)
	same(t, want, path)
}

// checkpointRounds returns the number of rounds of a checkpoint.
func checkpointRounds(t *testing.T, path string) int {
	t.Helper()
	m, err := coppice.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	var found gbm.Summary
	if err := learn.ReadSummary(m, &found); err != nil {
		t.Fatal(err)
	}
	return found.Rounds
}

// killTraining starts the command and kills it some moment after it has written so many
// checkpoints. It returns how many it has seen, which are fewer where one soon follows another.
func killTraining(t *testing.T, args []string, checkpoint string, newer, moment int) (seen int) {
	t.Helper()
	last, _ := os.Stat(checkpoint) // nil: there is none
	child := exec.Command("coppice", args...)
	var complaint strings.Builder
	child.Stderr = &complaint
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- child.Wait() }()
	for seen < newer {
		if len(ended) > 0 {
			t.Fatalf("the command ended after %d checkpoints: %v %s", seen, <-ended, complaint.String())
		}
		if now, err := os.Stat(checkpoint); err == nil && (last == nil || !os.SameFile(now, last)) {
			last, seen = now, seen+1
		}
	}
	for range moment {
		runtime.Gosched()
	}
	child.Process.Kill() // an error means that it has just ended
	if err := <-ended; err == nil {
		t.Fatalf("the command ended before it was killed: %s", complaint.String())
	}
	return seen
}
