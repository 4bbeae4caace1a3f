// Package csvdata owns the reading of CSV and TSV text into a data.Frame: where fields, rows and
// files begin and end, and what is a number. It owns what is missing, which columns are
// categorical, and the texts of errors.
//
// # Text
//
// Fields and quotes are those of RFC 4180: a field in double quotes may hold separators, newlines
// and, doubled, quotes. Lines end in LF or CR LF. Blanks (space, tab unless it is the separator,
// CR) around a field do not belong to it, those inside quotes do. A quote inside an unquoted field
// is an ordinary character; CR LF inside quotes is read as LF. Blank lines are skipped; in a table
// of one column only those above the first text are, and each later one is a missing value. A byte
// order mark is skipped. Text compressed by gzip, zip or zstd (package data/decoders)
// is recognised by its first bytes, whatever its name.
//
// The separator is Options.Comma. If that is 0, it is a tab for a name in .tsv or .tab (before .gz
// or .zst). For other names the first line decides: a comma if it has one outside quotes, else a
// tab, else a semicolon, else a |, else a comma. A line such as sep=; above it states the
// separator.
//
// Lines that Options.Skip and Options.Comment leave out are no rows. Where no line of the first
// kilobytes ends in LF, those that end in CR alone are lines.
//
// # Header
//
// A column without a name is called by its place, "Unnamed: 0" for the first one, and a second
// column a is called a_2. A column without a name is left out if it has no values or counts the
// rows from 0 or 1 on. The header may lack the field of the first column, if that has row names as
// R writes them, and fields behind the last name that are empty in all rows. A title above the
// table is an error.
//
// # Values
//
// A number is decimal with optional sign, fraction and exponent, or inf or infinity in any letter
// case; there is no hexadecimal and no digit separator. It is rounded as strconv.ParseFloat rounds;
// beyond the range of float64 it is an infinity. Blanks around a number in quotes do not matter. An
// empty field is missing, and so is a field that equals a token of Options.Missing, in quotes or
// not.
//
// All rows decide on the kind of a column: one text that is neither a number nor missing makes it
// categorical. Its dictionary is the sorted list of its texts, as they stand in the file, numbers
// too; it must be UTF-8.
//
// # Speed
//
// Text is cut into blocks of a few hundred kilobytes. Options.Threads goroutines read them at once,
// each in a single pass that splits and parses, and join them in order. The table, its notes and
// the error that is reported are the same for any number of goroutines, because a block that was
// read under a wrong assumption is read again in its turn: one whose first line is inside quotes,
// or in which a column is still taken for numbers that an earlier block made categorical.
// Compressed text is unpacked by one goroutine at a time, while the others parse.
//
// A column that proves to be categorical only after some rows is read again up to there, once for
// all such columns. Input that cannot be opened twice (standard input, pipes) is held in memory for
// that.
package csvdata
