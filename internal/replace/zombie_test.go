package replace_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/internal/replace"
)

// A killed process that nobody waits for has ended, one that runs has not.
func TestZombiesHaveEnded(t *testing.T) {
	kernel, _, known := strings.Cut(replace.Process(), "-")
	if stat, err := os.ReadFile("/proc/self/stat"); err != nil || len(stat) == 0 || !known ||
		kernel == "" {
		t.Skip("only Linux reports zombies")
	}
	child := exec.Command("cat")
	in, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Skip("this system has no cat:", err)
	}
	name := fmt.Sprintf("%s-%d", kernel, child.Process.Pid)
	if replace.Ended(name) {
		t.Error("a process that runs has ended")
	}
	if err := in.Close(); err != nil { // cat ends, and its output with it
		t.Fatal(err)
	}
	if n, err := out.Read(make([]byte, 1)); err == nil {
		t.Fatalf("%d bytes were read of no input", n)
	}
	for range 1 << 20 { // from the end of the output to that of the process it is a moment
		if replace.Ended(name) {
			break
		}
	}
	if !replace.Ended(name) {
		t.Error("a zombie has not ended")
	}
	if err := child.Wait(); err != nil || !replace.Ended(name) {
		t.Errorf("after Wait: %v, ended is %v", err, replace.Ended(name))
	}
}
