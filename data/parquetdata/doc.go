// Package parquetdata owns the reading of Parquet files into a data.Frame: which columns have a
// place in a table, what their types become, and the checks that keep a damaged or hostile file
// from harming the program. Pages are decoded by github.com/parquet-go/parquet-go.
//
// # Types
//
// Integers, floating-point numbers (16 bits too) and decimals are numeric. Texts, enumerations,
// JSON, UUIDs and booleans ("true", "false") are categorical; binary columns that name no type are
// read as texts. Dates, timestamps and times are numeric too: microseconds since 1970-01-01 00:00,
// a finer fraction cut off, or since midnight. Null is missing, and so are NaN and the empty text;
// other texts are only where Options.Missing names them. Only the outermost level has a place in a
// table: a list, a map or a group is an error unless it is ignored.
//
// Several files must have the same columns, in any order. The line that a row of the frame
// remembers is its number in the file, from 1. The columns that are not wanted are not decoded.
package parquetdata
