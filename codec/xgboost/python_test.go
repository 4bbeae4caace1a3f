package xgboost_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"sync"
	"testing"
)

// interpreter is a Python that has imported xgboost, and runs scripts one after the other.
type interpreter struct {
	lock    sync.Mutex
	jobs    io.Writer
	answers *bufio.Reader
}

// startPython starts the interpreter of all tests, which ends with their process; nil: there is no
// Python with the module xgboost.
var startPython = sync.OnceValue(func() *interpreter {
	for _, name := range []string{"/usr/bin/python3", "python3"} {
		cmd := exec.Command(name, "testdata/serve.py")
		cmd.Env = append(os.Environ(), "OMP_NUM_THREADS=1") // threads that wait for each other take long
		jobs, err := cmd.StdinPipe()
		if err != nil {
			continue
		}
		answers, err := cmd.StdoutPipe()
		if err != nil || cmd.Start() != nil {
			continue
		}
		p := &interpreter{jobs: jobs, answers: bufio.NewReader(answers)}
		if line, err := p.answers.ReadString('\n'); err == nil && line == "ready\n" {
			return p
		}
		jobs.Close()
		_ = cmd.Wait() // its error is that a module is missing
	}
	return nil
})

// python returns the interpreter, or skips the test where there is none.
func python(t *testing.T) *interpreter {
	t.Helper()
	p := startPython()
	if p == nil {
		t.Skip("no python3 with the module xgboost (Debian's python3-xgboost)")
	}
	return p
}

// run runs a script and returns what it prints.
func (p *interpreter) run(t *testing.T, script string, arguments ...string) string {
	t.Helper()
	p.lock.Lock()
	defer p.lock.Unlock()
	err := json.NewEncoder(p.jobs).Encode(map[string]any{"script": script, "arguments": arguments})
	var answer struct{ Printed, Failed string }
	if err == nil {
		var line []byte
		if line, err = p.answers.ReadBytes('\n'); err == nil {
			err = json.Unmarshal(line, &answer)
		}
	}
	if err == nil && answer.Failed != "" {
		err = errors.New(answer.Failed)
	}
	if err != nil {
		t.Fatal(err)
	}
	return answer.Printed
}

// score has XGBoost predict with models for the rows of a table, as score.py describes.
func (p *interpreter) score(t *testing.T, files ...string) {
	t.Helper()
	p.run(t, string(readFile(t, "testdata/score.py")), files...)
}
