// Package jsonl owns the reading of JSON lines (NDJSON) into a data.Frame: text in which every line
// is a JSON object, and every object a row. A text that begins with a bracket is an array of such
// objects, with line ends anywhere between its tokens.
//
//	{"size": 1.5, "color": "red"}
//	{"color": null, "size": 2, "fresh": true}
//
// The columns are the keys of all lines, in the order in which they first occur; a row without a
// key, or with null there, has a missing value. Lines of blanks are skipped. A key must not occur
// twice in a line. Text compressed by gzip, zip or zstd (package data/decoders) is recognised
// by its first bytes.
//
// All rows decide on the kind of a column: numbers are numeric, and one text or truth value makes
// the column categorical, with "true" and "false" for truth values. A text is a text, even if it is
// a number, unless the column is forced to be numeric. The empty text is missing; other texts are
// only where Options.Missing names them. An integer that float64 cannot hold is rounded in a
// numeric column, with a note to Options.Log, and keeps its digits in a categorical one. The values
// of an object inside are columns with its key before theirs: a.b. Arrays have no place in a table
// and are errors unless their column is ignored, which may be that of an object around them.
package jsonl
