// Package source owns where tables come from: files, standard input, pipes and bytes in memory,
// which readers may open more than once. It also owns decompression, reading in blocks of rows, and
// the texts of the errors of all that.
//
// A regular file is read as often as it is opened. What cannot be opened twice (standard input,
// pipes, devices) is held in memory, but for text that one pass reads in blocks. Standard input may
// be Stored instead, in a scratch file where it is long. Text compressed by gzip or what
// data.ReadOptions.Decoders has, or packed as the only table of a zip archive, is recognised by its
// first bytes, whatever its name; a byte order mark before text is skipped.
package source
