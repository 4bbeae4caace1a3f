//go:build linux

package pairs

import (
	"reflect"
	"testing"
)

func TestWithEarlier(t *testing.T) {
	sides := []Side{{"ours", []string{"new", "-child", "fit"}}, {"peer", []string{"python", "fit"}}}
	want := []Side{sides[0], {"ours, earlier build", []string{"old", "-child", "fit"}}, sides[1]}
	if got := WithEarlier(sides, "new", "old"); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := WithEarlier(sides, "new", ""); !reflect.DeepEqual(got, sides) {
		t.Errorf("without an earlier build: %v", got)
	}
}
