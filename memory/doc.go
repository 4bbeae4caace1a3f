// Package memory owns the one memory limit: its default, its syntax, and the error of what would
// exceed it. Readers check the table that they build against it. Learners and evaluation check the
// arrays that have a number for every row and class.
//
// A limit is a rule for the large arrays, not a measurement of the process. The program itself,
// garbage that is not collected yet and buffers of decoders come on top. Default leaves a quarter
// of the machine's memory for them. TuneCollector sets how much garbage a program keeps.
package memory
