package xgboost

import (
	"math"
	"slices"
	"strconv"
	"unicode/utf8"
)

// mostCategories is the number of categories that single precision can count.
const mostCategories = 1 << 24

// structure reads the members of a file into its parts.
type structure struct {
	*decoding
	file *file
}

// readFile reads the whole structure.
func readFile(d *decoding) *file {
	f := &file{targets: 1, forest: forest{parallel: 1}}
	s := &structure{d, f}
	var version []int32
	d.members(func(name string) func() {
		switch name {
		case "version":
			return d.int32s(&version)
		case "learner":
			return s.learner
		case "Model", "Config":
			return func() {
				d.unsupported("a memory snapshot: save the model by save_model")
			}
		}
		return nil
	})
	copy(f.version[:], version)
	if slices.ContainsFunc(version, func(v int32) bool { return v < 0 }) {
		d.corrupt("version %d", version)
	}
	if f.booster == "" {
		d.corrupt("no learner, or one without a booster")
	}
	return f
}

func (s *structure) learner() {
	s.members(func(name string) func() {
		switch name {
		case "learner_model_param":
			return s.parameters
		case "feature_names":
			return s.texts(&s.file.columns.names)
		case "feature_types":
			return s.texts(&s.file.columns.types)
		case "attributes":
			return s.attributes
		case "objective":
			return s.objective
		case "gradient_booster":
			return s.booster
		}
		return nil
	})
}

func (s *structure) parameters() {
	s.members(func(name string) func() {
		switch name {
		case "base_score":
			return s.vector(&s.file.base)
		case "num_feature":
			return s.parameter(&s.file.features)
		case "num_class":
			return s.parameter(&s.file.classes)
		case "num_target":
			return s.parameter(&s.file.targets)
		}
		return nil
	})
}

func (s *structure) objective() {
	s.members(func(name string) func() {
		switch name {
		case "name":
			return s.textTo(&s.file.objective)
		case "quantile_loss_param":
			return func() { s.alpha("quantile_alpha") }
		case "expectile_loss_param":
			return func() { s.alpha("expectile_alpha") }
		}
		if slices.Contains(parameterGroups, name) {
			return s.setting(objectiveSettings + name)
		}
		return nil
	})
}

func (s *structure) alpha(of string) {
	s.members(func(name string) func() {
		if name == of {
			return s.vector(&s.file.alpha)
		}
		return nil
	})
}

// attributes reads the texts that users add. Few of them mean something to the reader.
func (s *structure) attributes() {
	s.members(func(name string) func() {
		if !isKnownAttribute(name) {
			return s.setting(attributeSettings + name)
		}
		return func() { s.file.setAttribute(name, s.text()) }
	})
}

// booster reads a booster. Dart had another one within itself before 3.3, beside the weights of
// its trees; since then the weights are in the model.
func (s *structure) booster() {
	s.members(func(name string) func() {
		switch name {
		case "name":
			return func() {
				booster := s.text()
				if s.file.booster != "dart" { // the one around gbtree
					s.file.booster = booster
				}
			}
		case "model":
			return s.model
		case "gbtree":
			return s.booster
		case "weight_drop":
			return s.floats(&s.file.forest.drop)
		}
		return nil
	})
}

func (s *structure) model() {
	s.members(func(name string) func() {
		switch name {
		case "weights":
			return s.floats(&s.file.weights)
		case "gbtree_model_param":
			return s.forestParameters
		case "tree_info":
			return s.int32s(&s.file.forest.group)
		case "iteration_indptr":
			return s.int32s(&s.file.forest.rounds)
		case "weight_drop":
			return s.floats(&s.file.forest.drop)
		case "cats":
			return s.categories
		case "trees":
			return s.trees
		}
		return nil
	})
}

func (s *structure) forestParameters() {
	s.members(func(name string) func() {
		switch name {
		case "num_parallel_tree":
			return s.parameter(&s.file.forest.parallel)
		case "num_trees":
			s.file.forest.counted = true
			return s.parameter(&s.file.forest.count)
		}
		return nil
	})
}

// treeSize bounds the memory that a tree takes beside its arrays: its struct, the functions that
// read its members, their names in paths.
const treeSize = 4 << 10

func (s *structure) trees() {
	s.array(func(int) {
		s.Need(treeSize)
		t := &fileTree{}
		t.read(s.decoding)
		s.file.forest.trees = push(s.input, s.file.forest.trees, t)
	})
}

func (t *fileTree) read(d *decoding) {
	d.members(func(name string) func() {
		switch name {
		case "tree_param":
			return func() {
				d.members(func(name string) func() {
					switch name {
					case "size_leaf_vector":
						return d.parameter(&t.width)
					case "num_nodes":
						return d.parameter(&t.nodes)
					}
					return nil
				})
			}
		case "left_children":
			return d.int32s(&t.left)
		case "right_children":
			return d.int32s(&t.right)
		case "split_indices":
			// those of deleted nodes may have all bits set
			return integers(d, &t.feature, -1, math.MaxInt32)
		case "split_conditions":
			return d.floats(&t.cond)
		case "default_left":
			return integers(d, &t.defaultLeft, 0, 1)
		case "split_type":
			return integers(d, &t.kind, 0, 1)
		case "loss_changes":
			return d.floats(&t.gain)
		case "sum_hessian":
			return d.floats(&t.hessian)
		case "base_weights":
			return d.floats(&t.base)
		case "leaf_weights":
			return d.floats(&t.leaf)
		case "categories_nodes":
			return integers(d, &t.catNode, 0, math.MaxInt32)
		case "categories_segments":
			return integers(d, &t.catStart, 0, math.MaxInt32)
		case "categories_sizes":
			return integers(d, &t.catSize, 0, math.MaxInt32)
		case "categories":
			return integers(d, &t.cat, 0, mostCategories-1)
		}
		return nil
	})
}

// categories reads the texts of categories, since 3.1.
func (s *structure) categories() {
	s.members(func(name string) func() {
		if name != "enc" {
			return nil
		}
		return func() {
			s.array(func(int) {
				levels, as := readLevels(s.decoding)
				c := &s.file.columns
				c.categories = push(s.input, c.categories, levels)
				c.storedAs = push(s.input, c.storedAs, as)
			})
		}
	})
}

// readLevels reads the categories of a column. Texts have their bytes in one list, and offsets:
//
//	offsets   0      2  3      values   6f 6b 6e      ok, n
//
// Numbers are listed as they are with their type, and become texts. as is textCategories or that
// type, "" where there are no categories.
func readLevels(d *decoding) (levels []string, as string) {
	d.Need(treeSize)
	var offsets []int32
	var values []int64
	kind := int64(0)
	d.members(func(name string) func() {
		switch name {
		case "offsets":
			return d.int32s(&offsets)
		case "type":
			return func() { kind = d.integer() }
		case "values":
			return func() {
				d.array(func(int) { values = push(d.input, values, d.integer()) })
			}
		}
		return nil
	})
	switch {
	case len(offsets) > 0:
		return levelTexts(d, offsets, values), textCategories
	case len(values) == 0:
		return nil, ""
	}
	for _, x := range values {
		d.Need(textSize)
		levels = push(d.input, levels, strconv.FormatInt(x, 10))
	}
	return levels, categoryTypes[kind]
}

func levelTexts(d *decoding, offsets []int32, values []int64) (levels []string) {
	d.Need(int64(len(values)))
	bytes := make([]byte, len(values))
	for i, x := range values {
		bytes[i] = byte(x) // signed or not
	}
	for i := 1; i < len(offsets); i++ {
		from, to := offsets[i-1], offsets[i]
		if from < 0 || to < from || int(to) > len(bytes) {
			d.corrupt("category %d is bytes %d to %d of %d", i-1, from, to, len(bytes))
		}
		if !utf8.Valid(bytes[from:to]) {
			d.corrupt("category %d is not UTF-8", i-1)
		}
		levels = push(d.input, levels, d.copied(bytes[from:to]))
	}
	return levels
}
