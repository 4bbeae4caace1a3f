// Package xlsxdata owns the reading of Excel workbooks (.xlsx, Office Open XML) into a data.Frame:
// which sheet and which of its rows are the table, and what its cells are.
//
// The sheet is data.ReadOptions.Sheet, or the first one. Its header is the first row that has a
// text in more than half of the columns; rows above it are a title and are left out, with a note.
// Empty rows are skipped. Columns without a name and repeated names are treated as in CSV (see
// package csvdata).
//
// Numbers are numbers, and those whose format has a day or a year are dates. Texts are read as in
// CSV: all of a column decide whether it holds numbers, dates or categories, and
// data.DefaultMissing names the missing ones. Truth values are the texts true and false. A cell
// that holds an error, such as #N/A, is missing. Formulas count as the values that were stored with
// them.
//
// A workbook is an archive of zip, whose parts are unpacked while they are read. Shared texts,
// cells and each token of XML are limited by data.ReadOptions.Memory, whatever the archive states.
package xlsxdata
