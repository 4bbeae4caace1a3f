package predict

import (
	"bufio"
	"encoding/json"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/databases"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/model"
)

// logFlags request a file of what was predicted from what.
type logFlags struct {
	log   string
	share float64
	cli.SeedFlag
	flags *pflag.FlagSet
	id    string // of the model's file, set once it is opened
}

func (o *logFlags) define(f *pflag.FlagSet) {
	o.flags = f
	f.StringVar(&o.log, "log", "", "write the inputs and predictions of all rows to `FILE`, as JSON "+
		"lines (.jsonl) or Parquet (.parquet); an older FILE is replaced")
	f.Float64Var(&o.share, "log-share", 1,
		"log the inputs of a random fraction `F` of the rows; predictions are logged of all")
	o.SeedFlag.Define(f)
}

// jsonLines end the names of logs that are written as JSON lines.
var jsonLines = []string{".jsonl", ".ndjson"}

// check finds misuse; output is the value of -o, inputs are the files that are read.
func (o *logFlags) check(output string, inputs []string) error {
	switch {
	case o.log == "" && (o.flags.Changed("log-share") || o.flags.Changed("seed")):
		return cli.Misusef("--log-share and --seed go with --log: add it")
	case o.log == "" && o.flags.Changed("log"):
		return cli.Misusef("--log is empty: name a file")
	case o.log == "":
		return nil
	case !(o.share >= 0 && o.share <= 1):
		return cli.Misusef("--log-share %v: want a fraction from 0 to 1", o.share)
	case !isParquet(o.log) && !slices.Contains(jsonLines, filepath.Ext(o.log)):
		return cli.Misusef("--log %s: want a name that ends in .jsonl or .parquet", o.log)
	case filepath.Clean(o.log) == filepath.Clean(output):
		return cli.Misusef("--log and -o name the same file %s: choose two", o.log)
	}
	return cli.WritableBy("--log", o.log, inputs...)
}

// predictionLog writes rows with their inputs and predictions. Each has the columns that are kept,
// or the number of the row, the id of the model, the inputs, and what the output has behind the
// kept columns. Scores of anomalies follow the label that they decide, as in the log of serve.
type predictionLog struct {
	file    cli.FileFlag
	console *cli.Console
	columns []logColumn
	kept    int    // columns of the output that are kept
	before  int    // columns before the inputs
	inputs  int    // columns of inputs
	id      string // of the model
	share   float64
	stem    rng.Stem
	label   func(values []float64) string             // nil: the output has what is predicted
	row     func(fields []string, sampled bool) error // set while the file is written
}

type logColumn struct {
	databases.Column
	input bool
}

// forLog is the stream of the sample of rows whose inputs are logged.
const forLog = 2

// open prepares the log; nil: none is requested.
func (o *logFlags) open(c *cli.Console, m model.Model, w *predictionWriter) (*predictionLog, error) {
	if o.log == "" {
		return nil, nil
	}
	l := &predictionLog{file: cli.FileFlag{Path: o.log}, console: c, share: o.share,
		stem: rng.NewStem(o.Seed, forLog), inputs: len(w.inputs.Columns), id: o.id}
	output := w.columns()
	l.kept = len(output) - len(w.header)
	for _, column := range output[:l.kept] {
		if !isParquet(o.log) { // texts of later blocks may be no numbers
			column.Kind = databases.Text
		}
		l.columns = append(l.columns, logColumn{column, false})
	}
	if l.kept == 0 {
		l.columns = []logColumn{{databases.Column{Name: "row", Kind: databases.Integer}, false}}
	}
	l.columns = append(l.columns, logColumn{databases.Column{Name: "model"}, false})
	l.before = len(l.columns)
	for _, column := range w.inputs.Columns {
		kind := databases.Float
		if column.Texts {
			kind = databases.Text
		}
		l.columns = append(l.columns, logColumn{databases.Column{Name: column.Name, Kind: kind}, true})
	}
	if w.output == model.Response && w.classes != nil && !w.label { // scores of anomalies
		l.label = func(values []float64) string { return w.classes[w.decision.Label(values)] }
		l.columns = append(l.columns, logColumn{databases.Column{Name: "prediction"}, false})
	}
	for _, column := range output[len(output)-len(w.header):] {
		l.columns = append(l.columns, logColumn{column, false})
	}
	return l, l.check()
}

// check finds columns of the same name. Those of inputs have names of their own.
func (l *predictionLog) check() error {
	var names []string
	for _, c := range l.columns {
		name := c.Name
		if c.input {
			name = inputPrefix + name
		}
		if slices.Contains(names, name) || name == inputsKey {
			return cli.Misusef("--log: two columns of the log would be called %q: choose another "+
				"--keep", name)
		}
		names = append(names, name)
	}
	return nil
}

// How inputs are named: a key of their own object in JSON lines, a prefix in Parquet.
const (
	inputsKey   = "inputs"
	inputPrefix = "input."
)

// write writes the log while a function predicts, and adds the rows. The file appears once it is
// complete. A log that is nil calls the function only.
func (l *predictionLog) write(predict func() error) error {
	if l == nil {
		return predict()
	}
	return l.file.Write(l.console, func(out io.Writer) error {
		if isParquet(l.file.Path) {
			var columns []databases.Column
			for _, c := range l.columns {
				if c.input {
					c.Name = inputPrefix + c.Name
				}
				columns = append(columns, c.Column)
			}
			return writeParquet(out, columns, func(add func([]string) error) error {
				l.row = func(fields []string, _ bool) error { return add(fields) }
				return predict()
			})
		}
		buffer := bufio.NewWriterSize(out, 1<<16)
		l.row = func(fields []string, sampled bool) error {
			_, err := buffer.Write(l.line(fields, sampled))
			return err
		}
		if err := predict(); err != nil {
			return err
		}
		return buffer.Flush()
	})
}

// add adds a row by its number, the fields of the output and the predicted values. input returns
// its inputs by their columns and the row of the block.
func (l *predictionLog) add(
	number int, output []string, values []float64, input func(column, row int) string, row int,
) error {
	if l == nil {
		return nil
	}
	fields := append(make([]string, 0, len(l.columns)), output[:l.kept]...)
	if l.kept == 0 {
		fields = append(fields, strconv.Itoa(number+1))
	}
	fields = append(fields, l.id)
	sampled := l.stem.Float64(uint64(number)) < l.share
	for i := range l.inputs {
		text := ""
		if sampled {
			text = input(i, row)
		}
		fields = append(fields, text)
	}
	if l.label != nil {
		fields = append(fields, l.label(values))
	}
	return l.row(append(fields, output[l.kept:]...), sampled)
}

// line returns a row as a line of JSON. Inputs that are not sampled are left out.
func (l *predictionLog) line(fields []string, sampled bool) []byte {
	line := []byte{'{'}
	key := func(name string) {
		if line[len(line)-1] != '{' {
			line = append(line, ',')
		}
		line = append(appendText(line, name), ':')
	}
	for i, text := range fields {
		c := &l.columns[i]
		if c.input && !sampled {
			continue
		}
		if i == l.before && c.input {
			key(inputsKey)
			line = append(line, '{')
		}
		key(c.Name)
		line = appendValue(line, text, c.Kind)
		if i == l.before+l.inputs-1 && c.input {
			line = append(line, '}')
		}
	}
	return append(line, '}', '\n')
}

// appendValue appends a value: null for none, and texts for numbers that JSON does not have.
func appendValue(line []byte, text string, kind databases.Kind) []byte {
	switch {
	case kind == databases.Text && text != "":
		return appendText(line, text)
	case text == "":
		return append(line, "null"...)
	case strings.ContainsAny(text, "NI"): // NaN, +Inf
		return appendText(line, text)
	}
	return append(line, text...)
}

// appendText appends a JSON string.
func appendText(line []byte, text string) []byte {
	quoted, _ := json.Marshal(text) // a string has no error
	return append(line, quoted...)
}
