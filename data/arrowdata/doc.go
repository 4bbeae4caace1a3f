// Package arrowdata owns the reading of Arrow IPC into a data.Frame: files (Feather version 2) and
// streams, compressed by LZ4 or ZSTD or not. It decides which columns have a place in a table and
// what their types become. Its checks protect the program from a damaged or hostile file. Record
// batches are decoded by github.com/apache/arrow-go.
//
// # Types
//
// Integers, floating-point numbers and decimals are numeric, and a column of nothing but nulls too.
// Texts, booleans ("true", "false") and binary values, read as texts, are categorical, but for
// texts that are dates or numbers with a unit. Dictionaries of texts are categorical, and others
// are what their values are. Dates and timestamps are numeric: microseconds since 1970-01-01 00:00,
// truncated to whole ones. Times are microseconds since midnight, durations are microseconds. Null
// is missing, and so are NaN and the empty text; other texts are only where Options.Missing names
// them. Fields of a struct are columns, whose names have that of the struct and a point before
// them. Lists, maps, unions, intervals and run-end encoded columns have no place in a table and are
// errors unless they or a struct around them are ignored.
//
// Several files must have the same columns, in any order. The line number that the frame records of
// a row is its number in the file, from 1.
package arrowdata
