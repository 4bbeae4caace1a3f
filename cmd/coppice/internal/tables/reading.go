package tables

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/data/decoders"
	"github.com/coppice-ml/coppice/data/stores"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/source"
	"github.com/coppice-ml/coppice/model"
)

// ReadFlags control how tables are read.
type ReadFlags struct {
	format string
	missingFlags
	noHeader  bool
	separator string
	lineFlags
	cli.MemoryFlag
	RepeatFlag
	QueryFlag
	dateFlag
	flags *pflag.FlagSet
	markFlags
	encoding string
	absent   string
	first    string // of --first-index
	sheet    string
	Writes   bool // the command writes to the database of --db
	Checks   model.Checks
}

// Define defines the flags of the section Reading.
func (o *ReadFlags) Define(f *pflag.FlagSet) {
	o.flags = f
	f.StringVar(&o.format, "format", "", "the tables are `FORMAT`: "+
		strings.Join(formatNames(), ", ")+" (default: by their names, else by their content)")
	o.missingFlags.define(f)
	o.markFlags.define(f)
	f.StringVar(&o.encoding, "encoding", "", "texts are in the encoding `NAME`, such as "+
		"windows-1252 (default: by the byte order mark of UTF-16, else UTF-8)")
	f.StringVar(&o.absent, "absent", "", "LibSVM: values that rows do not name are `MEANING`: zero "+
		"or missing (default: as in the model, else zero)")
	f.StringVar(&o.first, "first-index", "", "LibSVM: the features of the file count from `N`, 0 or 1 "+
		"(default: as in the model, else 0 where a row names feature 0)")
	f.StringVar(&o.sheet, "sheet", "", "Excel: read the sheet `NAME` (default: the first one)")
	f.BoolVar(&o.noHeader, "no-header", false,
		"CSV: the first line is data; columns are called f0, f1, ..., "+
			"or as a model calls its features by number")
	f.StringVar(&o.separator, "separator", "",
		"CSV: `CHAR` that separates fields, or tab (default: by the file's name and first line)")
	o.lineFlags.define(f)
	o.MemoryFlag.Define(f)
	o.RepeatFlag.define(f)
	o.QueryFlag.define(f)
	o.dateFlag.define(f)
}

// Again returns the flags by which another command reads the same files, with a space before each.
func (o *ReadFlags) Again() string {
	text := ""
	for _, name := range []string{"format", "encoding", "sheet", "no-header", "separator", "skip", "comment"} {
		if f := o.flags.Lookup(name); f.Changed {
			text += " --" + name + "=" + humanize.ShellWord(f.Value.String())
		}
	}
	return text
}

// Options returns the options of the readers, or a misuse.
func (o *ReadFlags) Options(c *cli.Console) (Input, error) {
	common := data.ReadOptions{Stdin: c.In, Log: c.Note, Threads: c.Readers,
		Stores: stores.New(), Decoders: decoders.New()}
	r := Input{Options: csvdata.Options{ReadOptions: common, NoHeader: o.noHeader}, format: o.format,
		repeat: o.RepeatFlag, query: o.QueryFlag, checks: o.Checks}
	if o.format != "" && !slices.Contains(formatNames(), o.format) {
		return r, cli.Misusef("--format %q: %s", o.format, cli.Instead(o.format, formatNames()))
	}
	if err := o.QueryFlag.check(o.Writes); err != nil {
		return r, err
	}
	limit, err := o.MemoryFlag.Limit()
	if err != nil {
		return r, err
	}
	r.Memory = limit
	if r.Absent = data.Absent(o.absent); r.Absent.Check() != nil {
		return r, cli.Misusef("--absent %q: %s", o.absent, cli.Instead(o.absent,
			[]string{string(data.AbsentZero), string(data.AbsentMissing)}))
	}
	if r.FirstIndex = data.FirstIndex(o.first); r.FirstIndex.Check() != nil {
		return r, cli.Misusef("--first-index %q: want 0 or 1, the number of the first feature", o.first)
	}
	if r.Missing, r.MissingOf, err = o.missingFlags.tokens(); err != nil {
		return r, err
	}
	switch {
	case o.separator == "tab" || o.separator == `\t`:
		r.Comma = '\t'
	case len(o.separator) == 1:
		r.Comma = o.separator[0]
	case o.separator != "":
		return r, cli.Misusef("--separator %q: want one ASCII character, or tab", o.separator)
	}
	if err := o.lineFlags.apply(&r); err != nil {
		return r, err
	}
	if err := o.markFlags.apply(&r); err != nil {
		return r, err
	}
	if err := source.CheckEncoding(o.encoding); err != nil {
		return r, cli.Misusef("--encoding: %w", err)
	}
	r.Encoding, r.Sheet = o.encoding, o.sheet
	r.Dates, err = o.dateFormats()
	return r, err
}

// KindFlags override the kinds inferred for columns.
type KindFlags struct {
	categorical, numeric []string
	textFlags
}

// Define defines --categorical, --numeric, --text and --text-set.
func (o *KindFlags) Define(f *pflag.FlagSet) {
	cli.NamesVar(f, &o.categorical, "categorical",
		"read numbers in `COL,...|all` as categories")
	cli.NamesVar(f, &o.numeric, "numeric",
		"require numbers in `COL,...`: a text is an error instead of a category")
	o.textFlags.define(f)
}

func (o *KindFlags) apply(r *Input) (err error) {
	r.Numeric = o.numeric
	r.Categorical, r.AllCategorical = EveryOr(o.categorical)
	r.Texts, err = o.formats()
	return err
}

// EveryOr separates the word all, which stands for every column, from a list of names.
func EveryOr(names []string) (list []string, all bool) {
	if len(names) == 1 && names[0] == "all" {
		return nil, true
	}
	return names, false
}
