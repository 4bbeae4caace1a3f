// Package libsvm owns the reading of sparse text in the format of LibSVM and SVMlight into a
// data.Frame, with the side files that LightGBM keeps weights and queries in.
//
// # Text
//
// A line is a row: its label, then pairs index:value with blanks between them, in any order, each
// index once. A feature that a row does not name is 0 there, or missing (Options.Absent). Behind
// the label may stand qid:ID, in every row or in none. What follows a # is a comment; lines of
// blanks and comments are skipped. Text compressed by gzip, zip or zstd (package data/decoders) is
// recognised by its first bytes.
//
//	2 qid:1 1:0.74 6:0.87 # document 17
//
// # Columns
//
// The columns are called label, weight (if there is a side file) and query (if there are queries).
// The file states that the last two are the weights and the groups of its rows (data.Field.Role),
// so data.Roles makes them that, and no features. Options.Numeric or Options.Categorical ask for a
// column like any other.
//
// Each index that occurs in any of the files is a column f with that index. These are f1, f2, ...
// where the features count from 1 as usual, and f0, f1, ... where they count from 0, of which
// Options.Log gets a note. A model's features that do not occur in its files are columns of values
// that no row names.
//
// Options.FirstIndex states what the features of the files count from; else it is 0 where a row
// names index 0. Schema.FirstIndex of the frame stores it. Files for a model that count from
// another number than its features are an error, unless Options.FirstIndex states it: then their
// first feature is the model's first one. Files that name neither index 0 nor one beyond the
// model's last may count from either number, and are read as the model counts.
//
// Features are numeric: a value is a number or one of the texts for missing, else it is an error. A
// label that is no number makes the label categorical.
//
// # Side files
//
// Beside FILE may lie FILE.weight, a number for each row, and FILE.query, the sizes of the queries,
// whose rows follow each other; query then holds 0, 1, 2, ... Rows cannot have both qid and a query
// file. For FILE.gz the side files may also be called after FILE, and they may be compressed. Only
// files have side files, not standard input.
//
// # Memory
//
// A feature that at most a quarter of the rows name is a sparse column (data.Sparse), so a table
// takes memory in proportion to its file. Options.MaxValues limits the stored values. In blocks the
// rows of each block decide, and a first pass over the files finds the features.
package libsvm
