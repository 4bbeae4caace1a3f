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
func readFile(d *decoding) (*file, error) {
	f := &file{targets: 1, forest: forest{parallel: 1}}
	s := &structure{d, f}
	var version []int32
	err := d.members(func(name string) func() error {
		switch name {
		case "version":
			return d.int32s(&version)
		case "learner":
			return s.learner
		case "Model", "Config":
			return func() error {
				return d.unsupported("a memory snapshot: save the model by save_model")
			}
		}
		return nil
	})
	copy(f.version[:], version)
	if err == nil && slices.ContainsFunc(version, func(v int32) bool { return v < 0 }) {
		err = d.corrupt("version %d", version)
	}
	if err == nil && f.booster == "" {
		err = d.corrupt("no learner, or one without a booster")
	}
	return f, err
}

func (s *structure) learner() error {
	return s.members(func(name string) func() error {
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

func (s *structure) parameters() error {
	return s.members(func(name string) func() error {
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

func (s *structure) objective() error {
	return s.members(func(name string) func() error {
		switch name {
		case "name":
			return s.textTo(&s.file.objective)
		case "quantile_loss_param":
			return func() error { return s.alpha("quantile_alpha") }
		case "expectile_loss_param":
			return func() error { return s.alpha("expectile_alpha") }
		}
		if slices.Contains(parameterGroups, name) {
			return s.setting(objectiveSettings + name)
		}
		return nil
	})
}

func (s *structure) alpha(of string) error {
	return s.members(func(name string) func() error {
		if name == of {
			return s.vector(&s.file.alpha)
		}
		return nil
	})
}

// attributes reads the texts that users add. Few of them mean something to the reader.
func (s *structure) attributes() error {
	return s.members(func(name string) func() error {
		if !isKnownAttribute(name) {
			return s.setting(attributeSettings + name)
		}
		return func() error {
			text, err := s.text()
			s.file.setAttribute(name, text)
			return err
		}
	})
}

// booster reads a booster. Dart had another one within itself before 3.3, beside the weights of
// its trees; since then the weights are in the model.
func (s *structure) booster() error {
	return s.members(func(name string) func() error {
		switch name {
		case "name":
			return func() error {
				booster, err := s.text()
				if s.file.booster != "dart" { // the one around gbtree
					s.file.booster = booster
				}
				return err
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

func (s *structure) model() error {
	return s.members(func(name string) func() error {
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

func (s *structure) forestParameters() error {
	return s.members(func(name string) func() error {
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

func (s *structure) trees() error {
	return s.array(func(int) error {
		if err := s.Take(treeSize); err != nil {
			return err
		}
		t := &fileTree{}
		err := t.read(s.decoding)
		if err != nil {
			return err
		}
		s.file.forest.trees, err = push(s.input, s.file.forest.trees, t)
		return err
	})
}

func (t *fileTree) read(d *decoding) error {
	return d.members(func(name string) func() error {
		switch name {
		case "tree_param":
			return func() error {
				return d.members(func(name string) func() error {
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
func (s *structure) categories() error {
	return s.members(func(name string) func() error {
		if name != "enc" {
			return nil
		}
		return func() error {
			return s.array(func(int) error {
				levels, as, err := readLevels(s.decoding)
				if err != nil {
					return err
				}
				c := &s.file.columns
				if c.categories, err = push(s.input, c.categories, levels); err == nil {
					c.storedAs, err = push(s.input, c.storedAs, as)
				}
				return err
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
func readLevels(d *decoding) (levels []string, as string, err error) {
	if err := d.Take(treeSize); err != nil {
		return nil, "", err
	}
	var offsets []int32
	var values []int64
	kind := int64(0)
	err = d.members(func(name string) func() error {
		switch name {
		case "offsets":
			return d.int32s(&offsets)
		case "type":
			return func() (err error) {
				kind, err = d.integer()
				return err
			}
		case "values":
			return func() error {
				return d.array(func(int) error {
					x, err := d.integer()
					if err != nil {
						return err
					}
					values, err = push(d.input, values, x)
					return err
				})
			}
		}
		return nil
	})
	if err != nil || len(offsets) == 0 && len(values) == 0 {
		return nil, "", err
	}
	if len(offsets) > 0 {
		levels, err = levelTexts(d, offsets, values)
		return levels, textCategories, err
	}
	for _, x := range values {
		if err := d.Take(textSize); err != nil {
			return nil, "", err
		}
		if levels, err = push(d.input, levels, strconv.FormatInt(x, 10)); err != nil {
			return nil, "", err
		}
	}
	return levels, categoryTypes[kind], nil
}

func levelTexts(d *decoding, offsets []int32, values []int64) (levels []string, err error) {
	if err := d.Take(int64(len(values))); err != nil {
		return nil, err
	}
	bytes := make([]byte, len(values))
	for i, x := range values {
		bytes[i] = byte(x) // signed or not
	}
	for i := 1; i < len(offsets); i++ {
		from, to := offsets[i-1], offsets[i]
		if from < 0 || to < from || int(to) > len(bytes) {
			return nil, d.corrupt("category %d is bytes %d to %d of %d", i-1, from, to, len(bytes))
		}
		if !utf8.Valid(bytes[from:to]) {
			return nil, d.corrupt("category %d is not UTF-8", i-1)
		}
		text, err := d.copied(bytes[from:to])
		if err != nil {
			return nil, err
		}
		if levels, err = push(d.input, levels, text); err != nil {
			return nil, err
		}
	}
	return levels, nil
}
