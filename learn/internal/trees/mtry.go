package trees

import "fmt"

// CheckMtry returns an error if nodes are to scan more columns than a table has, since such a
// number was meant for another table. A table without columns, whose trees are single leaves,
// allows every number.
func CheckMtry(mtry, columns int) error {
	if columns == 0 || mtry <= columns {
		return nil
	}
	if columns == 1 {
		return fmt.Errorf("mtry=%d: the table has 1 column to scan; give 1", mtry)
	}
	return fmt.Errorf("mtry=%d: the table has %d columns to scan; give at most so many",
		mtry, columns)
}
