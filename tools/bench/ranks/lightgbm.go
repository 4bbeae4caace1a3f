//go:build linux

package main

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// lightGBM is LightGBM's command on a CSV file of the table.
type lightGBM struct{ program, folder string }

func (p *lightGBM) file() string { return filepath.Join(p.folder, "higgs.csv") }

// begin writes the file.
func (p *lightGBM) begin(rows int) error {
	return write(p.file(), func(out *bufio.Writer) error {
		t := higgsRecipe()
		_, err := t.WriteCSV(out, 0, rows)
		return err
	})
}

// write writes a file.
func write(path string, f func(out *bufio.Writer) error) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(file, 1<<20)
	return errors.Join(f(out), out.Flush(), file.Close())
}

// elapsed is the line that LightGBM prints after each tree, binned the one before training.
var (
	elapsed = regexp.MustCompile(`([0-9.]+) seconds elapsed, finished iteration ([0-9]+)`)
	binned  = regexp.MustCompile(`Finished loading data in ([0-9.]+) seconds`)
)

// train trains with data-parallel processes that connect to each other on this machine.
func (p *lightGBM) train(size int, t training) (r result, err error) {
	ports, err := free(size)
	if err != nil {
		return r, err
	}
	var machines strings.Builder
	for _, port := range ports {
		fmt.Fprintf(&machines, "127.0.0.1 %d\n", port)
	}
	list := filepath.Join(p.folder, "machines")
	if err := os.WriteFile(list, []byte(machines.String()), 0o600); err != nil {
		return r, err
	}
	type ended struct {
		out []byte
		err error
	}
	results := make([]chan ended, size)
	for i := range size {
		results[i] = make(chan ended, 1)
		a := []string{"task=train", "data=" + p.file(), "label_column=0", "header=true",
			"objective=binary", "num_trees=" + strconv.Itoa(t.Trees), "learning_rate=0.1",
			"num_leaves=" + strconv.Itoa(t.Leaves), "num_threads=1", "metric=none",
			"feature_fraction=0.5", "two_round=false", "force_row_wise=true",
			"output_model=" + filepath.Join(p.folder, fmt.Sprint("model", i))}
		if size > 1 {
			a = append(a, "tree_learner=data", "num_machines="+strconv.Itoa(size),
				"machine_list_filename="+list, fmt.Sprint("local_listen_port=", ports[i]))
		}
		go func() {
			out, err := output(p.program, a...)
			results[i] <- ended{out, err}
		}()
	}
	for i := range size {
		of := <-results[i]
		if of.err != nil {
			return r, of.err
		}
		if i > 0 {
			continue
		}
		lines := elapsed.FindAllSubmatch(of.out, -1)
		load := binned.FindSubmatch(of.out)
		if len(lines) == 0 || load == nil {
			return r, fmt.Errorf("LightGBM printed no times: %s", of.out)
		}
		last := lines[len(lines)-1]
		seconds, err := strconv.ParseFloat(string(last[1]), 64)
		if err != nil {
			return r, err
		}
		trees, err := strconv.Atoi(string(last[2]))
		if err != nil {
			return r, err
		}
		r.Tree = seconds / float64(trees)
		if r.Binning, err = strconv.ParseFloat(string(load[1]), 64); err != nil {
			return r, err
		}
	}
	return r, nil
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
