package native

import (
	"testing"

	"github.com/coppice-ml/coppice/codec/codectest"
)

// hostileRoles are damages of the keys of version 1.1.
var hostileRoles = []damage{
	{"roles that are no object", func(d *draft) { d.head.Roles = raw(`["w"]`) }, "cannot unmarshal"},
	{"a weight that is no text", func(d *draft) { d.head.Roles = raw(`{"weight":1}`) }, "cannot unmarshal"},
	{"initial scores that are no list", func(d *draft) { d.head.Roles = raw(`{"init_score":"s"}`) },
		"cannot unmarshal"},
	{"an initial score that is no text", func(d *draft) { d.head.Roles = raw(`{"init_score":[[]]}`) },
		"cannot unmarshal"},
	{"another first index", func(d *draft) { d.head.Schema.First = "2" },
		"no number of the first feature"},
}

func TestHostileRoles(t *testing.T) { refuse(t, codectest.Quartiles, hostileRoles) }
