package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// client is a tool that predicts by files.
type client struct {
	name    string
	version string
	formats []string
	command []string // which gets the list of files as its last argument
	env     []string
	slack   float64 // of scores, relative to those above 1
	double  bool    // it reads numbers in double precision
	// it has names of classes, else their places
	names bool
}

// task is an entry of the list that scripts of clients get.
type task struct {
	Model string `json:"model"`
	Rows  string `json:"rows"`
	Out   string `json:"out"`
}

// findClients finds the clients, and names those that are not there.
func (r *run) findClients() error {
	folder, err := scripts()
	if err != nil {
		return err
	}
	node := []string{}
	if r.node != "" {
		path, err := filepath.Abs(filepath.Join(r.node, "node_modules"))
		if err != nil {
			return err
		}
		node = append(node, "NODE_PATH="+path)
	}
	add := func(c *client, program ...string) {
		cmd := exec.Command(program[0], program[1:]...)
		cmd.Env = append(os.Environ(), c.env...)
		out, err := cmd.Output()
		if c.version = strings.TrimSpace(string(out)); err != nil {
			fmt.Printf("NOT RUN: %s is not installed\n", c.name)
			return
		}
		r.clients = append(r.clients, c)
	}
	add(&client{name: "ONNX Runtime", formats: []string{"onnx"}, env: node, slack: 5e-6, names: true,
		command: []string{"node", filepath.Join(folder, "onnx.js")}},
		"node", "-p", "require('onnxruntime-node/package.json').version")
	python := func(name, module, folder, script string, c client) {
		c.name = name
		if folder != "" {
			c.env = []string{"PYTHONPATH=" + folder}
		}
		c.command = []string{r.python, script}
		add(&c, r.python, "-c", "import "+module+"; print("+module+".__version__)")
	}
	boosted := client{formats: []string{"xgboost-json", "xgboost-ubjson"}, slack: 5e-6}
	for _, path := range append([]string{""}, strings.FieldsFunc(r.xgboost, func(c rune) bool { return c == ',' })...) {
		python("XGBoost", "xgboost", path, filepath.Join(folder, "score_xgboost.py"), boosted)
	}
	python("LightGBM", "lightgbm", r.lightgbm, filepath.Join(folder, "score_lightgbm.py"),
		client{formats: []string{"lightgbm"}, slack: 1e-12, double: true})
	return nil
}

// scripts returns the folder of the scripts, whether it runs from the module or from elsewhere.
func scripts() (string, error) {
	for _, folder := range []string{"clients", "tools/clients", "."} {
		if _, err := os.Stat(filepath.Join(folder, "onnx.js")); err == nil {
			return filepath.Abs(folder)
		}
	}
	return "", fmt.Errorf("no folder tools/clients here: run it from the repository or its tools")
}

// score has a client predict all files that it reads.
func (r *run) score(c *client, all []*made) error {
	var tasks []task
	for _, m := range all {
		for _, format := range c.formats {
			if m.read[format] != nil {
				file := m.base + endings[format]
				tasks = append(tasks, task{file, m.base + ".rows", file + ".scored"})
			}
		}
	}
	if err := r.list(c, tasks); err != nil {
		return err
	}
	for _, m := range all {
		m.by[c] = map[string]*predictions{}
		for _, format := range c.formats {
			if m.read[format] == nil {
				continue
			}
			p, err := readPredictions(m.base + endings[format] + ".scored")
			if err != nil {
				return err
			}
			if !c.names {
				nameClasses(p, m.model.Spec().Classes)
			}
			m.by[c][format] = p
		}
	}
	return nil
}

// list has a client predict by a list of files. A file by which the client ends, or does not end
// within two minutes, gets an error as its result, and the others follow.
func (r *run) list(c *client, tasks []task) error {
	for _, t := range tasks {
		if err := os.RemoveAll(t.Out); err != nil {
			return err
		}
	}
	path := filepath.Join(r.work, "list.json")
	for len(tasks) > 0 {
		b, err := json.Marshal(tasks)
		if err != nil {
			return err
		}
		if err := os.WriteFile(path, b, 0o600); err != nil {
			return err
		}
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
		cmd := exec.CommandContext(ctx, c.command[0], append(slices.Clone(c.command[1:]), path)...)
		cmd.Env = append(os.Environ(), c.env...)
		out, err := cmd.CombinedOutput()
		cancel()
		at := slices.IndexFunc(tasks, func(t task) bool {
			_, err := os.Stat(t.Out)
			return err != nil
		})
		if err == nil && at < 0 {
			return nil
		}
		if at < 0 {
			return fmt.Errorf("%s: %w: %s", c.name, err, out)
		}
		b, err = json.Marshal(&predictions{Error: fmt.Sprintf("the client ended: %v: %.300s", err, out)})
		if err != nil {
			return err
		}
		if err := os.WriteFile(tasks[at].Out, b, 0o600); err != nil {
			return err
		}
		tasks = tasks[at+1:]
	}
	return nil
}

func readPredictions(path string) (*predictions, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	p := &predictions{}
	return p, json.Unmarshal(b, p)
}

// nameClasses replaces the places of classes by their names.
func nameClasses(p *predictions, classes []string) {
	for i, label := range p.Labels {
		if k, err := strconv.Atoi(label); err == nil && k >= 0 && k < len(classes) {
			p.Labels[i] = classes[k]
		}
	}
}

// result is the comparison of a client with coppice predict.
type result struct {
	rows           int
	scores, labels int     // how many differ
	rounded        int     // labels of scores that differ by rounding alone
	largest        float64 // difference of scores, relative to those above 1
	first          string  // difference
}

func (r *result) differ() bool { return r.scores+r.labels > 0 }

// compare compares what a client predicts for some rows with what is right.
func (r *result) compare(want, got *predictions, chosen func(i int) bool, slack float64) {
	if got.Error != "" || len(got.Scores) != len(want.Scores) {
		r.scores, r.first = r.scores+len(want.Scores), fmt.Sprintf("%d rows of %d: %s", len(got.Scores), len(want.Scores), got.Error)
		return
	}
	for i := range want.Scores {
		if !chosen(i) {
			continue
		}
		r.rows++
		w, g := want.Scores[i], got.Scores[i]
		if len(w) == 2 && len(g) == 1 {
			w = w[1:] // two classes by the probability of the second
		}
		ok := len(w) == len(g)
		for k := 0; ok && k < len(w); k++ {
			d := math.Abs(float64(w[k]-g[k])) / max(1, math.Abs(float64(w[k])))
			ok = w[k] == g[k] || d <= slack || w[k] != w[k] && g[k] != g[k] || beyond(w[k], g[k])
			if !math.IsInf(d, 0) {
				r.largest = max(r.largest, d)
			}
		}
		if !ok {
			if r.scores++; r.first == "" {
				r.first = fmt.Sprintf("row %d: scores %v, by the client %v", i, w, g)
			}
		}
		if want.Labels == nil || got.Labels == nil ||
			strings.ToValidUTF8(want.Labels[i], "\uFFFD") == strings.ToValidUTF8(got.Labels[i], "\uFFFD") {
			continue
		}
		if equal(want.Scores[i], slack) && !(equal(want.Scores[i], 0) && equal(got.Scores[i], 0)) {
			r.rounded++
			continue
		}
		if r.labels++; r.first == "" {
			r.first = fmt.Sprintf("row %d: label %q, by the client %q; scores %v and %v", i, want.Labels[i], got.Labels[i], want.Scores[i], g)
		}
	}
}

// beyond reports whether a client of single precision has infinity for a number that only double
// precision holds.
func beyond(want, got number) bool {
	return math.Abs(float64(want)) > math.MaxFloat32 && math.IsInf(float64(got), int(math.Copysign(1, float64(want))))
}

// finite reports whether all scores are numbers. Changed files have numbers that single precision
// does not hold, which clients add up to infinities.
func (p *predictions) finite() bool {
	for _, row := range p.Scores {
		for _, x := range row {
			if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
				return false
			}
		}
	}
	return true
}

// equal reports whether the two greatest scores of a row differ by no more than slack.
func equal(scores []number, slack float64) bool {
	if len(scores) < 2 {
		return false
	}
	sorted := slices.Sorted(slices.Values(scores))
	n := len(sorted)
	return float64(sorted[n-1]-sorted[n-2]) <= slack
}

// compareAll compares a case with a client.
func (m *made) compareAll(c *client, format string) *result {
	r := &result{}
	got := m.by[c][format]
	slack := max(c.slack, m.slack())
	r.compare(m.own, got, func(i int) bool { return c.double || m.rows.single[i] }, slack)
	r.compare(m.read[format], got, func(int) bool { return true }, slack)
	return r
}

// print prints the matrix: a line for each case, a column for each client and format.
func (r *run) print(all []*made) {
	var head []string
	for _, c := range r.clients {
		for _, f := range c.formats {
			head = append(head, c.name+" "+c.version+" "+f)
		}
	}
	fmt.Printf("%-24s %s\n", "", strings.Join(head, " | "))
	largest, refused, rounded := 0.0, 0, 0
	for _, m := range all {
		var cells, notes []string
		for _, c := range r.clients {
			for _, f := range c.formats {
				if m.read[f] == nil {
					cells = append(cells, "refused")
					refused++
					if n := "  " + f + ": " + m.refused[f]; r.all && !slices.Contains(notes, n) {
						notes = append(notes, n)
					}
					continue
				}
				x := m.compareAll(c, f)
				r.compared++
				largest, rounded = max(largest, x.largest), rounded+x.rounded
				cells = append(cells, fmt.Sprintf("%d rows %.1e", x.rows, x.largest))
				if x.differ() {
					r.wrong++
					cells[len(cells)-1] = fmt.Sprintf("DIFFERS: %d scores, %d labels of %d rows", x.scores, x.labels, x.rows)
					notes = append(notes, "  "+f+": "+x.first)
				}
			}
		}
		fmt.Printf("%-24s %s\n", m.name, strings.Join(cells, " | "))
		for _, n := range notes {
			fmt.Println(n)
		}
	}
	fmt.Printf("%d kinds of models, %d files compared, %d refused by their writers, %d differ; largest "+
		"difference of scores %.2g; %d labels that rounding decides\n", len(all), r.compared, refused, r.wrong, largest, rounded)
}
