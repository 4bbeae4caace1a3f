package tables

import (
	"bufio"
	"context"
	"slices"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/codec/native"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/arff"
	"github.com/coppice-ml/coppice/data/arrowdata"
	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/data/jsonl"
	"github.com/coppice-ml/coppice/data/libsvm"
	"github.com/coppice-ml/coppice/data/parquetdata"
	"github.com/coppice-ml/coppice/data/xlsxdata"
	"github.com/coppice-ml/coppice/internal/enum"
	"github.com/coppice-ml/coppice/internal/source"
	"github.com/coppice-ml/coppice/model"
)

// format is a file format of tables.
type format struct {
	name     string   // for --format
	suffixes []string // of file names, before .gz or .zst
	sniff    func(head []byte) bool
	open     func(o csvdata.Options, paths ...string) data.Table
}

// formats lists the formats in the order in which they are tried. The format of a file is the first
// whose suffix matches its name, else the first that recognises its content. The last one accepts
// every content.
func formats() []format {
	return []format{
		{"parquet", parquetdata.Suffixes, parquetdata.Sniff, common(parquetdata.Open)},
		{"arrow", arrowdata.Suffixes, arrowdata.Sniff, common(arrowdata.Open)},
		{"arff", arff.Suffixes, arff.Sniff, common(arff.Open)},
		{"jsonl", jsonl.Suffixes, jsonl.Sniff, common(jsonl.Open)},
		{libsvmName, libsvm.Suffixes, libsvm.Sniff, common(libsvm.Open)},
		{xlsxName, xlsxdata.Suffixes, xlsxdata.Sniff, common(xlsxdata.Open)},
		{csvName, csvdata.Suffixes, func([]byte) bool { return true }, csvdata.Open},
	}
}

const (
	csvName    = "csv"
	libsvmName = "libsvm"
	xlsxName   = "xlsx"
)

// common adapts a reader that has only the options common to all readers.
func common(
	open func(data.ReadOptions, ...string) data.Table,
) func(csvdata.Options, ...string) data.Table {
	return func(o csvdata.Options, paths ...string) data.Table {
		return open(o.ReadOptions, paths...)
	}
}

func formatNames() []string {
	return enum.NamesOf(formats(), func(r format) string { return r.name })
}

// formatByName returns the format of a file's name, nil if the name has no known suffix.
func formatByName(path string) *format {
	for _, f := range formats() {
		if source.HasSuffix(path, f.suffixes) {
			return &f
		}
	}
	return nil
}

// formatByContent returns the format of a file by its first bytes.
func formatByContent(head []byte) *format {
	all := formats()
	return &all[slices.IndexFunc(all, func(f format) bool { return f.sniff(head) })]
}

// Input holds the options of the readers, and the reader that is requested.
type Input struct {
	csvdata.Options
	format string // its name; "": chosen for each file
	repeat RepeatFlag
	query  QueryFlag
	checks model.Checks // of tables that are read for a model
}

// suffixes returns those of the files that are read of a folder.
func (in *Input) suffixes() []string {
	var all []string
	for _, f := range formats() {
		if in.format == "" || f.name == in.format {
			all = append(all, f.suffixes...)
		}
	}
	return all
}

// open opens the table of files of one format, or of the query. Patterns and folders are all their
// files.
func (in Input) open(ctx context.Context, paths []string) (data.Table, error) {
	if slices.Contains(paths, cli.QueryOperand) {
		return in.query.open(in.Options.ReadOptions), in.checkQuery(paths)
	}
	chosen, paths, err := in.choose(ctx, paths)
	if err != nil {
		return nil, err
	}
	return chosen.open(in.Options, paths...), nil
}

// Table opens the table of files, or of the query.
func (in Input) Table(ctx context.Context, paths []string) (data.Table, error) {
	return in.open(ctx, paths)
}

// read reads a table into memory.
func (in Input) read(ctx context.Context, paths ...string) (*data.RowBlock, error) {
	t, err := in.open(ctx, paths)
	if err != nil {
		return nil, err
	}
	return t.Read(ctx)
}

// choose returns the format of the files that paths stand for, and these. It peeks at standard
// input, as find does.
func (in *Input) choose(ctx context.Context, paths []string) (*format, []string, error) {
	operands := paths
	paths, err := source.Expand(ctx, in.Stores, paths, in.suffixes())
	if err != nil {
		return nil, nil, err
	}
	if err := in.repeat.Check(Files(paths)...); err != nil && len(paths) > len(operands) {
		return nil, nil, err // files of stores, which Check of the operands does not list
	}
	var chosen *format
	for i, path := range paths {
		f, err := in.find(ctx, path)
		if err != nil {
			return nil, nil, err
		}
		if i > 0 && f.name != chosen.name {
			return nil, nil, cli.Misusef("%s is read as %s and %s as %s: the files of one table must "+
				"have one format (--format sets it)", paths[0], chosen.name, path, f.name)
		}
		chosen = f
	}
	if chosen.name != csvName && in.csvFlags() {
		return nil, nil, cli.Misusef("--no-header, --separator, --skip and --comment are for CSV, %s "+
			"is read as %s (--format sets another format)", cli.PathList(paths[:1]), chosen.name)
	}
	if chosen.name != libsvmName && in.Absent != "" {
		return nil, nil, cli.Misusef("--absent is for LibSVM, %s is read as %s, in which rows name all "+
			"values", cli.PathList(paths[:1]), chosen.name)
	}
	if chosen.name != libsvmName && in.FirstIndex != "" {
		return nil, nil, cli.Misusef("--first-index is for LibSVM, %s is read as %s, in which columns "+
			"have names", cli.PathList(paths[:1]), chosen.name)
	}
	if chosen.name != xlsxName && in.Sheet != "" {
		return nil, nil, cli.Misusef("--sheet is for Excel, %s is read as %s: leave it out",
			cli.PathList(paths[:1]), chosen.name)
	}
	return chosen, paths, nil
}

// csvFlags reports whether flags are set that are for CSV alone.
func (in *Input) csvFlags() bool {
	return in.NoHeader || in.Comma != 0 || in.Skip != 0 || in.Comment != 0
}

// checkQuery returns a misuse unless the query of --sql stands alone.
func (in *Input) checkQuery(paths []string) error {
	switch {
	case len(paths) > 1:
		return cli.Misusef("--sql takes the place of files: leave out %s",
			cli.PathList(paths[:1]))
	case in.format != "" || in.csvFlags() || in.Absent != "" || in.FirstIndex != "" ||
		in.Encoding != "" || in.Sheet != "":
		return cli.Misusef("--format, --no-header, --separator, --skip, --comment, --absent, " +
			"--first-index, --sheet and --encoding are for files: leave them out with --sql")
	}
	return nil
}

// find returns the format of a file. It peeks at standard input, which is read from its start
// afterwards, also where it is not stored.
func (in *Input) find(ctx context.Context, path string) (*format, error) {
	if in.format != "" {
		all := formats()
		return &all[slices.IndexFunc(all, func(f format) bool { return f.name == in.format })], nil
	}
	if path == "-" {
		if s, is := in.Stdin.(*source.Stored); is {
			head, err := s.Head()
			return formatByContent(source.Unpack(head, in.Decoders)), err
		}
		b := bufio.NewReaderSize(in.Stdin, source.HeadSize)
		head, _ := b.Peek(source.HeadSize) // the reader reports errors
		in.Stdin = b
		return formatByContent(source.Unpack(head, in.Decoders)), nil
	}
	if f := formatByName(path); f != nil {
		return f, nil
	}
	head, err := source.Head(ctx, &in.ReadOptions, path)
	if own := native.Format(); err == nil && own.Sniff(head) {
		return nil, cli.Misusef("%s is a model, and not a table", cli.PathList([]string{path}))
	}
	return formatByContent(head), err
}

// LooksLikeTable reports whether a file has the suffix of a table's format.
func LooksLikeTable(path string) bool { return formatByName(path) != nil }
