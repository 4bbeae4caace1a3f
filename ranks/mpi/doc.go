// Package mpi joins the processes that mpirun starts to a ranks.Group, by MPI. It is compiled with
// the build tag mpi, cgo and Open MPI or MPICH; without the tag Start returns ErrNotBuilt.
//
//	go build -tags mpi ./cmd/coppice-mpi
//
// The C compiler finds MPI by the pkg-config package mpi-c. Where there is none, as with MPICH in
// Debian, the tag mpicc leaves that to the compiler of MPI: CC=mpicc go build -tags mpi,mpicc.
//
// No call of MPI blocks: each is tested until it is complete, so that a context can end the wait.
// MPI does not report a rank that has stopped. So each rank sends a heartbeat to rank 0 over a
// connection of its own, and rank 0 answers; see Watch.
package mpi

import "errors"

// ErrNotBuilt is returned by Start of a program without the build tag mpi.
var ErrNotBuilt = errors.New("this program was built without MPI: build it with -tags mpi")
