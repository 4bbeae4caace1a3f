package reproductions

import "testing"

// TestTablesOfTheProgram reads the larger tables outside of a checkout, as an installed program
// does.
func TestTablesOfTheProgram(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, table := range []struct {
		file, label   string
		rows, columns int
	}{
		{"letter/letter.csv.gz", "lettr", 20000, 16},
		{"spambase/spambase.csv", "spam", 4601, 57},
	} {
		ds, err := (&Env{}).Read(t.Context(), table.file, table.label, table.rows)
		if err != nil {
			t.Errorf("%s: %v", table.file, err)
		} else if n := len(ds.Frame.Columns); n != table.columns {
			t.Errorf("%s has %d columns without its label, want %d", table.file, n, table.columns)
		}
	}
}
