package data_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/coppice-ml/coppice/data"
)

// A sample depends neither on the order of the rows nor on how they are divided.
func TestUnseenTexts(t *testing.T) {
	var texts []string
	for i := range 500 {
		texts = append(texts, fmt.Sprint("text ", i%97), fmt.Sprint("rare ", i))
	}
	whole := &data.UnseenTexts{}
	for _, text := range texts {
		whole.Add([]byte(text))
	}
	if most := whole.Most(); most[:4] != "text" {
		t.Errorf("%q is the most frequent text", most)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		r.Shuffle(len(texts), func(i, j int) { texts[i], texts[j] = texts[j], texts[i] })
		all := &data.UnseenTexts{}
		all.Join(nil)
		for from := 0; from < len(texts); {
			part := &data.UnseenTexts{}
			to := min(len(texts), from+1+r.IntN(300))
			for _, text := range texts[from:to] {
				part.AddRows(text, 1)
			}
			all.Join(part)
			from = to
		}
		if diff := cmp.Diff(whole, all, cmp.Exporter(func(reflect.Type) bool { return true })); diff != "" {
			t.Fatal(diff)
		}
	}
	if most := (&data.UnseenTexts{}).Most(); most != "" {
		t.Errorf("of no text %q is the most frequent one", most)
	}
}
