//go:build mpi && !mpicc

package mpi

// #cgo pkg-config: mpi-c
import "C"
