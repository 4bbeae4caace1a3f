//go:build unix

package coppice_test

import (
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/codec/codectest"
)

// saveOnce is the variable that makes a child process of the test save to a file on a full disk.
const saveOnce = "COPPICE_TEST_SAVE_FULL"

// A limit on the size of files stands for a full disk: writing fails in the middle.
func TestFullDiskChild(t *testing.T) {
	path := os.Getenv(saveOnce)
	if path == "" {
		t.Skip("only the child process of TestFullDisk has a full disk")
	}
	signal.Ignore(syscall.SIGXFSZ)
	limit := syscall.Rlimit{Cur: 1000, Max: 1000}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	err := coppice.Save(path, codectest.Full())
	if err == nil {
		t.Fatal("saved")
	}
	t.Log(err)
}

func TestFullDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.coppice")
	mustSave(t, path, codectest.Tiny())
	child := exec.Command(os.Args[0], "-test.run=^TestFullDiskChild$", "-test.v")
	child.Env = append(os.Environ(), saveOnce+"="+path)
	out, err := child.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "cannot save model "+path+": file too large") {
		t.Fatalf("%v\n%s", err, out)
	}
	mustHold(t, path, codectest.Tiny(), 1)
}
