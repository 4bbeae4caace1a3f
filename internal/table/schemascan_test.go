package table

import (
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
)

// A column of texts is scanned once, and one that has numbers before its first text twice.
func TestFindScansOnce(t *testing.T) {
	for texts, want := range map[string]int{"a b 1": 1, "1 a b": 2, "1 2 a": 2, "1 2": 1} {
		scans := 0
		found, rows, err := Find(&data.ReadOptions{BlockBytes: 1}, nil,
			func(b *Builder) error {
				scans++
				b.Begin("t", nil)
				c, err := b.Column("c", Untyped)
				for i, text := range strings.Fields(texts) {
					if err == nil {
						if v, ok := ParseNumber([]byte(text)); ok {
							c.AppendNumber(v)
						} else {
							c.AppendText([]byte(text))
						}
						err = b.EndRow(i + 1)
					}
				}
				return err
			})
		if err != nil || rows != len(strings.Fields(texts)) || scans != want {
			t.Errorf("%q: %d rows, %d scans, want %d: %v", texts, rows, scans, want, err)
		} else if kind := found.Schema.Fields[0].Kind; (kind == data.Numeric) != (texts == "1 2") {
			t.Errorf("%q: %v", texts, kind)
		}
	}
}
