// Package table owns what all readers of tables have in common: the rules by which a column becomes
// numeric or categorical, and the formats of numbers in text. It also has growing dictionaries, the
// account of the memory that a table takes, and the table that results, as a whole or in blocks.
// Package data has the options and errors of readers. Package source opens files, and one package
// for each format (csvdata, parquetdata, arrowdata, libsvm, arff, jsonl) reads their content.
package table
