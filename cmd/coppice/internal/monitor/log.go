package monitor

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/tables"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/param"
)

// logTable is a log of predictions. All its values are read as texts.
type logTable struct {
	tables.Input
	path     string
	columns  []string
	key      string         // "" = none
	labelKey string         // that of the labels
	time     string         // "" = none
	cut      map[string]int // line of a file that ends inside of it
}

// The columns of a log, beside those that a user names.
const (
	modelColumn      = "model"
	predictionColumn = "prediction"
	scoreColumn      = "score"
	flagsColumn      = "flags"
	classPrefix      = "p_"
)

// inputPrefixes stand before the names of inputs, in JSON lines and in Parquet.
var inputPrefixes = []string{"inputs.", "input."}

// noSchema reads no column but those that are wanted as texts.
var noSchema = &data.Schema{}

// openLog finds the columns of a log.
func (o *command) openLog(ctx context.Context, path string) (*logTable, error) {
	own := tables.ReadFlags{MemoryFlag: o.MemoryFlag, RepeatFlag: o.RepeatFlag}
	in, err := own.Options(o.Console)
	if err != nil {
		return nil, err
	}
	l := &logTable{Input: in, path: path, cut: map[string]int{}}
	l.CutLine = func(file string, line int) { l.cut[file] = line }
	if l.columns, err = columnsOf(ctx, l.Input, []string{path}); err != nil {
		return nil, err
	}
	if !slices.Contains(l.columns, modelColumn) || !slices.ContainsFunc(l.columns, func(name string) bool {
		return name == predictionColumn || name == scoreColumn || numbered.MatchString(name)
	}) {
		return nil, fmt.Errorf("%s is no log of predictions: it has no columns model and prediction, "+
			"as coppice serve --log and coppice predict --log write", cli.PathList([]string{path}))
	}
	if slices.Contains(l.columns, o.time) {
		l.time = o.time
	} else if o.time != "time" {
		return nil, cli.Misusef("--time %s: the log has no such column; %s", o.time,
			cli.Instead(o.time, l.columns))
	}
	return l, o.chooseKey(l)
}

// chooseKey chooses the columns by which predictions and labels are joined.
func (o *command) chooseKey(l *logTable) error {
	if o.key == "" {
		if own := l.own(); len(own) == 1 {
			l.key, l.labelKey = own[0], own[0]
		}
		return nil
	}
	own, other, two := param.CutSign(o.key, '=')
	if l.key = param.EntryName(own); two {
		own = other
	}
	l.labelKey = param.EntryName(own)
	if !slices.Contains(l.columns, l.key) {
		return cli.Misusef("--key %s: the log has no such column; %s", o.key,
			cli.Instead(l.key, l.columns))
	}
	return nil
}

// own returns the columns of a log that are neither a time, a model, a prediction nor an input: one
// of them may be a key.
func (l *logTable) own() []string {
	return slices.DeleteFunc(slices.Clone(l.columns), func(name string) bool {
		return name == l.time || slices.Contains([]string{modelColumn, predictionColumn, scoreColumn,
			flagsColumn}, name) || ofModel.MatchString(name) || numbered.MatchString(name)
	})
}

// ofModel matches names of inputs and probabilities, numbered those of quantiles and other numbers.
var (
	ofModel  = regexp.MustCompile(`^(inputs?\.|p_)`)
	numbered = regexp.MustCompile(`^(q\.?\d|prediction_\d)`)
)

// columnsOf returns the names of the columns of a table.
func columnsOf(ctx context.Context, in tables.Input, paths []string) ([]string, error) {
	in.Schema = noSchema
	t, err := in.Table(ctx, paths)
	if err != nil {
		return nil, err
	}
	var names []string
	for b, err := range t.Stream(ctx) {
		if err != nil {
			return nil, err
		}
		for _, name := range b.Origin.Columns {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names, nil
}

// texts is a block of rows, all of whose values are texts.
type texts struct {
	*data.Frame
	at map[string]int
}

// of returns a value, "" if it is missing.
func (t *texts) of(column string, row int) string {
	at, has := t.at[column]
	if !has {
		return ""
	}
	return t.Schema.Fields[at].Levels[t.Columns[at].Code(row)]
}

// rows yields the blocks of a table with some of its columns as texts.
func textRows(
	ctx context.Context, in tables.Input, paths, columns []string,
) iter.Seq2[*texts, error] {
	in.Schema, in.Verbatim = noSchema, columns
	return func(yield func(*texts, error) bool) {
		t, err := in.Table(ctx, paths)
		if err != nil {
			yield(nil, err)
			return
		}
		for b, err := range t.Stream(ctx) {
			if err != nil {
				yield(nil, err)
				return
			}
			some := &texts{b.Verbatim, map[string]int{}}
			for i := range b.Verbatim.Schema.Fields {
				some.at[b.Verbatim.Schema.Fields[i].Name] = i
			}
			if !yield(some, nil) {
				return
			}
		}
	}
}

// labels are those of keys.
type labels struct {
	of      map[string]label
	weights string // the column of weights; "" = all rows weigh 1
	changed int    // keys with several labels, of which the last counts
}

// label is the label of a key, with the weight of its row.
type label struct {
	text   string
	weight float64
}

// readLabels reads a table of labels.
func (o *command) readLabels(ctx context.Context, l *logTable, paths []string) (*labels, error) {
	if len(paths) == 0 {
		return &labels{}, nil
	}
	if l.key == "" {
		own := l.own()
		if len(own) == 0 {
			own = []string{"no other column than those of the model (coppice serve --id, coppice predict --keep)"}
		}
		return nil, cli.Misusef("--key COL names the column by which predictions and labels are "+
			"joined: the log has %s", humanize.And(own))
	}
	in, err := o.ReadFlags.Options(o.Console)
	if err != nil {
		return nil, err
	}
	columns, err := columnsOf(ctx, in, paths)
	if err != nil {
		return nil, err
	}
	where := cli.PathList(paths)
	if !slices.Contains(columns, l.labelKey) {
		return nil, fmt.Errorf("%s has no column %q, by which predictions are joined: "+
			"--key %s=COL names the one of the labels; %s", where, l.labelKey, l.key,
			cli.Instead(l.labelKey, columns))
	}
	name, err := o.labelOf(columns, l.labelKey, where)
	if err != nil {
		return nil, err
	}
	weights, err := o.weightOf(columns, where)
	if err != nil {
		return nil, err
	}
	wanted := []string{l.labelKey, name}
	if weights != "" && !slices.Contains(wanted, weights) {
		wanted = append(wanted, weights)
	}
	all, bytes := &labels{of: map[string]label{}, weights: weights}, int64(0)
	unused := slices.Clone(o.rename)
	for t, err := range textRows(ctx, in, paths, wanted) {
		if err != nil {
			return nil, err
		}
		names, err := data.ParseRename(o.rename, t.Frame, name)
		if err != nil {
			return nil, cli.Misuse(err)
		}
		for row := range t.Rows() {
			key, value := t.of(l.labelKey, row), strings.TrimSpace(t.of(name, row))
			if to, renamed := names[value]; renamed {
				unused = slices.DeleteFunc(unused, func(pair string) bool {
					return strings.ReplaceAll(pair, " ", "") == strings.ReplaceAll(value+"="+to, " ", "")
				})
				value = to
			}
			if key == "" || value == "" {
				continue
			}
			weight := 1.0
			if weights != "" {
				if weight, err = strconv.ParseFloat(t.of(weights, row), 64); err != nil || !(weight >= 0) ||
					math.IsInf(weight, 1) {
					return nil, fmt.Errorf("%s: %q in the column %s is no weight: want a number from 0 on",
						where, t.of(weights, row), weights)
				}
			}
			if old, has := all.of[key]; has && old.text != value {
				all.changed++
			} else if bytes += int64(len(key) + entryBytes); !has && bytes > o.MemoryLimit().Bytes() {
				return nil, errors.New("the labels take more than the limit of memory: raise --memory")
			}
			all.of[strings.Clone(key)] = label{strings.Clone(value), weight}
		}
	}
	for _, pair := range unused {
		o.Note("no label in column %q has the value that --map %s renames", name, pair)
	}
	return all, nil
}

// entryBytes is about what a label takes beside its key.
const entryBytes = 72

// labelOf chooses the column of labels.
func (o *command) labelOf(columns []string, key, where string) (string, error) {
	if o.label != "" {
		if !slices.Contains(columns, o.label) {
			return "", cli.Misusef("--label %s: %s has no such column; %s", o.label, where,
				cli.Instead(o.label, columns))
		}
		return o.label, nil
	}
	for _, id := range o.ids {
		if name := o.models[id].Spec().Label; slices.Contains(columns, name) {
			return name, nil
		}
	}
	others := slices.DeleteFunc(slices.Clone(columns), func(name string) bool { return name == key })
	if len(others) != 1 {
		return "", cli.Misusef("--label COL names the column of labels: %s has %s", where,
			humanize.And(others))
	}
	return others[0], nil
}

// weightOf chooses the column of weights, "" for none.
func (o *command) weightOf(columns []string, where string) (string, error) {
	switch {
	case o.weight == "none":
		return "", nil
	case o.weight != "" && !slices.Contains(columns, o.weight):
		return "", cli.Misusef("--weight %s: %s has no such column; %s", o.weight, where,
			cli.Instead(o.weight, columns))
	case o.weight != "":
		return o.weight, nil
	}
	for _, id := range o.ids {
		if name := o.models[id].Spec().Roles.Weight; slices.Contains(columns, name) {
			return name, nil
		}
	}
	return "", nil
}
