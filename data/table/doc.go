// Package table owns what all readers of tables have in common: the options that every one of them
// accepts, the rules by which a column becomes numeric or categorical, the numbers that text may
// hold, growing dictionaries, the error with its place, and the table that results. It reads no
// files. Package source opens them, and one package for each format (csvdata, parquetdata,
// arrowdata, libsvm, arff, jsonl) reads their content.
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
