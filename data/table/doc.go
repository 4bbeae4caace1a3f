// Package table owns what all readers of tables have in common. These are their options, the rules
// by which a column becomes numeric or categorical, and the formats of numbers in text. It also
// owns growing dictionaries, errors with their place, and the resulting table. It reads no files.
// Package source opens them, and one package for each format (csvdata, parquetdata, arrowdata,
// libsvm, arff, jsonl) reads their content.
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
