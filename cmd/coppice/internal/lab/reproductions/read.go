package reproductions

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/internal/outside"
	"github.com/coppice-ml/coppice/testdata"
)

// NoTableError is returned by a reproduction whose table is nowhere: not in the folder Env.Data,
// and not in the program.
type NoTableError struct {
	File string // such as fish/fish.csv
}

// Error names the table and where it can be had.
func (e *NoTableError) Error() string {
	return fmt.Sprintf("table %s is not part of the project: save it (%s) and name the folder above "+
		"it with --data DIR", e.File, elsewhere[e.File])
}

// elsewhere says where tables come from that the project has no licence to hand on.
var elsewhere = map[string]string{
	"fish/fish.csv": "Brofeldt 1917, 159 fish, as CSV with the columns Species, Weight, Length1, " +
		"Length2, Length3, Height and Width",
}

// Read reads a table such as iris/iris.csv, whose label is the column of that name. It reads the
// file below Data, else the copy in the program. The table must have a number of rows: what is
// published is of those, not of fewer. The error is a *NoTableError if the table is nowhere.
func (r *Env) Read(ctx context.Context, file, label string, rows int) (*data.Dataset, error) {
	f, name, err := r.open(ctx, file)
	if err != nil {
		return nil, err
	}
	ds, err := data.Roles{Label: label}.Apply(f)
	if err == nil && ds.Rows() != rows {
		return nil, fmt.Errorf("table %s: %d rows, want %d: take the one in the project's testdata",
			name, ds.Rows(), rows)
	}
	return ds, err
}

// open reads the columns of a table, and returns the name of the file that they are from.
func (r *Env) open(ctx context.Context, file string) (*data.Frame, string, error) {
	if r.Data != "" {
		name := filepath.Join(r.Data, filepath.FromSlash(file))
		if _, err := outside.FileInfo(name); !errors.Is(err, fs.ErrNotExist) {
			f, err := csvdata.Open(csvdata.Options{}, name).Frame(ctx)
			return f, name, err
		}
	}
	b, err := testdata.Tables.ReadFile(file)
	if err != nil {
		return nil, "", &NoTableError{File: file}
	}
	f, err := csvdata.Open(csvdata.Options{ReadOptions: data.ReadOptions{Bytes: map[string][]byte{file: b}}}, file).Frame(ctx)
	return f, file, err
}
