package tree

import "slices"

// WithFeatures returns the tree for a table with other places of its columns: feature f becomes
// place[f]. The places must ascend with f and be below MaxFeatures. All but the features is in the
// memory of t.
func (t *Tree) WithFeatures(place []int32) *Tree {
	moved := *t
	moved.Nodes = slices.Clone(t.Nodes)
	for i := range moved.Nodes {
		if d := &moved.Nodes[i]; d.Feature() >= 0 {
			d.look = pack(d.Kind(), d.Missing(), place[d.Feature()])
		}
	}
	if t.Dirs != nil {
		dirs := *t.Dirs
		dirs.Feature = placed(dirs.Feature, place)
		moved.Dirs = &dirs
	}
	if t.Surrogates != nil {
		surrogates := *t.Surrogates
		surrogates.Feature = placed(surrogates.Feature, place)
		moved.Surrogates = &surrogates
	}
	if t.Leaf.Linear != nil {
		linear := *t.Leaf.Linear
		linear.Feature = placed(linear.Feature, place)
		moved.Leaf.Linear = &linear
	}
	return &moved
}

func placed(features, place []int32) []int32 {
	moved := slices.Clone(features) // nil stays nil
	for i, f := range features {
		moved[i] = place[f]
	}
	return moved
}
