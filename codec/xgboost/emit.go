package xgboost

import (
	"maps"
	"slices"
	"strconv"
)

// write writes a file's members, "learner" first, by which files are recognised.
func (f *file) write(s sink) {
	s.object(
		member{"learner", func() { f.writeLearner(s) }},
		member{"version", func() {
			s.list(len(f.version), func(i int) { s.integer(int64(f.version[i])) })
		}})
}

// parameter is a member of XGBoost's parameters, which are texts.
func parameter(s sink, name, text string) member {
	return member{name, func() { s.text(text) }}
}

func count(s sink, name string, n int64) member {
	return parameter(s, name, strconv.FormatInt(n, 10))
}

func (f *file) writeLearner(s sink) {
	texts := func(list []string) func() {
		return func() { s.list(len(list), func(i int) { s.text(list[i]) }) }
	}
	s.object(
		member{"attributes", func() {
			var all []member
			for _, name := range slices.Sorted(maps.Keys(f.attributes)) {
				all = append(all, parameter(s, name, f.attributes[name]))
			}
			s.object(all...)
		}},
		member{"feature_names", texts(f.columns.names)},
		member{"feature_types", texts(f.columns.types)},
		member{"gradient_booster", func() {
			s.object(member{"model", func() { f.writeModel(s) }}, parameter(s, "name", f.booster))
		}},
		member{"learner_model_param", func() {
			s.object(
				parameter(s, "base_score", string(appendFloat(nil, f.base[0]))),
				count(s, "boost_from_average", 1),
				count(s, "num_class", f.classes),
				count(s, "num_feature", f.features),
				count(s, "num_target", f.targets))
		}},
		member{"objective", func() { f.writeObjective(s) }})
}

func (f *file) writeModel(s sink) {
	if f.booster == "gblinear" {
		s.object(member{"boosted_rounds", func() { s.integer(1) }},
			member{"weights", func() { s.floats(f.weights) }})
		return
	}
	o := &f.forest
	int32s := func(list []int32) func() {
		return func() { s.list(len(list), func(i int) { s.integer(int64(list[i])) }) }
	}
	members := []member{
		{"gbtree_model_param", func() {
			s.object(count(s, "num_parallel_tree", o.parallel),
				count(s, "num_trees", int64(len(o.trees))), count(s, "size_leaf_vector", 0))
		}},
		{"iteration_indptr", int32s(o.rounds)},
		{"tree_info", int32s(o.group)},
		{"trees", func() {
			s.list(len(o.trees), func(i int) { o.trees[i].write(s, i, f.features) })
		}},
	}
	if f.columns.categories != nil {
		cats := member{"cats", func() { f.columns.writeCategories(s) }}
		members = append([]member{cats}, members...)
	}
	s.object(members...)
}

// numbers returns a function that writes an array.
func numbers[T int32 | uint8](s sink, width int, list []T) func() {
	return func() { s.integers(width, len(list), func(i int) int64 { return int64(list[i]) }) }
}

// noParent is the parent of the root.
const noParent = 1<<31 - 1

// parents returns the parent of each node.
func (t *fileTree) parents() []int32 {
	parents := make([]int32, len(t.left))
	parents[0] = noParent
	for n, left := range t.left {
		if left >= 0 {
			parents[left], parents[t.right[n]] = int32(n), int32(n)
		}
	}
	return parents
}

func (t *fileTree) write(s sink, id int, features int64) {
	floats := func(list []float32) func() { return func() { s.floats(list) } }
	s.object(
		member{"base_weights", floats(t.base)},
		member{"categories", numbers(s, 32, t.cat)},
		member{"categories_nodes", numbers(s, 32, t.catNode)},
		member{"categories_segments", numbers(s, 64, t.catStart)},
		member{"categories_sizes", numbers(s, 64, t.catSize)},
		member{"default_left", numbers(s, 8, t.defaultLeft)},
		member{"id", func() { s.integer(int64(id)) }},
		member{"left_children", numbers(s, 32, t.left)},
		member{"loss_changes", floats(t.gain)},
		member{"parents", numbers(s, 32, t.parents())},
		member{"right_children", numbers(s, 32, t.right)},
		member{"split_conditions", floats(t.cond)},
		member{"split_indices", numbers(s, 32, t.feature)},
		member{"split_type", numbers(s, 8, t.kind)},
		member{"sum_hessian", floats(t.hessian)},
		member{"tree_param", func() {
			s.object(count(s, "num_deleted", 0), count(s, "num_feature", features),
				count(s, "num_nodes", int64(len(t.left))), count(s, "size_leaf_vector", 0))
		}})
}
