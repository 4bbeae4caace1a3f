//go:build race

package coppice_test

func init() { raceDetector = true }
