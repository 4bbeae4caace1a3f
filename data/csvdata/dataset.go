package csvdata

import (
	"context"

	"github.com/coppice-ml/coppice/data"
)

// ReadDataset reads one file with the default options and takes the label and other roles out of
// it:
//
//	ds, err := csvdata.ReadDataset(ctx, "adult.csv", data.Label("income"))
//	ds, err := csvdata.ReadDataset(ctx, "adult.csv",
//		data.Roles{Label: "income", Weight: "fnlwgt"})
//
// Files that need options, or a table of several files, are opened by Open; data.Roles.Apply makes
// the data set of the frame. The errors are those of the two.
func ReadDataset(ctx context.Context, path string, roles data.Roles) (*data.Dataset, error) {
	f, err := Open(Options{}, path).Frame(ctx)
	if err != nil {
		return nil, err
	}
	return roles.Apply(f)
}
