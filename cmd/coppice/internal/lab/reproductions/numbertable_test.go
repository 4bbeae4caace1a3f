package reproductions

import (
	"encoding/json"
	"testing"
)

// TestNumbersJSON: machines get numbers where people read some, and null where a cell carries no
// information.
func TestNumbersJSON(t *testing.T) {
	table := Numbers{"Errors", []string{"", "n", "error", "± s.e."}, [][]string{
		{"tree", "10", "0.3170", "-"}, {"forest", "", "-1e-05", "7.05 ± 0.21"}, {"007", "true", "null", "[1]"},
	}}
	want := `{"title":"Errors","columns":["","n","error","± s.e."],"rows":[["tree",10,0.3170,null],["forest",null,-1e-05,"7.05 ± 0.21"],["007","true","null","[1]"]]}`
	if got, err := json.Marshal(table); err != nil || string(got) != want {
		t.Errorf("%s, %v\nwant %s", got, err, want)
	}
}
