// Package param owns declared parameters.
package param

// Set is a list of parameters.
type Set []Param

// Param is one.
type Param struct{ Name string }
