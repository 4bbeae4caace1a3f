package csvdata

import (
	"context"
	"io"
	"math"

	"github.com/coppice-ml/coppice/data"
)

// Options says how to read a table. The zero value reads a table with a header and infers the kind of every column.
//
// A name in Numeric, Categorical, Ignore, Also or Verbatim that the file does not have is an error, which suggests
// the nearest name that it has.
type Options struct {
	NoHeader bool // the first line is data; columns are called f0, f1, ...
	Comma    byte // the separator, an ASCII character; 0: found by the file's name and first line

	Missing []string // texts that mean a missing value; nil: DefaultMissing. The empty field is always missing

	Numeric        []string // columns in which a text is an error
	Categorical    []string // columns of which numbers are categories too
	AllCategorical bool     // all columns but those of Numeric
	Ignore         []string // columns that are not read at all

	// Schema reads a table for a model: the columns that the schema names, with its kinds, dictionaries and policies
	// and in its order. In a numeric column a text is an error; in a categorical one a text that the dictionary does not
	// hold is data.UnseenCode. Columns that the file lacks are left out of the frame; other columns are skipped.
	Schema *data.Schema
	Also   []string // with Schema: further columns, of inferred or forced kind, behind the schema's

	// Verbatim columns are read into Table.Verbatim as their texts, with nothing missing, whether or not they are
	// columns of the frame too.
	Verbatim []string

	Stdin io.Reader                        // what the path "-" reads; nil: os.Stdin
	Log   func(format string, args ...any) // is told, once per column, which text made an inferred column categorical

	block int // bytes in a block, for tests; 0: blockSize
}

// DefaultMissing holds the texts that mean a missing value unless Options.Missing names others.
var DefaultMissing = []string{"", "?", "NA", "N/A", "NaN", "nan", "null", "NULL"}

// Table is what ReadTable reads.
type Table struct {
	Frame    *data.Frame // the columns to learn from or to predict with
	Verbatim *data.Frame // the columns of Options.Verbatim in the file's order, all categorical; nil if there are none
	Columns  []string    // the names of all columns of the file, those that were not read among them
}

// Read reads a table from files that have the same columns, one after the other; "-" is standard input. It is
// ReadTable without the verbatim columns.
func Read(ctx context.Context, o Options, paths ...string) (*data.Frame, error) {
	t, err := ReadTable(ctx, o, paths...)
	if err != nil {
		return nil, err
	}
	return t.Frame, nil
}

// ReadBytes reads a table from memory, as Read reads a file of that name. It keeps no reference to b.
func ReadBytes(ctx context.Context, o Options, name string, b []byte) (*data.Frame, error) {
	if b == nil {
		b = []byte{}
	}
	t, err := o.read(ctx, []source{{name: name, held: b, size: int64(len(b))}})
	if err != nil {
		return nil, err
	}
	return t.Frame, nil
}

// ReadTable reads a table from files that have the same columns, one after the other; "-" is standard input. Each
// file has the same header unless Options.NoHeader is set. The rows of the frame remember their lines.
//
// Errors are of type *Error, or those of the context.
func ReadTable(ctx context.Context, o Options, paths ...string) (*Table, error) {
	if len(paths) == 0 {
		return nil, optionError("no file to read")
	}
	sources := make([]source, len(paths))
	held := false
	for i, p := range paths {
		if p == "-" && held {
			return nil, optionError("standard input can be read only once")
		}
		held = held || p == "-"
		var err error
		if sources[i], err = newSource(ctx, p, o.Stdin); err != nil {
			return nil, err
		}
	}
	return o.read(ctx, sources)
}

func (o *Options) read(ctx context.Context, sources []source) (*Table, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if o.block == 0 {
		o.block = blockSize
	}
	t := &table{options: o, tokens: o.tokens(), until: math.MaxInt}
	for i := range sources {
		t.size += sources[i].size
	}
	for i := range sources {
		if err := t.readSource(ctx, &sources[i]); err != nil {
			return nil, err
		}
	}
	if t.rows == 0 {
		return nil, &Error{File: sources[0].name, Msg: "no rows below the header", Err: ErrEmpty}
	}
	if err := t.readAgain(ctx, sources); err != nil {
		return nil, err
	}
	return t.finish()
}
