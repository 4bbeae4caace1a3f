package table

import (
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
)

func TestSameColumns(t *testing.T) {
	x := data.Field{Name: "x", Kind: data.Numeric}
	city := data.Field{Name: "city", Kind: data.Categorical, Levels: []string{"a", "b"}}
	other := city
	other.Levels = []string{"a", "c"}
	for _, c := range []struct {
		now  []data.Field
		want string
	}{
		{[]data.Field{x, city}, ""},
		{[]data.Field{city, x}, "column 1 of the model to continue is x"},
		{[]data.Field{x, other}, `column "city" has other categories`},
		{[]data.Field{x}, `the model to continue has a column "city"`},
		{[]data.Field{x, city, {Name: "z"}}, `the table has a column "z"`},
	} {
		err := SameColumns(&data.Schema{Fields: []data.Field{x, city}}, &data.Schema{Fields: c.now})
		switch {
		case err == nil && c.want != "" || err != nil && c.want == "":
			t.Errorf("%v: error %v, want %q", c.now, err, c.want)
		case err != nil && !strings.HasPrefix(err.Error(), c.want):
			t.Errorf("error %q, want %q", err, c.want)
		}
	}
}
