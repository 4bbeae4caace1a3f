package param_test

import (
	"testing"

	"github.com/coppice-ml/coppice/param"
)

type knobs struct {
	depth int
	other string
}

func (k *knobs) Params() param.Set { return param.Set{param.Int(&k.depth, "depth", 6, 1, 9, "depth")} }

// WithDefaults overwrites what the parameters declare and nothing else.
func TestWithDefaults(t *testing.T) {
	given := &knobs{depth: 2, other: "kept"}
	if k := param.WithDefaults(given); k != given || *k != (knobs{6, "kept"}) {
		t.Errorf("got %+v", *k)
	}
}
