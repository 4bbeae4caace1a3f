// Package split owns which rows are trained on and which are tested on: a HoldOut splits them once,
// a Plan into the folds of cross-validation. Both are values with a seed. They keep groups whole,
// times in order and classes in proportion.
package split
