//go:build linux

// Package newcategories is the case of what commands of coppice predict for categories that
// training had not, and for those that it had.
package newcategories

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/tools/bench/pairs"
)

// Case has a side for each argument: a name and a command with flags of coppice train. Of each
// table a column loses some of its categories: all their rows are the new ones. Of the other rows a
// quarter is the known ones, and the rest the training set. Losses are log losses, or root mean
// squared errors over the standard deviation of the label, as means over the rounds.
var Case = pairs.Case{Name: "newcategories", About: "loss on categories that training had not, of " +
	"several commands", Example: "-data FOLDER 'before=PROGRAM' 'LightGBM=PROGRAM --compat lightgbm'",
	Takes: "data rows rounds",
	Set: func(r *pairs.Run) func(context.Context) error {
		r.Rows, r.Data = 12000, pairs.Sets()
		settings := r.String("settings", "trees=100 rehearse=false", "`parameters` of all sides")
		only := r.String("only", "", "compare on this `table` only")
		return func(context.Context) error { return compare(r, *only, *settings) }
	}}

// side is a command that is compared.
type side struct {
	name    string
	command []string // of coppice, then flags of its sub-command train
}

func compare(r *pairs.Run, only, settings string) error {
	var sides []side
	head := []string{"table", "without some categories of", "rows"}
	for _, a := range r.Args() {
		name, command, ok := strings.Cut(a, "=")
		if !ok {
			return fmt.Errorf("%q is not NAME=COMMAND", a)
		}
		sides = append(sides, side{name, strings.Fields(command)})
	}
	if len(sides) == 0 {
		return errors.New("name a side as NAME=COMMAND")
	}
	for _, which := range []string{"known, ", "new, "} {
		for _, s := range sides {
			head = append(head, which+s.name)
		}
	}
	var lines [][]string
	for i := range tables {
		t := &tables[i]
		if only != "" && only != t.name {
			continue
		}
		line, err := t.compare(r, settings, sides)
		if err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
		lines = append(lines, line)
	}
	pairs.Markdown(head, lines)
	return nil
}

// compare returns the row of a table.
func (t *table) compare(r *pairs.Run, settings string, sides []side) ([]string, error) {
	header, all, err := t.read(r.Data, r.Rows)
	if err != nil {
		return nil, err
	}
	losses := make([][2]float64, len(sides))
	for n := range r.Rounds {
		dir := filepath.Join(r.Scratch, fmt.Sprint(n))
		if err := errors.Join(os.MkdirAll(dir, 0o755), t.write(dir, header, all, uint64(n))); err != nil {
			return nil, err
		}
		for k, s := range sides {
			known, other, err := t.losses(dir, s, settings)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", s.name, err)
			}
			losses[k][0] += known / float64(r.Rounds)
			losses[k][1] += other / float64(r.Rounds)
		}
	}
	line := []string{t.name, t.column, fmt.Sprint(len(all))}
	for which := range 2 {
		for k := range sides {
			line = append(line, fmt.Sprintf("%.4f", losses[k][which]))
		}
	}
	return line, nil
}

// write writes training set, known and new rows of a choice of categories.
func (t *table) write(dir string, header []string, rows [][]string, choice uint64) error {
	at := slices.Index(header, t.column)
	s := rng.New(37, choice)
	out := leftOut(rows, at, s)
	sets := map[string][][]string{}
	for _, r := range rows {
		switch test := s.Intn(4) == 0; {
		case out[r[at]]:
			sets["new"] = append(sets["new"], r)
		case test:
			sets["known"] = append(sets["known"], r)
		default:
			sets["train"] = append(sets["train"], r)
		}
	}
	for _, name := range []string{"train", "known", "new"} {
		f, err := os.Create(filepath.Join(dir, name+".csv"))
		if err != nil {
			return err
		}
		w := csv.NewWriter(f)
		if err := errors.Join(w.Write(header), w.WriteAll(sets[name]), f.Close()); err != nil {
			return err
		}
	}
	return nil
}

// leftOut returns a quarter of the categories of a column, at least one. Missing values are none.
func leftOut(rows [][]string, column int, s *rng.Stream) map[string]bool {
	categories := map[string]bool{}
	for _, r := range rows {
		if name := r[column]; name != "" && name != "NA" && name != "?" {
			categories[name] = true
		}
	}
	all := slices.Sorted(maps.Keys(categories))
	out := map[string]bool{}
	for _, i := range s.Perm(len(all))[:(len(all)+3)/4] {
		out[all[i]] = true
	}
	return out
}

// losses trains a side and returns its losses on known and on new rows.
func (t *table) losses(dir string, s side, settings string) (known, other float64, err error) {
	model := filepath.Join(dir, "model")
	args := append([]string{"train", filepath.Join(dir, "train.csv"), "--label", t.label,
		"--task", t.task, "--seed", "1", "-o", model}, s.command[1:]...)
	if t.categorical != "" {
		args = append(args, "--categorical", t.categorical)
	}
	for _, one := range strings.Fields(settings) {
		args = append(args, "--set", one)
	}
	if out, err := exec.Command(s.command[0], args...).CombinedOutput(); err != nil {
		return 0, 0, fmt.Errorf("%w: %s", err, out)
	}
	if known, err = t.evaluate(s.command[0], model, filepath.Join(dir, "known.csv")); err != nil {
		return 0, 0, err
	}
	other, err = t.evaluate(s.command[0], model, filepath.Join(dir, "new.csv"))
	return known, other, err
}

// evaluate returns the loss of a model on the rows of a file.
func (t *table) evaluate(command, model, file string) (float64, error) {
	out, err := exec.Command(command, "evaluate", model, file, "--json").Output()
	if err != nil {
		return 0, err
	}
	var report struct{ Metrics map[string]float64 }
	if err := json.Unmarshal(out, &report); err != nil {
		return 0, err
	}
	if t.task != regression {
		return report.Metrics["logloss"], nil
	}
	return report.Metrics["rmse"] / t.deviation, nil
}
