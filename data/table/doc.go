// Package table owns what all readers of tables have in common. These are their options, the rules
// by which a column becomes numeric or categorical, and the formats of numbers in text. It also
// owns growing dictionaries, errors with their place, and the resulting table. It reads no files.
// Package source opens them, and one package for each format (csvdata, parquetdata, arrowdata,
// libsvm, arff, jsonl) reads their content.
//
// # Files
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
// # Kinds
//
// Options and a model's schema come first: they force the kind of a column. Else the file decides
// where it types its columns (numbers are numeric, texts and truth values categorical). Where it
// does not, all rows decide: one text that is neither a number nor missing makes the column
// categorical, and Options.Log receives a note of it.
//
// A category is its text, with those blanks around it that quotes or the file's type keep; a text
// of nothing but blanks is missing. A number that is a category is written as data.NumberText
// writes it, integers with all their digits. Only CSV keeps the texts of numbers as they stand in
// the file.
package table
