// Package ranks owns what a training sees of the other processes that train the same model: a
// Group, a handful of collective operations. Package ranks/rankstest makes groups of goroutines,
// for tests; package ranks/mpi joins the processes that mpirun starts.
//
// A process of a group is a rank. Every rank calls the same operations in the same order, as in
// MPI. Sums are of integers, so that their order does not matter. So a model has the same bytes for
// any number of ranks:
//
//	rank 0   histogram of its rows --+              +--> the same sums --> the same split
//	rank 1   histogram of its rows --+--> Sum ------+--> the same sums --> the same split
//	rank 2   histogram of its rows --+              +--> the same sums --> the same split
package ranks
