//go:build linux

package ranks

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"

	"github.com/coppice-ml/coppice/tools/bench/pairs"
	"github.com/coppice-ml/coppice/tools/bench/tables/recipe"
)

// worker is the script of the tracker, and of a process that trains.
//
//go:embed xgboost.py
var worker string

// xgBoost is the job of XGBoost's Python package: TRAINING MODULE FOLDER PYTHON. It starts
// XGBoost's tracker, unless there is one process, and the processes, which the tracker connects.
func xgBoost(a []string) (r *pairs.Result, err error) {
	var t training
	if err := json.Unmarshal([]byte(a[0]), &t); err != nil {
		return nil, err
	}
	python := func(arguments ...string) *exec.Cmd {
		c := exec.Command(a[3], append([]string{"-c", worker}, arguments...)...)
		c.Env = append(os.Environ(), "PYTHONPATH="+a[1], "OMP_NUM_THREADS=1")
		c.Stderr = os.Stderr
		return c
	}
	at := "{}"
	if t.Size > 1 {
		tracker := python("track", strconv.Itoa(t.Size))
		out, piped := tracker.StdoutPipe()
		if piped != nil {
			return nil, piped
		}
		if err := tracker.Start(); err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, tracker.Wait()) }()
		if at, err = bufio.NewReader(out).ReadString('\n'); err != nil {
			return nil, fmt.Errorf("XGBoost's tracker: %w", err)
		}
	}
	outputs, errs := make([][]byte, t.Size), make(chan error, t.Size)
	columns := strconv.Itoa(recipe.ByName("higgs").Features + 1)
	for i := range t.Size {
		go func() {
			var err error
			outputs[i], err = python("train", at, binaryFile(a[2]), columns, strconv.Itoa(i),
				strconv.Itoa(t.Size), strconv.Itoa(t.Trees), strconv.Itoa(t.Leaves)).Output()
			errs <- err
		}()
	}
	for range t.Size {
		err = errors.Join(err, <-errs)
	}
	if err != nil {
		return nil, err
	}
	r = &pairs.Result{}
	lines := bytes.Split(bytes.TrimSpace(outputs[0]), []byte("\n")) // behind what XGBoost logs
	return r, json.Unmarshal(lines[len(lines)-1], r)
}
