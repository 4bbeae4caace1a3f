package counterfactual

import "slices"

// combinations are the ascending lists of k of the numbers below n.
type combinations struct {
	n    int
	next []int // nil: there are no more
}

func newCombinations(n, k int) *combinations {
	c := &combinations{n: n}
	for i := range k {
		c.next = append(c.next, i)
	}
	return c
}

// take returns the next lists, at most some.
func (c *combinations) take(most int) [][]int {
	var some [][]int
	for len(some) < most && c.next != nil {
		some = append(some, slices.Clone(c.next))
		k := len(c.next)
		i := k - 1
		for i >= 0 && c.next[i] == c.n-k+i {
			i--
		}
		if i < 0 {
			c.next = nil
			break
		}
		c.next[i]++
		for j := i + 1; j < k; j++ {
			c.next[j] = c.next[j-1] + 1
		}
	}
	return some
}
