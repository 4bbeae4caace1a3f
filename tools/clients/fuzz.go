package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/formats"
	"github.com/coppice-ml/coppice/internal/rng"
)

// The fuzzer compares four kinds of files with the tools that read them:
//
//	read      models that XGBoost, scikit-learn and LightGBM trained, with random parameters
//	written   what coppice convert makes of these, for each client
//	random    such files of random ensembles, which no learner makes
//	changed   files of the first kind with other numbers or bytes, if coppice predict accepts them
//
// A client that refuses a changed file, ends by it, or predicts infinities where numbers are beyond
// single precision, is counted and is no difference.

// modelsPerBatch is how many models are trained and scored at a time; perModel is how many changed
// files are made of each.
const modelsPerBatch, perModel = 30, 3

// trainedModel is an entry of models.json of train_models.py.
type trainedModel struct {
	File, Tool, Scored string
	Finite             bool
}

// tally counts comparisons of one kind with one client.
type tally struct{ files, rows, scores, labels, rounded, refused int }

// fuzzer is a run of comparisons.
type fuzzer struct {
	*run
	folder  string // of the batch
	scripts string
	tallies map[string]*tally
	order   []string // of tallies
	found   int      // differences that were printed
	random  *rng.Stream
	accepts int // changed files that coppice predict accepts
	changed int
}

// fuzzAll compares batches of models until there are enough comparisons.
func (r *run) fuzzAll() error {
	folder, err := scripts()
	if err != nil {
		return err
	}
	r.rows = 30
	f := &fuzzer{run: r, scripts: folder, tallies: map[string]*tally{}, random: rng.New(r.seed, 3)}
	for batch := uint64(0); r.compared < r.fuzz; batch++ {
		before := r.compared
		f.folder = filepath.Join(r.work, fmt.Sprintf("batch-%d-%d", r.seed, batch))
		if err := f.batch(r.seed*1_000_000 + batch); err != nil {
			return err
		}
		if r.compared == before {
			return errors.New("no tool trains models: python3-xgboost, python3-sklearn and python3-onnx are missing")
		}
	}
	f.print()
	return nil
}

// batch trains, reads, writes, changes and compares some models.
func (f *fuzzer) batch(seed uint64) error {
	if err := os.MkdirAll(f.folder, 0o700); err != nil {
		return err
	}
	train := exec.Command(f.python, filepath.Join(f.scripts, "train_models.py"), fmt.Sprint(seed), fmt.Sprint(modelsPerBatch), f.folder)
	train.Env = append(os.Environ(), "PYTHONPATH="+f.lightgbm)
	if _, err := train.Output(); err != nil {
		return fmt.Errorf("train_models.py: %w", err)
	}
	b, err := os.ReadFile(filepath.Join(f.folder, "models.json"))
	if err != nil {
		return err
	}
	var models []trainedModel
	if err := json.Unmarshal(b, &models); err != nil {
		return err
	}
	var whole, changed []*made
	by := map[*made]trainedModel{}
	for i, t := range models {
		m, err := f.open(t, t.File, fmt.Sprintf("read-%d", i), true)
		if err != nil {
			f.report("read", t.Tool, t.File, err.Error())
			continue
		}
		whole, by[m] = append(whole, m), t
		for k := range perModel {
			file := filepath.Join(f.folder, fmt.Sprintf("changed-%d-%d%s", i, k, filepath.Ext(t.File)))
			if err := f.change(t.File, file); err != nil {
				return err
			}
			f.changed++
			if m, err := f.open(t, file, fmt.Sprintf("c-%d-%d", i, k), false); err == nil {
				t.Scored = file
				f.accepts++
				changed, by[m] = append(changed, m), t
			}
		}
	}
	random, err := f.ensembles()
	if err != nil {
		return err
	}
	return f.compareBatch(whole, random, changed, by)
}

// ensembles makes random ensembles, and predicts by them and by what is written of them.
func (f *fuzzer) ensembles() (all []*made, err error) {
	for i := range modelsPerBatch {
		e, err := randomEnsemble(f.random)
		if err != nil {
			return nil, err
		}
		file := filepath.Join(f.folder, fmt.Sprintf("random-%d.coppice", i))
		if err := coppice.Save(file, e); err != nil {
			return nil, err
		}
		m, err := f.open(trainedModel{}, file, fmt.Sprintf("random-%d", i), true)
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}

// open predicts by a file of a tool, and by what is written of it.
func (f *fuzzer) open(t trainedModel, file, name string, write bool) (*made, error) {
	m := &made{testCase: testCase{name: file}, base: filepath.Join(f.folder, name), finite: t.Finite, writeNone: !write}
	if _, _, err := formats.Open(file, codec.Limits{}); err != nil {
		return nil, err
	}
	return m, f.written(m, file, f.random.Uint64())
}

// compareBatch has the clients predict, and compares.
func (f *fuzzer) compareBatch(whole, random, changed []*made, by map[*made]trainedModel) error {
	for _, c := range f.clients {
		if err := f.score(c, append(slices.Clone(whole), random...)); err != nil {
			return err
		}
		for _, m := range whole {
			f.countWritten("written", c, m)
		}
		for _, m := range random {
			f.countWritten("random", c, m)
		}
	}
	for _, c := range append(slices.Clone(f.clients), f.sklearn()) {
		for _, kind := range []struct {
			name string
			all  []*made
		}{{"read", whole}, {"changed", changed}} {
			if err := f.direct(c, kind.name, kind.all, by); err != nil {
				return err
			}
		}
	}
	return nil
}

// countWritten compares what a client predicts by what was written of a model.
func (f *fuzzer) countWritten(kind string, c *client, m *made) {
	for _, format := range c.formats {
		if m.read[format] != nil {
			f.count(kind, c.name+" "+format, m, m.compareAll(c, format))
		}
	}
}

// sklearn is scikit-learn, which predicts by its own files beside those that are read.
func (f *fuzzer) sklearn() *client {
	return &client{name: "scikit-learn", slack: 1e-12, double: true, names: true,
		command: []string{f.python, filepath.Join(f.scripts, "score_sklearn.py")}}
}

// direct compares what a client predicts by the files that are read.
func (f *fuzzer) direct(c *client, kind string, all []*made, by map[*made]trainedModel) error {
	var tasks []task
	var chosen []*made
	for _, m := range all {
		t := by[m]
		file := ""
		switch {
		case c.name == t.Tool && !(c.name == "scikit-learn" && kind == "changed"):
			file = t.Scored
		case c.name == "ONNX Runtime" && t.Tool == "scikit-learn":
			file = m.name
		default:
			continue
		}
		chosen = append(chosen, m)
		tasks = append(tasks, task{file, m.base + ".rows", m.base + ".scored-by-" + c.name[:3]})
	}
	if err := f.list(c, tasks); err != nil {
		return err
	}
	for i, m := range chosen {
		got, err := readPredictions(tasks[i].Out)
		if err != nil {
			return err
		}
		if !c.names {
			nameClasses(got, m.model.Spec().Classes)
		}
		x := &result{}
		if x.compare(m.own, got, func(int) bool { return true }, max(c.slack, m.slack())); x.differ() && kind == "changed" && (got.Error != "" || !got.finite()) {
			f.tally(kind, c.name).refused++
			continue
		}
		f.count(kind, c.name, m, x)
	}
	return nil
}

func (f *fuzzer) tally(kind, client string) *tally {
	key := fmt.Sprintf("%-8s %s", kind, client)
	if f.tallies[key] == nil {
		f.tallies[key] = &tally{}
		f.order = append(f.order, key)
	}
	return f.tallies[key]
}

// count adds a comparison, and prints one that differs.
func (f *fuzzer) count(kind, client string, m *made, x *result) {
	t := f.tally(kind, client)
	f.compared++
	t.files, t.rows, t.rounded = t.files+1, t.rows+x.rows, t.rounded+x.rounded
	if !x.differ() {
		return
	}
	f.wrong++
	t.scores += min(1, x.scores)
	t.labels += min(1, x.labels)
	f.report(kind, client, m.name, fmt.Sprintf("%d scores, %d labels of %d rows; %s", x.scores, x.labels, x.rows, x.first))
}

// report prints a difference.
func (f *fuzzer) report(kind, client, file, what string) {
	if f.found++; f.found <= 50 {
		fmt.Printf("%s %s: %s: %.400s\n", kind, client, file, what)
	}
}

func (f *fuzzer) print() {
	fmt.Printf("%-34s %7s %8s %7s %7s %8s %8s\n", "", "files", "rows", "scores", "labels", "rounded", "refused")
	for _, key := range slices.Sorted(slices.Values(f.order)) {
		t := f.tallies[key]
		fmt.Printf("%-34s %7d %8d %7d %7d %8d %8d\n", key, t.files, t.rows, t.scores, t.labels, t.rounded, t.refused)
	}
	fmt.Printf("%d comparisons, %d differ; %d of %d changed files are accepted\n", f.compared, f.wrong, f.accepts, f.changed)
}

var numberToken = regexp.MustCompile(`-?\d+(\.\d+)?([eE][-+]?\d+)?`)

// change writes a file with one to three numbers of a text, or bytes of another file, changed.
func (f *fuzzer) change(from, to string) error {
	b, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	for range 1 + f.random.Intn(3) {
		if ending := filepath.Ext(from); ending != ".json" && ending != ".txt" {
			b[f.random.Intn(len(b))] ^= byte(1 << f.random.Intn(8))
			continue
		}
		tokens := numberToken.FindAllIndex(b, -1)
		if len(tokens) == 0 {
			break
		}
		at := tokens[f.random.Intn(len(tokens))]
		// what a file predicts depends on the version that wrote it, which XGBoost ignores
		if v := bytes.LastIndex(b[:at[0]], []byte(`"version":[`)); v >= 0 && at[0]-v < 24 {
			continue
		}
		b = slices.Replace(b, at[0], at[1], []byte(f.otherNumber(string(b[at[0]:at[1]])))...)
	}
	return os.WriteFile(to, b, 0o600)
}

// otherNumber returns a number in place of another, mostly one that is near. It has no more than
// nine digits: XGBoost takes 0.5 for a base_score of more, which it never writes.
func (f *fuzzer) otherNumber(text string) string {
	x, _ := strconv.ParseFloat(text, 64)
	whole := !strings.ContainsAny(text, ".eE")
	switch k := f.random.Intn(8); {
	case k < 2 && whole:
		return strconv.FormatFloat(x+float64(2*k-1), 'f', -1, 64)
	case k < 3:
		return strconv.FormatFloat(-x, 'g', 9, 64)
	case k < 4:
		return "0"
	case k < 5:
		return "1"
	case k < 6 && !whole:
		return strconv.FormatFloat(x*1.5, 'g', 9, 64)
	case k < 7:
		return "16777217"
	}
	return "0.3"
}
