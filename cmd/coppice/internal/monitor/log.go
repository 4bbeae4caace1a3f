package monitor

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/tables"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
)

// logTable is a log of predictions. All its values are read as texts.
type logTable struct {
	tables.Input
	path    string
	columns []string
	key     string // "" = none
	time    string // "" = none
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
	l := &logTable{Input: in, path: path}
	if l.columns, err = columnsOf(ctx, in, []string{path}); err != nil {
		return nil, err
	}
	at := slices.Index(l.columns, modelColumn)
	if at < 0 || !slices.Contains(l.columns, predictionColumn) && !slices.Contains(l.columns, scoreColumn) {
		return nil, fmt.Errorf("%s is no log of predictions: it has no columns model and prediction, "+
			"as coppice serve --log and coppice predict --log write", cli.PathList([]string{path}))
	}
	if slices.Contains(l.columns, o.time) {
		l.time = o.time
	} else if o.time != "time" {
		return nil, cli.Misusef("--time %s: the log has no such column; %s", o.time,
			cli.Instead(o.time, l.columns))
	}
	if l.key = o.key; l.key == "" {
		before := slices.DeleteFunc(slices.Clone(l.columns[:at]),
			func(name string) bool { return name == l.time })
		if len(before) == 1 {
			l.key = before[0]
		}
	} else if !slices.Contains(l.columns, l.key) {
		return nil, cli.Misusef("--key %s: the log has no such column; %s", l.key,
			cli.Instead(l.key, l.columns))
	}
	return l, nil
}

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
	of      map[string]string
	changed int // keys with several labels, of which the last counts
}

// readLabels reads a table of labels.
func (o *command) readLabels(ctx context.Context, l *logTable, paths []string) (*labels, error) {
	if len(paths) == 0 {
		return &labels{}, nil
	}
	if l.key == "" {
		return nil, cli.Misusef("--key COL names the column by which predictions and labels are "+
			"joined: the log has %s", humanize.And(before(l)))
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
	if !slices.Contains(columns, l.key) {
		return nil, fmt.Errorf("%s has no column %q, by which predictions are joined: --key names "+
			"another; %s", where, l.key, cli.Instead(l.key, columns))
	}
	label, err := o.labelOf(columns, l.key, where)
	if err != nil {
		return nil, err
	}
	all, bytes := &labels{of: map[string]string{}}, int64(0)
	for t, err := range textRows(ctx, in, paths, []string{l.key, label}) {
		if err != nil {
			return nil, err
		}
		for row := range t.Rows() {
			key, value := t.of(l.key, row), strings.TrimSpace(t.of(label, row))
			if key == "" || value == "" {
				continue
			}
			if old, has := all.of[key]; has && old != value {
				all.changed++
			} else if bytes += int64(len(key) + entryBytes); !has && bytes > o.MemoryLimit().Bytes() {
				return nil, errors.New("the labels take more than the limit of memory: raise --memory")
			}
			all.of[strings.Clone(key)] = strings.Clone(value)
		}
	}
	return all, nil
}

// entryBytes is about what a label takes beside its key.
const entryBytes = 64

// before returns the columns of a log that may be keys.
func before(l *logTable) []string {
	var names []string
	for _, name := range l.columns {
		if name == modelColumn {
			break
		}
		if name != l.time {
			names = append(names, name)
		}
	}
	if names == nil {
		return []string{"none before the model (coppice serve --id, coppice predict --keep)"}
	}
	return names
}

// labelOf chooses the column of labels.
func (o *command) labelOf(columns []string, key, where string) (string, error) {
	if o.label != "" {
		if !slices.Contains(columns, o.label) {
			return "", cli.Misusef("--label %s: %s has no such column; %s", o.label, where,
				cli.Instead(o.label, columns))
		}
		return o.label, nil
	}
	for _, m := range o.models {
		if name := m.Spec().Label; slices.Contains(columns, name) {
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
