package data

import "testing"

// Few rows of a column are stored: a quarter at most.
func TestPack(t *testing.T) {
	for n, want := range map[int]bool{0: true, 2: true, 3: false} {
		c := Sparse(8, 0, []int32{1, 4, 6}[:n], []float64{3, 2, 5}[:n]).pack()
		if _, _, _, sparse := c.Stored(); sparse != want || c.Number(0) != 0 || c.Len() != 8 {
			t.Errorf("%d of 8 rows stored: sparse is %v", n, sparse)
		}
	}
}
