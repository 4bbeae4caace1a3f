// Package data owns the tables that Coppice learns from and predicts on: schemas, typed columns,
// targets, and the roles that turn a table into a learning problem. Package data/split makes splits
// and folds of its rows.
//
// A table is columns. A numeric column is float64 with NaN for missing, a date column microseconds
// since 1970. One whose values are float32 can be stored in half the memory: see Numbers32. One of
// which most rows have one value can be stored sparsely, as the other rows and their values: see
// Sparse. A categorical column is uint32 codes into a dictionary of texts.
// Readers of file formats are sub-packages (csvdata, ...) and produce a Frame. FromRows,
// FromColumns, FromStructs and FromMatrix make one of Go values.
//
// # Files of tables
//
// A table is read from one file or from several, one after the other. A path may be a pattern, such
// as sales/*.parquet or sales/**/2026-*.csv, or a folder: it stands for its files in ascending
// order of their paths. In a pattern * and ? stand for characters but no slash, [a-c] for one of
// some, and ** for any number of folders. Of a folder the files are read whose names have the
// format's suffixes, also those of folders in it, or all files if none has. Names that begin with a
// point or an underscore are left out.
//
// Folders named key=value right above a file make a column key, in which all rows of the file have
// the value, percent-decoded; __HIVE_DEFAULT_PARTITION__ is missing. It stands behind the columns
// of the files, of which one of the same name goes before it. All files must have the same keys. A
// key of which all files have the same value makes a column only where the options or a schema name
// it.
//
// # Kinds of columns in files
//
// ReadOptions and a model's schema come first: they force the kind of a column. Else the file
// decides where it types its columns (numbers are numeric, texts and truth values categorical).
// Where it does not, all rows decide: one text that is neither a number nor missing makes the
// column categorical, and ReadOptions.Log receives a note of it.
//
// A category is its text, with those blanks around it that quotes or the file's type keep; a text
// of nothing but blanks is missing. A number that is a category is written as NumberText
// writes it, integers with all their digits. Only CSV keeps the texts of numbers as they stand in
// the file.
package data
