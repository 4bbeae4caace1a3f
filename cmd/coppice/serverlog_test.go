package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A server logs what it predicts, without the columns of --redact. The log is whole when it ends.
func TestServeLog(t *testing.T) {
	folder := t.TempDir()
	path, log := filepath.Join(folder, "m.coppice"), filepath.Join(folder, "log")
	trainIris(t, path, "--learner", "cart")
	s := startServer(t, path, "--log", log, "--id", "flower", "--redact", "petal_width")
	answer := s.post(t, `{"flower": "f1", "sepal_length": 6.1, "sepal_width": 2.8, "petal_length": 4.7, "petal_width": 1.2}`)
	if !strings.Contains(answer, `"id":"f1"`) {
		t.Errorf("%s, want the id of the row", answer)
	}
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	s.wait(t, "the server has ended")
	if err := s.cmd.Wait(); err != nil {
		t.Error(err)
	}
	files, err := filepath.Glob(filepath.Join(log, "*.jsonl"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	b, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	if text := string(b); !strings.Contains(text, `"flower":"f1","model":"`) || strings.Count(text, "\n") != 1 ||
		!strings.Contains(text, `"inputs":{"sepal_length":6.1,"sepal_width":2.8,"petal_length":4.7},"prediction":"Iris-`) {
		t.Errorf("%s", text)
	}
	for args, want := range map[string]string{
		"--log-share 0.5":                 "--log-share goes with --log: add it",
		"--redact id":                     "--redact goes with --log: add it",
		"--log l --log-share 0":           "--log-share 0: want a fraction above 0, up to 1",
		"--log l --redact petal-width":    "--redact petal-width: no model has such a column; did you mean petal_width?",
		"--log m.coppice/l --poll 0s":     "--log m.coppice/l: mkdir m.coppice: not a directory",
		"--log l --log-inputs petalwidth": "--log-inputs petalwidth: no model has such a column; did you mean petal_width?",
	} {
		cmd, stderr := startable(t, append([]string{"serve", path, "--listen", "127.0.0.1:0"}, strings.Fields(args)...)...)
		cmd.Dir = folder
		if err := cmd.Run(); cmd.ProcessState.ExitCode() != 2 || !strings.Contains(stderr.String(), want) {
			t.Errorf("%s: %v, %q, want status 2 and %q", args, err, stderr, want)
		}
	}
}
