// Package memory owns the one memory limit: what it is unless somebody sets it, how it is written,
// and the error of what would exceed it. Readers of tables hold the table that they build against
// it, learners and evaluation the arrays that have a number for every row and class.
//
// A limit is a rule for the large arrays, not a measurement of the process: the program itself,
// garbage that is not collected yet and buffers of decoders come on top. Default leaves a quarter
// of the machine's memory for them.
package memory
