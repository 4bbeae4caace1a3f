package tune_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/internal/outside"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/tune"
)

var samplers = []tune.Sampler{tune.TPE, tune.Random, tune.ASHA}

// Several searches that share a study test each fold of a trial once, and all return what one alone
// returns.
func TestSharedStudyIsThatOfOne(t *testing.T) {
	for _, sampler := range samplers {
		o := tune.Options{Trials: 25, Seed: 3, Sampler: sampler, Workers: 1}
		want := run(t, o)
		o.Study = filepath.Join(t.TempDir(), "study")
		ds := iris(t)
		var wait sync.WaitGroup
		for range 3 {
			wait.Go(func() {
				got, err := tune.Run(t.Context(), candidates(), ds, &split.Plan{K: 5, Seed: 1}, o)
				if err != nil {
					t.Error(err)
				} else if diff := cmp.Diff(want, got, timeless); diff != "" {
					t.Errorf("%s: %s", sampler, diff)
				}
			})
		}
		wait.Wait()
		text := fileOf(t, o.Study)
		for _, trial := range want.Trials {
			for fold := range trial.Tests {
				line := fmt.Sprintf("\n"+`{"trial":%d,"fold":%d,`, trial.Number, fold)
				if n := strings.Count(text, line); n != 1 {
					t.Errorf("%s: fold %d of trial %d was tested %d times", sampler, fold, trial.Number, n)
				}
			}
		}
		if n, owners := strings.Count(text, `{"left":`), owners(text); n != 3 || len(owners) < 2 {
			t.Errorf("%s: %d searches left, %d took folds", sampler, n, len(owners))
		}
	}
}

// owners returns the searches that claimed folds of a study, with how many.
func owners(study string) map[string]int {
	n := map[string]int{}
	for _, claim := range regexp.MustCompile(`{"claim":"(\w+)"`).FindAllStringSubmatch(study, -1) {
		n[claim[1]]++
	}
	return n
}

func fileOf(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// studyOfChild is the variable that names the study of a child process, and samplerOfChild its
// sampler.
const studyOfChild, samplerOfChild = "COPPICE_TEST_STUDY", "COPPICE_TEST_SAMPLER"

func ofChildren(study string, sampler tune.Sampler) tune.Options {
	return tune.Options{Trials: 30, Seed: 5, Sampler: sampler, Study: study, Workers: 1}
}

func TestChildSearches(t *testing.T) {
	path := os.Getenv(studyOfChild)
	if path == "" {
		t.Skip("only child processes of TestKilledSearch share a study with others")
	}
	// Both children begin together.
	if err := os.WriteFile(fmt.Sprintf("%s.%d", path, os.Getpid()), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for ready := 0; ready < 2; time.Sleep(time.Millisecond) {
		files, err := filepath.Glob(path + ".*")
		if ready = len(files); err != nil {
			t.Fatal(err)
		}
	}
	s := run(t, ofChildren(path, tune.Sampler(os.Getenv(samplerOfChild))))
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Printf("\nstudy %s\n", text)
}

// Of two processes at one study one is killed somewhere. The other ends with the study of one
// alone.
func TestKilledSearch(t *testing.T) {
	for round := range tier.Count(1, 3, 60) {
		sampler := samplers[round%len(samplers)]
		want := run(t, ofChildren("", sampler))
		path := filepath.Join(t.TempDir(), "study")
		var out bytes.Buffer
		left, killed := child(t, path, sampler), child(t, path, sampler)
		left.Stdout = &out
		for _, c := range []*exec.Cmd{left, killed} {
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
		}
		// The claims of both are there, and more of them in each round.
		deadline := time.Now().Add(time.Minute)
		for {
			text, _ := os.ReadFile(path)
			n := owners(string(text))
			if len(n) == 2 && bytes.Count(text, []byte(`{"claim":`)) > 5+7*(round%8) {
				break
			}
			if time.Now().After(deadline) || bytes.Contains(text, []byte(`{"left":`)) {
				t.Fatalf("no two processes share the study:\n%s", text)
			}
			time.Sleep(time.Millisecond)
		}
		if err := killed.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		killed.Wait() // its error is that it was killed
		if err := left.Wait(); err != nil {
			t.Fatalf("%v:\n%s", err, out.Bytes())
		}
		line := regexp.MustCompile(`(?m)^study (.*)$`).FindSubmatch(out.Bytes())
		if line == nil {
			t.Fatalf("no study in\n%s", out.Bytes())
		}
		got := new(tune.Study)
		if err := json.Unmarshal(line[1], got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got, timeless); diff != "" {
			t.Errorf("%s, round %d: %s", sampler, round, diff)
		}
	}
}

func child(t *testing.T, study string, sampler tune.Sampler) *exec.Cmd {
	c := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestChildSearches$")
	c.Env = append(os.Environ(), studyOfChild+"="+study, samplerOfChild+"="+string(sampler))
	c.Stderr = os.Stderr
	return c
}

// The claims of a search that has ended without a word do not hold up another: of this process, of
// a process that was killed, and one of which no line is known.
func TestClaimsOfTheDead(t *testing.T) {
	ended := exec.Command(os.Args[0], "-test.run=^$")
	if err := ended.Run(); err != nil {
		t.Fatal(err)
	}
	o := tune.Options{Trials: 1, Study: filepath.Join(t.TempDir(), "study"), Workers: 1}
	run(t, o)
	own := regexp.MustCompile(`"process":"((\w*)-\d+)"`).FindStringSubmatch(fileOf(t, o.Study))
	if own == nil {
		t.Fatalf("no process in %s", fileOf(t, o.Study))
	}
	for name, process := range map[string]string{
		"of this process": own[1],
		"killed":          fmt.Sprintf("%s-%d", own[2], ended.Process.Pid),
		"unknown":         "",
	} {
		text := fileOf(t, o.Study)
		if process != "" {
			text += tune.Line(map[string]any{"joined": name, "process": process})
		}
		text += tune.Line(map[string]any{"claim": name, "trial": 1, "fold": 0})
		if err := os.WriteFile(o.Study, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if o.Trials = 2; len(run(t, o).Trials) != 2 {
			t.Errorf("%s: %+v", name, run(t, o))
		}
		o.Study = filepath.Join(t.TempDir(), "study")
		o.Trials = 1
		run(t, o)
	}
}

// A search waits for the fold that another process works at. It takes the fold over when that
// process has ended, or when no line of it has come for long: an hour, or a minute where it is of
// another machine.
func TestSearchWaits(t *testing.T) {
	sleeper := exec.Command("sleep", "60")
	if err := sleeper.Start(); err != nil {
		t.Skip(err)
	}
	o := tune.Options{Trials: 1, Study: filepath.Join(t.TempDir(), "study"), Workers: 1}
	run(t, o)
	begun := fileOf(t, o.Study)
	own := regexp.MustCompile(`"process":"(\w*)-\d+"`).FindStringSubmatch(begun)
	if own == nil || own[1] == "" {
		t.Skip("this system does not report which processes have ended")
	}
	want := run(t, tune.Options{Trials: 2, Workers: 1})
	var late atomic.Int64 // by how much the clock is late
	end := outside.Judge(func(c outside.Call) outside.Fault {
		if by := time.Duration(late.Load()); c.Kind == outside.Clock && by > 0 {
			return outside.Fault{Time: time.Now().Add(by)}
		}
		if c.Kind == outside.Wait { // a look at the study, of which there are many
			return outside.Fault{Shift: c.Wait/20 - c.Wait}
		}
		return outside.Fault{}
	})
	defer end()
	here := fmt.Sprintf("%s-%d", own[1], sleeper.Process.Pid)
	for _, c := range []struct {
		process string
		soon    time.Duration // when it still waits
		end     func()
	}{
		{"elsewhere-1", 50 * time.Second, func() { late.Store(int64(61 * time.Second)) }},
		{here, 50 * time.Minute, func() { late.Store(int64(61 * time.Minute)) }},
		{here, 50 * time.Minute, func() {
			if err := sleeper.Process.Kill(); err != nil {
				t.Error(err)
			}
			sleeper.Wait() // its error is that it was killed
		}},
	} {
		late.Store(0)
		o := o
		o.Trials, o.Study = 2, filepath.Join(t.TempDir(), "study")
		text := begun + tune.Line(map[string]any{"joined": "other", "process": c.process}) +
			tune.Line(map[string]any{"claim": "other", "trial": 1, "fold": 2})
		if err := os.WriteFile(o.Study, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		done := make(chan *tune.Study)
		go func() {
			s, _ := tune.Run(t.Context(), candidates(), iris(t), &split.Plan{K: 5, Seed: 1}, o)
			done <- s
		}()
		for strings.Count(fileOf(t, o.Study), `{"trial":1,`) < 4 { // the other folds
			time.Sleep(time.Millisecond)
		}
		late.Store(int64(c.soon))
		select {
		case s := <-done:
			t.Errorf("%s: the search has not waited: %+v", c.process, s)
		case <-time.After(100 * time.Millisecond):
		}
		c.end()
		if diff := cmp.Diff(want, <-done, timeless); diff != "" {
			t.Errorf("%s: %s", c.process, diff)
		}
	}
}
