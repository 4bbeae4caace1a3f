package ranks

// Span returns the run of n things that a rank has, if each gets runs of whole blocks: from ...
// to-1. The runs of all ranks follow each other, and differ by one block at most.
//
//	n 10, block 2, three ranks     0 1 2 3 | 4 5 6 7 | 8 9
func Span(n, block, rank, size int) (from, to int) {
	blocks := (n + block - 1) / block
	each, more := blocks/size, blocks%size
	first := rank*each + min(rank, more)
	last := first + each
	if rank < more {
		last++
	}
	return min(n, first*block), min(n, last*block)
}

// Part returns where the part of a rank is among numbers for SumParts: from ... to-1.
func Part(sizes []int, rank int) (from, to int) {
	for _, n := range sizes[:rank] {
		from += n
	}
	return from, from + sizes[rank]
}
