// Package parquetdata owns the reading of Parquet files into a data.Frame, and the writing of plain
// ones row by row. It decides which columns
// have a place in a table and what their types become. Its checks protect the program from a
// damaged or hostile file. Several goroutines read the columns of a file (see Options.Threads).
//
// # Types
//
// Integers, floating-point numbers (16 bits too) and decimals are numeric. Texts, enumerations,
// JSON, UUIDs and booleans ("true", "false") are categorical, but for texts that are dates or
// numbers with a unit; binary columns that name no type are read as texts. Dates and timestamps are
// numeric too: microseconds since 1970-01-01 00:00, truncated to whole ones. Those of 96 bits reach
// the year 294,246. Times are microseconds since midnight. Null is missing, and so are NaN and the
// empty text; other texts are only where Options.Missing names them. Columns of a struct have its
// name and a point before theirs. A list or a map has no place in a table, and is an error unless
// it or a struct around it is ignored.
//
// Several files must have the same columns, in any order. The line number that the frame records of
// a row is its number in the file, from 1. The columns that are not needed are not read.
package parquetdata
