package treeparams

import "fmt"

// CheckMtry returns an error if nodes are to scan more columns than a table has: whoever sets for
// that takes the table for another. A table without columns, whose trees are single leaves, has no
// number that is too large.
func CheckMtry(mtry, columns int) error {
	if columns == 0 || mtry <= columns {
		return nil
	}
	if columns == 1 {
		return fmt.Errorf("mtry=%d: the table has 1 column to look at; give 1", mtry)
	}
	return fmt.Errorf("mtry=%d: the table has %d columns to look at; give at most so many",
		mtry, columns)
}
