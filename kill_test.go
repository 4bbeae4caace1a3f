package coppice_test

import (
	"bytes"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/codec/codectest"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/model"
)

// saveForever is the variable that names the file to which a child process of the test saves.
const saveForever = "COPPICE_TEST_SAVE"

// killModels are what the child saves in turn: files of different sizes, up to some hundred
// kilobytes.
func killModels() []model.Model {
	large := codectest.Full()
	for range 1000 {
		large.Trees = append(large.Trees, large.Trees[0])
		large.Output = append(large.Output, 0)
		large.Weights = append(large.Weights, 1)
	}
	return []model.Model{codectest.Full(), large, codectest.Tiny()}
}

func TestKilledChild(t *testing.T) {
	path := os.Getenv(saveForever)
	if path == "" {
		t.Skip("only the child process of TestKillWhileSaving saves until it is killed")
	}
	models := killModels()
	for i := 0; ; i++ {
		if err := coppice.Save(path, models[i%len(models)]); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stdout.Write([]byte{'.'}); err != nil {
			t.Fatal(err) // the parent is gone
		}
	}
}

// A process that saves to one path again and again is killed at many moments. Each time the file is
// one of the models, whole. On a busy machine moments are more, until a kill comes within a save.
func TestKillWhileSaving(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.coppice")
	var wanted [][]byte
	for _, m := range killModels() {
		wanted = append(wanted, modelBytes(t, m))
	}
	mustSave(t, path, killModels()[0])
	moments := rand.New(rand.NewPCG(1, 2))
	halves := 0
	kills, least := 0, tier.Count(10, 40, 200)
	for kills < least || halves == 0 && kills < 20*least {
		killOneChild(t, path, 1+kills%3, moments.IntN(30_000))
		kills++
		halves += len(halfSaved(t, path))
		m, err := coppice.Open(path)
		if err != nil {
			t.Fatalf("after kill %d: %v", kills, err)
		}
		got, whole := modelBytes(t, m), false
		for _, w := range wanted {
			whole = whole || bytes.Equal(got, w)
		}
		if !whole {
			t.Fatalf("after kill %d the file is none of the models", kills)
		}
	}
	if halves == 0 {
		t.Error("no kill came in the middle of a save")
	}
	t.Logf("%d of %d kills left a half-saved file beside the model", halves, kills)
	mustSave(t, path, killModels()[0])
	if left := halfSaved(t, path); len(left) > 0 && (runtime.GOOS == "linux" || runtime.GOOS == "darwin") {
		t.Errorf("a save leaves what killed processes left: %q", left)
	}
}

// halfSaved returns the files beside a model that are still being written, or were when their
// process was killed.
func halfSaved(t *testing.T, path string) []string {
	t.Helper()
	left, err := filepath.Glob(filepath.Join(filepath.Dir(path), ".coppice-saving-*"))
	if err != nil {
		t.Fatal(err)
	}
	return left
}

// killOneChild starts a child that saves to path and kills it a varying moment after it has saved
// some times.
func killOneChild(t *testing.T, path string, saves, moment int) {
	t.Helper()
	child := exec.Command(os.Args[0], "-test.run=^TestKilledChild$")
	child.Env = append(os.Environ(), saveForever+"="+path)
	var complaint strings.Builder
	child.Stderr = &complaint
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	saved, err := io.ReadFull(out, make([]byte, saves))
	for range moment {
		runtime.Gosched()
	}
	if e := child.Process.Kill(); e != nil {
		t.Fatal(e)
	}
	child.Wait() // its error is that it was killed
	if err != nil {
		t.Fatalf("the child ended after %d saves: %v %s", saved, err, complaint.String())
	}
}
