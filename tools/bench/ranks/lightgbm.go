//go:build linux

package ranks

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/tools/bench/pairs"
)

// elapsed is the line that LightGBM prints after each tree, binned the one before training.
var (
	elapsed = regexp.MustCompile(`([0-9.]+) seconds elapsed, finished iteration ([0-9]+)`)
	binned  = regexp.MustCompile(`Finished loading data in ([0-9.]+) seconds`)
)

// lightGBM is the job of LightGBM's command: TRAINING PROGRAM FOLDER. Data-parallel processes
// connect to each other on this machine.
func lightGBM(a []string) (*pairs.Result, error) {
	var t training
	if err := json.Unmarshal([]byte(a[0]), &t); err != nil {
		return nil, err
	}
	program, folder := a[1], a[2]
	ports, err := free(t.Size)
	if err != nil {
		return nil, err
	}
	var machines strings.Builder
	for _, port := range ports {
		fmt.Fprintf(&machines, "127.0.0.1 %d\n", port)
	}
	list := filepath.Join(folder, "machines")
	if err := os.WriteFile(list, []byte(machines.String()), 0o600); err != nil {
		return nil, err
	}
	outputs, errs := make([][]byte, t.Size), make(chan error, t.Size)
	for i := range t.Size {
		a := []string{"task=train", "data=" + csvFile(folder), "label_column=0", "header=true",
			"objective=binary", "num_trees=" + strconv.Itoa(t.Trees), "learning_rate=0.1",
			"num_leaves=" + strconv.Itoa(t.Leaves), "num_threads=1", "metric=none",
			"feature_fraction=0.5", "two_round=false", "force_row_wise=true",
			"output_model=" + filepath.Join(folder, fmt.Sprint("model", i))}
		if t.Size > 1 {
			a = append(a, "tree_learner=data", "num_machines="+strconv.Itoa(t.Size),
				"machine_list_filename="+list, fmt.Sprint("local_listen_port=", ports[i]))
		}
		go func() {
			var err error
			outputs[i], err = output(program, a...)
			errs <- err
		}()
	}
	for range t.Size {
		if err := <-errs; err != nil {
			return nil, err
		}
	}
	return printed(outputs[0])
}

// printed returns the times that LightGBM prints.
func printed(out []byte) (*pairs.Result, error) {
	lines, load := elapsed.FindAllSubmatch(out, -1), binned.FindSubmatch(out)
	if len(lines) == 0 || load == nil {
		return nil, fmt.Errorf("LightGBM printed no times: %s", out)
	}
	last := lines[len(lines)-1]
	var numbers [3]float64
	for i, text := range [][]byte{last[1], last[2], load[1]} {
		var err error
		if numbers[i], err = strconv.ParseFloat(string(text), 64); err != nil {
			return nil, err
		}
	}
	return &pairs.Result{Version: "LightGBM", Seconds: numbers[0] / numbers[1],
		Facts: map[string]float64{"binning": numbers[2]}}, nil
}

// free returns ports that nothing listens at.
func free(n int) ([]int, error) {
	var ports []int
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports, nil
}
