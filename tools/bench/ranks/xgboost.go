//go:build linux

package main

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

// xgBoost is XGBoost's Python package on a file of float32, the label first. XGBoost's tracker
// connects the processes.
type xgBoost struct{ module, folder string }

// worker is the script of the tracker, and of a process that trains.
//
//go:embed xgboost.py
var worker string

func (p *xgBoost) file() string { return filepath.Join(p.folder, "higgs.f32") }

// begin writes the file.
func (p *xgBoost) begin(rows int) error {
	return write(p.file(), func(out *bufio.Writer) error {
		t := higgsRecipe()
		x, wide := make([]float32, t.Features), make([]float64, t.Features)
		var b []byte
		for i := range rows {
			b = binary.LittleEndian.AppendUint32(b[:0], math.Float32bits(float32(t.Row(i, x, wide))))
			for _, v := range x {
				b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
			}
			if _, err := out.Write(b); err != nil {
				return err
			}
		}
		return nil
	})
}

func (p *xgBoost) python(arguments ...string) *exec.Cmd {
	c := exec.Command("python3", append([]string{"-c", worker}, arguments...)...)
	c.Env = append(os.Environ(), "PYTHONPATH="+p.module, "OMP_NUM_THREADS=1")
	c.Stderr = os.Stderr
	return c
}

// train starts a tracker, unless there is one process, and the processes.
func (p *xgBoost) train(size int, t training) (r result, err error) {
	at := "{}"
	if size > 1 {
		tracker := p.python("track", strconv.Itoa(size))
		out, err := tracker.StdoutPipe()
		if err != nil {
			return r, err
		}
		if err := tracker.Start(); err != nil {
			return r, err
		}
		defer func() { err = errors.Join(err, tracker.Wait()) }()
		if at, err = bufio.NewReader(out).ReadString('\n'); err != nil {
			return r, fmt.Errorf("XGBoost's tracker: %w", err)
		}
	}
	results, errs := make([][]byte, size), make(chan error, size)
	for i := range size {
		go func() {
			var err error
			results[i], err = p.python("train", at, p.file(), strconv.Itoa(higgsRecipe().Features+1),
				strconv.Itoa(i), strconv.Itoa(size), strconv.Itoa(t.Trees),
				strconv.Itoa(t.Leaves)).Output()
			errs <- err
		}()
	}
	for range size {
		err = errors.Join(err, <-errs)
	}
	if err != nil {
		return r, err
	}
	lines := bytes.Split(bytes.TrimSpace(results[0]), []byte("\n")) // behind what XGBoost logs
	return r, json.Unmarshal(lines[len(lines)-1], &r)
}
