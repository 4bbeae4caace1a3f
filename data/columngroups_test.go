package data_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
)

func TestColumnGroups(t *testing.T) {
	s := data.Schema{Fields: []data.Field{{Name: "age"}, {Name: "height"}, {Name: "weight"}}}
	groups, err := s.ColumnGroups("groups", [][]string{{"age", "weight"}, {"height"}})
	if err != nil || len(groups) != 2 || !slices.Equal(groups[0], []int32{0, 2}) || !slices.Equal(groups[1], []int32{1}) {
		t.Errorf("groups %v, %v", groups, err)
	}
	if groups, err := s.ColumnGroups("groups", nil); groups != nil || err != nil {
		t.Errorf("no groups: %v, %v", groups, err)
	}
	for text, want := range map[string]string{
		"age+wieght": `groups: there is no column "wieght": did you mean "weight"?`,
		"age+zzzzzz": `groups: there is no column "zzzzzz"`,
		"age+age":    `groups: column "age" is twice in a group`,
	} {
		if _, err := s.ColumnGroups("groups", [][]string{strings.Split(text, "+")}); err == nil || err.Error() != want {
			t.Errorf("%s: error %v, want %s", text, err, want)
		}
	}
}
